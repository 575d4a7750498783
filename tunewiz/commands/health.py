"""`tunewiz health`: what troubles the server that no setting mends."""

from __future__ import annotations

from tunewiz.commands.inputs import planned, read_inputs
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.health.troubles import checkup
from tunewiz.formats.health import health_json
from tunewiz.knowledge.minor_fixes import load_minor_fixes


def run_health(options: Options) -> int:
    """Print the troubles of the planned server; returns 1 if there are any."""
    inputs = read_inputs(options)
    result = checkup(planned(inputs), load_minor_fixes())
    if options.json:
        output.write(health_json(result, inputs.facts))
    else:
        from tunewiz.text.health import health_text  # noqa: PLC0415 - scripts need no rich

        output.write(health_text(result, inputs.facts))
    return 1 if result.troubles else 0

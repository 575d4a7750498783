"""`tunewiz health`: what troubles the server that no setting mends."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from tunewiz.commands.inputs import planned, read_inputs
from tunewiz.commands.learned import reads_host
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.facts.facts import Facts
from tunewiz.core.health.troubles import checkup
from tunewiz.formats.health import health_json
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.session.store import sessions_directory


def earlier_facts(facts: Facts) -> tuple[Facts, ...]:
    """What earlier runs of the wizard read of this host."""
    from tunewiz.session.visits import visits  # noqa: PLC0415 - other machines have none

    return tuple(session.as_read for _, session in visits(sessions_directory(os.environ), facts))


def run_health(options: Options) -> int:
    """Print the troubles of the planned server; returns 1 if there are any."""
    inputs = read_inputs(options)
    earlier = earlier_facts(inputs.facts) if reads_host(options) else ()
    result = checkup(planned(inputs), load_minor_fixes(), earlier, f"{datetime.now(UTC):%Y-%m-%d}")
    if options.json:
        output.write(health_json(result, inputs.facts))
    else:
        from tunewiz.text.health import health_text  # noqa: PLC0415 - scripts need no rich

        output.write(health_text(result, inputs.facts))
    return 1 if result.troubles else 0

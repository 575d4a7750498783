"""`tunewiz bundle`: the change bundle without the wizard."""

from __future__ import annotations

from pathlib import Path

from tunewiz.bundle.write import write_bundle
from tunewiz.commands.inputs import planned, read_inputs
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.values.errors import UsageError
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.wizard.outcome import Written, outcome_in_words


def run_bundle(options: Options) -> int:
    """Write the bundle and say what to do with it."""
    if options.out is None:
        raise UsageError("bundle: expected -o DIR")
    inputs = read_inputs(options)
    plan = planned(inputs)
    directory = Path(options.out)
    write_bundle(plan, directory, facts_to_json(inputs.facts), answers_to_toml(inputs.answers))
    output.write(outcome_in_words(Written(directory=str(directory), plan=plan)) + "\n")
    return 0

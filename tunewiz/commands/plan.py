"""`tunewiz plan`: what is recommended for a machine."""

from __future__ import annotations

from tunewiz import output
from tunewiz.commands.inputs import planned, read_inputs
from tunewiz.core.plan_json import plan_json
from tunewiz.options import Options


def run_plan(options: Options) -> int:
    """Print the plan as a table or as JSON."""
    inputs = read_inputs(options)
    plan = planned(inputs)
    if options.json:
        output.write(plan_json(plan))
        return 0
    from tunewiz.report import plan_table  # noqa: PLC0415 - scripts need no rich

    output.write(plan_table(plan, answered=bool(inputs.answers_from)))
    return 0

"""`tunewiz plan`: what is recommended for a machine."""

from __future__ import annotations

from tunewiz.commands.inputs import planned, read_inputs, say_unkept
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.formats.plan import plan_json


def run_plan(options: Options) -> int:
    """Print the plan as a table or as JSON; returns 1 where a rule of the shop is not kept."""
    inputs = read_inputs(options)
    plan = planned(inputs)
    if options.json:
        output.write(plan_json(plan))
        return say_unkept(inputs, plan)
    from tunewiz.text.report import plan_in_short, plan_table  # noqa: PLC0415 - scripts need no rich

    show = plan_table if options.whole else plan_in_short
    output.write(show(plan, answered=bool(inputs.answers_from)))
    return say_unkept(inputs, plan)

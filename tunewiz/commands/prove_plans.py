"""`tunewiz prove plans`: which query plans change under the plan's settings, on the live server."""

from __future__ import annotations

from tunewiz.collect.postgres.plans import flips_on
from tunewiz.collect.system import LiveSystem
from tunewiz.commands.inputs import planned, read_inputs
from tunewiz.commands.options import Options
from tunewiz.commands.proof_status import REFUSED
from tunewiz.console import output
from tunewiz.console.exit_status import say
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.planner_settings import planner_settings
from tunewiz.core.proof.plan_flips import PlanFlips
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.values.errors import ServerError
from tunewiz.formats.plan_flips import plan_flips_json

SOMETHING_FLIPS = 1


def run_plans(options: Options) -> int:
    """Print them; exit status 0 if none changes, 1 if one does, 4 if the server cannot plan them."""
    inputs = read_inputs(options)
    try:
        plan_flips = _found(planned(inputs))
    except ServerError as error:
        say(f"prove plans: refused: {error.message}")
        return REFUSED
    output.write(_text(plan_flips, inputs.facts, as_json=options.json))
    if plan_flips.settings and not plan_flips.planned:
        return REFUSED
    return SOMETHING_FLIPS if plan_flips.flips else 0


def _found(plan: Plan) -> PlanFlips:
    settings = planner_settings(plan)
    if not settings:
        return PlanFlips(settings=())
    server = plan.start.server
    if isinstance(server, NoServer):
        raise ServerError(server.why)
    return flips_on(LiveSystem(), server, settings)


def _text(plan_flips: PlanFlips, facts: Facts, *, as_json: bool) -> str:
    if as_json:
        return plan_flips_json(plan_flips, facts)
    from tunewiz.text.plan_flips import plan_flips_text  # noqa: PLC0415 - scripts need no rich

    return plan_flips_text(plan_flips, facts)

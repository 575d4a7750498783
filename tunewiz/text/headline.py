"""The first line of the list of recommendations: what the plan does, in numbers."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

from tunewiz.bundle.review.interruption import idle_restart
from tunewiz.core.planning.decisions import tally
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.known import MissingFact
from tunewiz.core.values.plural import how_many

WARNING = "!"


def headline(plan: Plan) -> str:
    """How many change, are open and declined; what is interrupted; how many warnings there are."""
    counts = tally(plan.findings)
    parts = (
        f"{counts.changes} to change" if counts.changes else "nothing to change",
        _restart(plan),
        "1 reboot" if _needs(plan, Effect.REBOOT) else "",
        f"{counts.undecided} open",
        f"{counts.refused} declined" if counts.refused else "",
        f"{WARNING} {how_many(len(plan.warnings), 'warning')}" if plan.warnings else "",
    )
    return " · ".join(part for part in parts if part)


def _needs(plan: Plan, effect: Effect) -> bool:
    return any(finding.takes_effect is effect for finding in plan.changes)


def _restart(plan: Plan) -> str:
    if not _needs(plan, Effect.RESTART):
        return "no restart"
    try:
        return f"1 restart of about {idle_restart(_afterwards(plan))} s"
    except MissingFact:
        return "1 restart"


def _afterwards(plan: Plan) -> Situation:
    values = {finding.recommendation.target.name: finding.sets for finding in plan.changes}
    return dataclasses.replace(plan.start, chosen=MappingProxyType(values))

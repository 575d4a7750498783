"""What else a decision about one finding changes in the plan: a count at the top does not say what."""

from __future__ import annotations

from collections.abc import Sequence

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.words.finding import name_of, words_of

MOST_NAMED = 3


def consequences(before: Plan, after: Plan) -> str:
    """The other changes that left the plan, came into it or have another value; empty if there are none."""
    earlier = {finding.recommendation.id: finding for finding in before.findings}
    others = [
        (earlier[finding.recommendation.id], finding)
        for finding in after.findings
        if finding.recommendation.id in earlier
        and earlier[finding.recommendation.id].decision == finding.decision
    ]
    left = [new for old, new in others if old.state == "change" != new.state]
    came = [new for old, new in others if old.state != "change" == new.state]
    moved = [
        new
        for old, new in others
        if old.state == new.state == "change" and _value(old, before) != _value(new, after)
    ]
    parts = (("Also out of the plan", left), ("Also in the plan", came), ("Moves with it", moved))
    return " ".join(f"{title}: {_named(findings)}." for title, findings in parts if findings)


def _value(finding: Finding, plan: Plan) -> str:
    return words_of(finding, plan.start).then.short


def _named(findings: Sequence[Finding]) -> str:
    names = ", ".join(name_of(finding).short for finding in findings[:MOST_NAMED])
    more = len(findings) - MOST_NAMED
    return f"{names} and {more} more" if more > 0 else names

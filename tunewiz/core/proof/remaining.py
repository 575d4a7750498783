"""How much of a measurement is done and left: runs, time, and planned looks."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.proof.analysis import ClaimRule, can_show, margin_for, metrics_of_pairs
from tunewiz.core.proof.bench_seen import SoFar
from tunewiz.core.proof.looks import PlannedLook, planned_looks
from tunewiz.core.proof.proof import MetricResult
from tunewiz.core.values.record import dataclass

ARMS = 2
"""Runs of a pair."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReachedLook:
    """A planned look that was reached, with its result for the primary metric."""

    look: PlannedLook
    result: MetricResult


def runs_each(groups: int) -> int:
    """Runs of a pair, or of a cycle with this number of groups."""
    return 2 * groups + 1 if groups else ARMS


def total(so_far: SoFar) -> int:
    """The most pairs or cycles."""
    return so_far.agreed or so_far.most


def rule_of(so_far: SoFar, risk: float) -> ClaimRule:
    """The rule for claims at a look."""
    shown = can_show(so_far.same_pairs, so_far.primary, so_far.agreed)
    return ClaimRule(primary=so_far.primary, risk=risk, margin=margin_for(shown))


def look_at(so_far: SoFar, look: PlannedLook) -> ReachedLook | None:
    """The result at the look; None if the metric was not measured in every pair."""
    metric = metrics_of_pairs(so_far.pairs[: look.pairs], rule_of(so_far, look.risk)).get(so_far.primary)
    return None if metric is None else ReachedLook(look=look, result=metric)


def looked(so_far: SoFar) -> Iterator[ReachedLook]:
    """All looks that were reached, in order. Between them nothing is claimed."""
    if so_far.agreed and not so_far.groups:
        for look in planned_looks(so_far.agreed):
            if look.pairs <= len(so_far.pairs) and (reached_look := look_at(so_far, look)) is not None:
                yield reached_look


def next_look(so_far: SoFar) -> int | None:
    """Pairs at the next look; None if none is left, or if the plan is measured part by part."""
    if so_far.groups:
        return None
    ahead = (look.pairs for look in planned_looks(total(so_far)) if look.pairs > len(so_far.pairs))
    return next(ahead, None)


def seconds_left(so_far: SoFar, until: int) -> float:
    """Estimated seconds until this many pairs or cycles are done; 0 while the length of a run is unknown."""
    same = max(0, so_far.same_planned - len(so_far.same_pairs)) * ARMS
    number = runs_each(so_far.groups)
    done = so_far.cycles * number + so_far.steps if so_far.groups else len(so_far.pairs) * number
    return so_far.arm_seconds * (same + max(0, until * number - done))

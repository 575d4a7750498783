"""What each part of a plan contributes: a staircase up and down, in an order drawn anew for each cycle.

Groups are added one by one, then removed in the same order. Each is measured once early and once late: the
mean is its Shapley value where only pairs of groups interact, drift cancels, and a cycle ends where it began.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, sqrt
from random import Random
from statistics import fmean

from tunewiz.core.proof.ratios import Estimate
from tunewiz.core.values.record import dataclass

LEAST_CYCLES = 2
"""Without a second cycle nothing is known of the noise."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredCycle:
    """One cycle: the order of the groups, and one figure a run."""

    order: tuple[str, ...]
    figures: tuple[float, ...]
    """2 k + 1 of k groups; above 0."""


def drawn_order(groups: Sequence[str], draw: Random) -> tuple[str, ...]:
    """The groups in an order for one cycle."""
    return tuple(draw.sample(list(groups), len(groups)))


def steps_of(order: Sequence[str]) -> tuple[frozenset[str], ...]:
    """Which groups are in force in each run of a cycle.

    >>> [sorted(step) for step in steps_of(["a", "b"])]
    [[], ['a'], ['a', 'b'], ['b'], []]
    """
    up = [frozenset(order[:count]) for count in range(len(order) + 1)]
    return (*up, *(frozenset(order[count:]) for count in range(1, len(order) + 1)))


def contributions(cycles: Sequence[MeasuredCycle]) -> Mapping[str, Estimate]:
    """Mean log ratio of each group.

    All groups share one standard error, pooled: every one is the difference of the same kind of runs.

    Raises:
        ValueError: Fewer than two cycles, or runs that do not fit the groups.
    """
    _check(cycles)
    result = {group: [_contribution(cycle, group) for cycle in cycles] for group in cycles[0].order}
    freedom = len(result) * (len(cycles) - 1)
    squares = sum((number - fmean(logs)) ** 2 for logs in result.values() for number in logs)
    error = sqrt(squares / freedom / len(cycles))
    return {group: Estimate(mean=fmean(logs), error=error, freedom=freedom) for group, logs in result.items()}


def totals(cycles: Sequence[MeasuredCycle]) -> tuple[float, ...]:
    """Log ratio of everything against nothing, a figure a cycle."""
    return tuple(sum(_contribution(cycle, group) for group in cycle.order) for cycle in cycles)


def _contribution(cycle: MeasuredCycle, group: str) -> float:
    """Half of what adding it changed, half of what removing it changed back."""
    logs = [log(figure) for figure in cycle.figures]
    at, half = cycle.order.index(group), len(cycle.order)
    return (logs[at + 1] - logs[at] + logs[half + at] - logs[half + at + 1]) / 2


def _check(cycles: Sequence[MeasuredCycle]) -> None:
    if len(cycles) < LEAST_CYCLES:
        raise ValueError(f"found {len(cycles)} cycles, expected {LEAST_CYCLES} or more")
    for cycle in cycles:
        runs = 2 * len(cycle.order) + 1
        if len(cycle.figures) != runs or set(cycle.order) != set(cycles[0].order):
            raise ValueError(
                f"found {len(cycle.figures)} runs of {cycle.order}, expected {runs} of all groups"
            )

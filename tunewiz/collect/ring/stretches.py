"""Parts of what was kept in which the counters only grew: no restart, reset or gap in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from tunewiz.collect.postgres.counter_queries import HIDDEN, SESSIONS
from tunewiz.collect.ring.kept_waits import WAIT_NUMBERS
from tunewiz.core.facts.look import RESET, STARTED, ServerSample

Break: TypeAlias = Literal["restart", "reset", "gap"]
GAUGES = frozenset({"connections", STARTED, RESET, *SESSIONS, HIDDEN, *WAIT_NUMBERS})
"""Numbers that may fall; all others are counters."""
MISSED = 3
"""Looks that may be missing in a row before the time between counts as a gap."""


def breaks(looks: Sequence[ServerSample], every: int) -> Iterator[tuple[int, Break]]:
    """Before which look, by its place, something was broken, and what."""
    for place in range(1, len(looks)):
        if why := _broken(looks[place - 1], looks[place], every):
            yield place, why


def stretches(looks: Sequence[ServerSample], every: int) -> Iterator[Sequence[ServerSample]]:
    """The parts between the breaks, of two looks at least.

    Args:
        looks: In the order in which they were taken.
        every: Seconds that should be between two of them.
    """
    places = [0, *(place for place, _ in breaks(looks, every)), len(looks)]
    for begin, end in pairwise(places):
        if end - begin > 1:
            yield looks[begin:end]


def _broken(before: ServerSample, after: ServerSample, every: int) -> Break | None:
    if _differ(before, after, STARTED):
        return "restart"
    if _differ(before, after, RESET) or _fell(before, after, after.numbers.keys() - GAUGES):
        return "reset"
    took = after.passed - before.passed
    return None if after.run == before.run and 0 < took <= 1000 * every * MISSED else "gap"


def _differ(before: ServerSample, after: ServerSample, name: str) -> bool:
    return name in before.numbers and name in after.numbers and before.numbers[name] != after.numbers[name]


def _fell(before: ServerSample, after: ServerSample, names: Iterable[str]) -> bool:
    return any(after.numbers[name] < before.numbers.get(name, after.numbers[name]) for name in names)

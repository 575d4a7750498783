"""Which times of two periods can be compared (the same hours of the week), and which are independent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from tunewiz.core.values.record import dataclass

HOUR, WEEK = 3_600, 7 * 86_400
"""Seconds."""
NEAR = HOUR
"""The most seconds between two beginnings within the week."""
LENGTH_FACTOR = 2
"""The largest ratio of two windows' lengths: by convention."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowSpan:
    """The time of a window."""

    began: int
    """Seconds since 1970."""
    seconds: int

    @property
    def ended(self) -> int:
        """Seconds since 1970."""
        return self.began + self.seconds

    @property
    def day(self) -> int:
        """The day on which it began, UTC."""
        return self.began // 86_400

    @property
    def words(self) -> str:
        """`Tue 2026-11-24 14:02 UTC`, for a person."""
        return f"{datetime.fromtimestamp(self.began, UTC):%a %Y-%m-%d %H:%M} UTC"


def apart(one: WindowSpan, other: WindowSpan) -> int:
    """Seconds between the beginnings, ignoring whole weeks.

    >>> apart(WindowSpan(began=0, seconds=60), WindowSpan(began=7 * 86_400 - 90, seconds=60))
    90
    """
    distance = (one.began - other.began) % WEEK
    return min(distance, WEEK - distance)


def matches(before: Sequence[WindowSpan], after: Sequence[WindowSpan]) -> list[tuple[int, int]]:
    """Pairs of indexes of times at the same hour of the week; each is used once, nearest first."""
    fitting = sorted(
        (apart(one, other), here, there)
        for here, one in enumerate(before)
        for there, other in enumerate(after)
        if apart(one, other) <= NEAR and _as_long(one, other)
    )
    result, left_here, left_there = list[tuple[int, int]](), set(range(len(before))), set(range(len(after)))
    for _, here, there in fitting:
        if here in left_here and there in left_there:
            result.append((here, there))
            left_here.remove(here)
            left_there.remove(there)
    return sorted(result)


def _as_long(one: WindowSpan, other: WindowSpan) -> bool:
    short, long = sorted((one.seconds, other.seconds))
    return long <= LENGTH_FACTOR * short


def observations(pairs: Iterable[tuple[WindowSpan, WindowSpan]]) -> list[list[int]]:
    """Indexes of the pairs that share a day on either side: together they are one observation.

    Hours of one day share its load, so they are not independent.
    """
    groups = list[tuple[set[tuple[str, int]], list[int]]]()
    for place, (before, after) in enumerate(pairs):
        days, places = {("before", before.day), ("after", after.day)}, [place]
        apart_from = list[tuple[set[tuple[str, int]], list[int]]]()
        for group in groups:
            if group[0] & days:
                days |= group[0]
                places = group[1] + places
            else:
                apart_from.append(group)
        groups = [*apart_from, (days, sorted(places))]
    return sorted(places for _, places in groups)

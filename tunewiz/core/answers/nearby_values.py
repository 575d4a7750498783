"""The values beside one that a person gave, in steps of about a half: for moving it by a key."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TypeVar

from tunewiz.core.values.units import MIB, Bytes, Duration

T = TypeVar("T", int, Bytes, Duration)

SIZES: tuple[Bytes, ...] = tuple(Bytes(part * MIB << power) for power in range(8, 26) for part in (2, 3))
"""From 512 MiB on: 512MB, 768MB, 1GB, 1536MB, 2GB …, to 96TB."""

COUNTS: tuple[int, ...] = tuple(part * 10**power for power in range(1, 5) for part in (1, 2, 3, 5, 7))
"""10, 20, 30, 50, 70, 100 …, to 70,000."""

TIMES: tuple[Duration, ...] = tuple(
    map(
        Duration.parse,
        ("30s", "1min", "2min", "3min", "5min", "10min", "15min", "30min", "1h", "2h", "4h", "8h", "1d"),
    )
)


def beside(value: T, held: T, values: Sequence[T], by: int) -> T:
    """The next larger of the values, or with a negative `by` the next smaller; at the end, the value itself.

    The value that holds is one of them, so that what was moved away from it comes back to it.

    >>> beside(105, 105, COUNTS, 1), beside(200, 105, COUNTS, -1)
    (200, 105)
    """
    stops: list[T] = list(values)
    stops.append(held)
    stops.sort()
    if by > 0:
        place = bisect_right(stops, value)
        return stops[place] if place < len(stops) else value
    place = bisect_left(stops, value)
    return stops[place - 1] if place else value

"""The time of a fixed basket of queries: with the calls from before a change, and with those from after it.

A mean over all queries would show a change of the mix as a change of speed. Here each query's mean time is
compared with its own, and only the weights are a choice: those of before (Laspeyres' index) and those of
after (Paasche's). Where both say the same, the mix does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

ROWS_MOVED = 0.1
"""A query that returns more or fewer rows a call than this share does other work: a convention."""
_ONE_ROW = 1.0
"""Below a row a call the difference is counted in rows: 0.01 and 0 are the same work."""
_MILLISECOND_FLOOR = 1e-6
"""The least mean time: a nanosecond, as the times are rounded."""

K = TypeVar("K")


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """What one query did on one side; `calls` is above 0."""

    calls: int
    ms: float
    rows: int

    @property
    def mean(self) -> float:
        """Milliseconds a call, above 0."""
        return max(self.ms / self.calls, _MILLISECOND_FLOOR)

    def plus(self, other: Spent) -> Spent:
        """Both together."""
        return Spent(calls=self.calls + other.calls, ms=self.ms + other.ms, rows=self.rows + other.rows)

    def does_other_work(self, other: Spent) -> bool:
        """Whether the rows a call differ too much for the times to be compared."""
        mine, others = self.rows / self.calls, other.rows / other.calls
        return abs(mine - others) > ROWS_MOVED * max(mine, others, _ONE_ROW)


@dataclass(frozen=True, kw_only=True, slots=True)
class Basket:
    """Milliseconds a call of the whole basket; each index is `after / before`."""

    before: float
    after: float
    """With the same weights: calls before."""
    reverse_before: float
    reverse_after: float
    """With the weights of after."""

    @property
    def ratio(self) -> float:
        """With the calls from before."""
        return self.after / self.before

    @property
    def reverse_ratio(self) -> float:
        """With the calls from after."""
        return self.reverse_after / self.reverse_before


def basket(pairs: Iterable[tuple[Spent, Spent]]) -> Basket:
    """Of the same queries before and after; raises ValueError without any."""
    both = tuple(pairs)
    if not both:
        raise ValueError("a basket without a query has no time")
    calls_before = sum(before.calls for before, _ in both)
    calls_after = sum(after.calls for _, after in both)
    return Basket(
        before=sum(before.calls * before.mean for before, _ in both) / calls_before,
        after=sum(before.calls * after.mean for before, after in both) / calls_before,
        reverse_before=sum(after.calls * before.mean for before, after in both) / calls_after,
        reverse_after=sum(after.calls * after.mean for _, after in both) / calls_after,
    )


def summed(sides: Iterable[Mapping[K, Spent]]) -> dict[K, Spent]:
    """Several windows of one side together."""
    found = dict[K, Spent]()
    for side in sides:
        for key, spent in side.items():
            found[key] = found[key].plus(spent) if key in found else spent
    return found

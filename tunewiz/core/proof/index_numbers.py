"""The time of a fixed basket of queries, weighted by calls before and after a change.

A mean over all queries would mistake a change in the mix for a change in speed. Here each query is
compared with itself, and only the weights are a choice: the calls before (Laspeyres' index) or after
(Paasche's). If both agree, the mix does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from tunewiz.core.values.record import dataclass

ROWS_MOVED = 0.1
"""A query whose rows per call change by more than this share does other work: a convention."""
_ONE_ROW = 1.0
"""Below one row per call the absolute difference counts: 0.01 and 0 are the same work."""
_MILLISECOND_FLOOR = 1e-6
"""The least mean time in milliseconds: a nanosecond, to which times are rounded."""

K = TypeVar("K")


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """The work of one query on one side; `calls` is above 0."""

    calls: int
    ms: float
    rows: int

    @property
    def mean(self) -> float:
        """Milliseconds per call, above 0."""
        return max(self.ms / self.calls, _MILLISECOND_FLOOR)

    def plus(self, other: Spent) -> Spent:
        """The sum of both."""
        return Spent(calls=self.calls + other.calls, ms=self.ms + other.ms, rows=self.rows + other.rows)

    def does_other_work(self, other: Spent) -> bool:
        """Whether the rows per call differ too much to compare times."""
        mine, others = self.rows / self.calls, other.rows / other.calls
        return abs(mine - others) > ROWS_MOVED * max(mine, others, _ONE_ROW)


@dataclass(frozen=True, kw_only=True, slots=True)
class Basket:
    """Milliseconds of the whole basket; each index is `after / before`."""

    before: float
    after: float
    """With the same weights, the calls before."""
    reverse_before: float
    reverse_after: float
    """With the calls after as weights."""

    @property
    def ratio(self) -> float:
        """Weighted by the calls before."""
        return self.after / self.before

    @property
    def reverse_ratio(self) -> float:
        """Weighted by the calls after."""
        return self.reverse_after / self.reverse_before


def basket(pairs: Iterable[tuple[Spent, Spent]]) -> Basket:
    """The basket of the same queries before and after; raises ValueError if there are none."""
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
    """The sums of several windows of one side."""
    result = dict[K, Spent]()
    for side in sides:
        for key, spent in side.items():
            result[key] = result[key].plus(spent) if key in result else spent
    return result

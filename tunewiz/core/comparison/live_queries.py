"""The queries of a live server before and after: which can be compared, and their share of the time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tunewiz.core.comparison.sightings import QueryKey, Sighting, query_key
from tunewiz.core.proof.index_numbers import Basket, Spent, basket, summed
from tunewiz.core.proof.proof import Omission, QueryResult
from tunewiz.core.values.record import dataclass

NO_CALLS = Spent(calls=0, ms=0.0, rows=0)
_NAMED = 5
"""The most left-out queries that are named; the others are counted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchedTotals:
    """The totals of all matched windows on each side."""

    before: Mapping[QueryKey, Spent]
    after: Mapping[QueryKey, Spent]
    time_before: float
    """Milliseconds of all statements, listed or not."""
    time_after: float
    texts: Mapping[QueryKey, str]

    @property
    def other_work(self) -> list[QueryKey]:
        """Queries on both sides whose rows per call differ."""
        return [key for key in self._on_both if self.before[key].does_other_work(self.after[key])]

    @property
    def shared(self) -> list[QueryKey]:
        """The basket: queries on both sides that did the same work."""
        return [key for key in self._on_both if not self.before[key].does_other_work(self.after[key])]

    @property
    def _on_both(self) -> list[QueryKey]:
        return sorted(self.before.keys() & self.after.keys())

    @property
    def shares(self) -> tuple[float, float]:
        """The basket's share of the server's execution time, before and after; 0 to 1."""
        shared = self.shared
        return (
            _share(sum(self.before[key].ms for key in shared), self.time_before),
            _share(sum(self.after[key].ms for key in shared), self.time_after),
        )


def _share(part: float, whole: float) -> float:
    return min(1.0, part / whole) if whole > 0 else 0.0


def compared(pairs: Sequence[tuple[Sighting, Sighting]]) -> MatchedTotals:
    """The totals of matched windows."""
    before, after = ([pair[side] for pair in pairs] for side in (0, 1))
    texts = {
        query_key(statement): statement.text
        for window in (*before, *after)
        for statement in window.statements.statements
    }
    return MatchedTotals(
        before=summed(sighting.spent for sighting in before),
        after=summed(sighting.spent for sighting in after),
        time_before=sum(sighting.statements.run_ms for sighting in before),
        time_after=sum(sighting.statements.run_ms for sighting in after),
        texts=texts,
    )


def basket_of(pairs: Sequence[tuple[Sighting, Sighting]], shared: Iterable[QueryKey]) -> Basket | None:
    """The basket in some of the windows; None if none of its queries was called on both sides."""
    before, after = (summed(pair[side].spent for pair in pairs) for side in (0, 1))
    both = [(before[key], after[key]) for key in shared if key in before and key in after]
    return basket(both) if both else None


def query_results(totals: MatchedTotals) -> Iterator[QueryResult]:
    """Every listed query, by its time on the side where it took more."""

    def weight(key: QueryKey) -> float:
        return max(totals.before.get(key, NO_CALLS).ms, totals.after.get(key, NO_CALLS).ms)

    every = totals.before.keys() | totals.after.keys()
    for key in sorted(every, key=lambda results: (-weight(results), results)):
        before, after = totals.before.get(key, NO_CALLS), totals.after.get(key, NO_CALLS)
        yield QueryResult(
            query=totals.texts[key],
            query_id=key[0],
            database=key[1],
            role=key[2],
            calls_before=before.calls,
            calls_after=after.calls,
            ratio=after.mean / before.mean if before.calls and after.calls else None,
            share=_share(before.ms, totals.time_before),
            share_after=_share(after.ms, totals.time_after),
        )


def other_work(totals: MatchedTotals) -> Iterator[Omission]:
    """Queries left out of the basket because their rows per call differ."""
    left = totals.other_work
    for key in left[:_NAMED]:
        rows = (spent.rows / spent.calls for spent in (totals.before[key], totals.after[key]))
        one, other = rows
        yield Omission(
            what=totals.texts[key] or f"query {key[0]}",
            why=f"rows per call: {one:.4g} before, {other:.4g} after; it did other work",
        )
    if len(left) > _NAMED:
        yield Omission(what=f"{len(left) - _NAMED} more queries", why="different numbers of rows per call")

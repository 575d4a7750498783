"""What was observed on a live server before and after a change, in words for every front end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tunewiz.core.proof.proof import ClaimVerdict, Proof, QueryResult
from tunewiz.core.values.plural import how_many

MOVED = 1.1
"""A query is named if its time per call changes by this factor or more: a convention."""
MOST_NAMED = 10
"""The most queries in a list; proof.json has all."""
OBSERVED: dict[ClaimVerdict, str] = {
    "helped": "faster",
    "hurt": "slower",
    "undecided": "undecided",
}
"""Verdicts that name no cause, since nothing else was held constant."""


def observed_lines(proof: Proof) -> Iterator[str]:
    """What changed, and each query that became slower or faster, is new or gone; a line each."""
    share = (
        ""
        if proof.workload.share is None
        else f"; the compared ones took {proof.workload.share:.0%} of the time"
    )
    queries = how_many(sum(query.ratio is not None for query in proof.queries), "query")
    yield f"{how_many(len(proof.pairs), 'day')} on each side; {queries} on both{share}"
    for change in proof.bundle.changes:
        yield f"  {change.id}: {change.before or 'none'} -> {change.value or 'none'}"
    yield from _listed("Slower", "per call", slower(proof), _compared)
    yield from _listed("Faster", "per call", faster(proof), _compared)
    yield from _listed(
        "New", "not listed before", [query for query in proof.queries if not query.calls_before], _new
    )
    yield from _listed(
        "Gone", "not listed after", [query for query in proof.queries if not query.calls_after], _gone
    )


def slower(proof: Proof) -> list[QueryResult]:
    """Queries whose calls became slower, those that cost the server most first."""
    queries = [query for query in proof.queries if query.ratio is not None and query.ratio >= MOVED]
    return sorted(queries, key=lambda query: -query.share * ((query.ratio or 1) - 1))


def faster(proof: Proof) -> list[QueryResult]:
    """Queries whose calls became faster, those that save the server most first."""
    queries = [query for query in proof.queries if query.ratio is not None and query.ratio <= 1 / MOVED]
    return sorted(queries, key=lambda query: -query.share * (1 - (query.ratio or 1)))


def _listed(
    title: str, about: str, queries: Sequence[QueryResult], described: Callable[[QueryResult], str]
) -> Iterator[str]:
    if not queries:
        return
    yield f"{title} ({about}):"
    for query in queries[:MOST_NAMED]:
        yield f"  {described(query)}  {query.query or f'query {query.query_id}'}"
    if len(queries) > MOST_NAMED:
        yield f"  and {how_many(len(queries) - MOST_NAMED, 'more query')}"


def _compared(query: QueryResult) -> str:
    ratio = "" if query.ratio is None else f"{query.ratio:>7.2f} times"
    return (
        f"{ratio}  {query.share:>4.0%} of the time before  {query.calls_before:,} "
        f"-> {query.calls_after:,} calls"
    )


def _new(query: QueryResult) -> str:
    return f"{query.share_after:>4.0%} of the time after  {how_many(query.calls_after, 'call')}"


def _gone(query: QueryResult) -> str:
    return f"{query.share:>4.0%} of the time before  {how_many(query.calls_before, 'call')}"

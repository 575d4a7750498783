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
    queries = how_many(sum(each.ratio is not None for each in proof.queries), "query")
    yield f"{how_many(len(proof.pairs), 'day')} on each side; {queries} on both{share}"
    for change in proof.bundle.changes:
        yield f"  {change.id}: {change.before or 'none'} -> {change.value or 'none'}"
    yield from _listed("Slower", "per call", slower(proof), _compared)
    yield from _listed("Faster", "per call", faster(proof), _compared)
    yield from _listed(
        "New", "not listed before", [each for each in proof.queries if not each.calls_before], _new
    )
    yield from _listed(
        "Gone", "not listed after", [each for each in proof.queries if not each.calls_after], _gone
    )


def slower(proof: Proof) -> list[QueryResult]:
    """Queries whose calls became slower, those that cost the server most first."""
    found = [each for each in proof.queries if each.ratio is not None and each.ratio >= MOVED]
    return sorted(found, key=lambda each: -each.share * ((each.ratio or 1) - 1))


def faster(proof: Proof) -> list[QueryResult]:
    """Queries whose calls became faster, those that save the server most first."""
    found = [each for each in proof.queries if each.ratio is not None and each.ratio <= 1 / MOVED]
    return sorted(found, key=lambda each: -each.share * (1 - (each.ratio or 1)))


def _listed(
    title: str, about: str, queries: Sequence[QueryResult], described: Callable[[QueryResult], str]
) -> Iterator[str]:
    if not queries:
        return
    yield f"{title} ({about}):"
    for each in queries[:MOST_NAMED]:
        yield f"  {described(each)}  {each.query or f'query {each.query_id}'}"
    if len(queries) > MOST_NAMED:
        yield f"  and {how_many(len(queries) - MOST_NAMED, 'more query')}"


def _compared(each: QueryResult) -> str:
    ratio = "" if each.ratio is None else f"{each.ratio:>7.2f} times"
    return (
        f"{ratio}  {each.share:>4.0%} of the time before  {each.calls_before:,} -> {each.calls_after:,} calls"
    )


def _new(each: QueryResult) -> str:
    return f"{each.share_after:>4.0%} of the time after  {how_many(each.calls_after, 'call')}"


def _gone(each: QueryResult) -> str:
    return f"{each.share:>4.0%} of the time before  {how_many(each.calls_before, 'call')}"

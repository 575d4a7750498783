"""A live server before and after a change, from watched windows: observed, never proved.

Nothing else was held constant, so only the same hours of the week and the same queries are compared.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from tunewiz.core.comparison.live_changes import changes
from tunewiz.core.comparison.live_doubts import NOTHING_CHANGED, doubts, remarks
from tunewiz.core.comparison.live_queries import MatchedTotals, basket_of, compared, other_work, query_results
from tunewiz.core.comparison.live_refusals import differing, other_servers
from tunewiz.core.comparison.sightings import (
    HOW,
    NamedFacts,
    Sighting,
    compared_identifier,
    sightings,
    time_text,
)
from tunewiz.core.proof.index_numbers import Basket
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.observed import REVERSE, TIME, index_results, pair_of
from tunewiz.core.proof.proof import (
    MeasuredChange,
    MetricResult,
    Omission,
    Proof,
    ProofBundle,
    ProofHost,
    ProofServer,
    ProofWorkload,
)
from tunewiz.core.proof.week_hours import matches, observations
from tunewiz.core.values.known import known_or
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes

_NO_QUERIES = (
    "queries: found none that ran on both sides with the same number of rows per call, expected the same "
    "work: compare windows in which the same application ran"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class NotCompared:
    """Why the two sides cannot be compared, a sentence each."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Matched:
    """Pairs of windows from the same hours of the week, and everything left out."""

    pairs: tuple[tuple[Sighting, Sighting], ...]
    left_out: tuple[Omission, ...]


def compare_live(before: Sequence[NamedFacts], after: Sequence[NamedFacts]) -> Proof | NotCompared:
    """What was observed, or why the two sides cannot be compared.

    Raises:
        InputError: A file contains an invalid time.
    """
    matched = _matched(before, after)
    if isinstance(matched, NotCompared):
        return matched
    totals = compared(matched.pairs)
    groups = observations([(one.span, other.span) for one, other in matched.pairs])
    baskets = [basket_of([matched.pairs[place] for place in group], totals.shared) for group in groups]
    days = [basket for basket in baskets if basket is not None]
    if not days:
        return NotCompared(reasons=(_NO_QUERIES,))
    return _proof(matched, totals, days)


def _matched(before: Sequence[NamedFacts], after: Sequence[NamedFacts]) -> _Matched | NotCompared:
    every = (*before, *after)
    if reasons := tuple(other_servers(every)):
        return NotCompared(reasons=reasons)
    identifier = compared_identifier(every)
    left_out, sides = list[Omission](), list[list[Sighting]]()
    for files in (before, after):
        observation = list(sightings(files, identifier))
        sides.append([entry for entry in observation if isinstance(entry, Sighting)])
        left_out += [entry for entry in observation if isinstance(entry, Omission)]
    if reasons := tuple(_empty(sides, left_out)):
        return NotCompared(reasons=reasons)
    if reasons := tuple(differing(*sides)):
        return NotCompared(reasons=reasons)
    return _paired(sides[0], sides[1], left_out)


def _empty(sides: Sequence[Sequence[Sighting]], left_out: Sequence[Omission]) -> Iterator[str]:
    """For a side without a usable window, what is missing in each of its files."""
    if all(sides):
        return
    for omission in left_out:
        yield f"{omission.what}: {omission.why}"
    names = " and ".join(name for name, side in zip(("BEFORE", "AFTER"), sides, strict=True) if not side)
    yield f"{names}: found no usable window, expected one or more: {HOW}"


def _paired(
    before: Sequence[Sighting], after: Sequence[Sighting], left_out: Sequence[Omission]
) -> _Matched | NotCompared:
    result = matches([sighting.span for sighting in before], [sighting.span for sighting in after])
    if not result:
        return NotCompared(reasons=(_other_hours(before, after),))
    used = ({here for here, _ in result}, {there for _, there in result})
    lonely = [
        sighting
        for side, places in zip((before, after), used, strict=True)
        for place, sighting in enumerate(side)
        if place not in places
    ]
    alone = [
        Omission(
            what=sighting.file,
            why=f"no window of the same hour of the week on the other side ({sighting.span.words})",
        )
        for sighting in lonely
    ]
    return _Matched(
        pairs=tuple((before[here], after[there]) for here, there in result), left_out=(*left_out, *alone)
    )


def _other_hours(before: Sequence[Sighting], after: Sequence[Sighting]) -> str:
    return (
        f"hours: found {_when(before)} before and {_when(after)} after, expected windows of similar length "
        "that begin within an hour of each other in the week: watch at the same hour of the same weekday"
    )


def _when(windows: Sequence[Sighting]) -> str:
    more = f" and {len(windows) - 1} more" if len(windows) > 1 else ""
    return f"{windows[0].span.words} for {windows[0].span.seconds} s{more}"


def _proof(matched: _Matched, totals: MatchedTotals, days: Sequence[Basket]) -> Proof:
    results = index_results(days)
    before, after = matched.pairs[0][0], matched.pairs[-1][1]
    changed = tuple(changes(before, after))
    doubtful = tuple(doubts(matched.pairs, totals, len(days), results))
    return Proof(
        kind="compare",
        host=_host(after),
        server=_server(after),
        bundle=ProofBundle(digest="", changes=changed),
        workload=ProofWorkload(source="live", run_seconds=after.window.seconds, share=min(totals.shares)),
        verdict="observed",
        primary=TIME,
        metrics=_concluded(results, certain=not doubtful),
        pairs=tuple(pair_of(day) for day in days),
        queries=tuple(query_results(totals)),
        seconds=sum(window.window.seconds for pair in matched.pairs for window in pair),
        finished=time_text(max(later.span.ended for _, later in matched.pairs)),
        left_out=(*matched.left_out, *other_work(totals)),
        cannot_tell=(*doubtful, *_unchanged(changed), *remarks(matched.pairs)),
    )


def _unchanged(changed: tuple[MeasuredChange, ...]) -> Iterator[str]:
    if not changed:
        yield NOTHING_CHANGED


def _concluded(
    results: Mapping[MetricName, MetricResult], *, certain: bool
) -> Mapping[MetricName, MetricResult]:
    """The results, all undecided if there is any doubt."""
    if certain:
        return MappingProxyType(results)
    return MappingProxyType(
        {name: dataclasses.replace(results[name], verdict="undecided") for name in (TIME, REVERSE)}
    )


def _host(window: Sighting) -> ProofHost:
    facts = window.facts
    return ProofHost(
        name=known_or(facts.host.name, ""),
        identity=known_or(facts.host.identity, ""),
        architecture=known_or(facts.host.architecture, ""),
        processors=known_or(facts.cpu.online, 0),
        memory=known_or(facts.memory.total, Bytes(0)).count,
    )


def _server(window: Sighting) -> ProofServer:
    server = window.server
    return ProofServer(
        major=known_or(server.major, ""),
        version=known_or(server.version, ""),
        data_directory=known_or(server.data_directory, ""),
        system_identifier=known_or(server.system_identifier, ""),
    )

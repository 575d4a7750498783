"""Why windows of a live server allow no conclusion, and what they do not show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tunewiz.core.comparison.live_queries import MatchedTotals
from tunewiz.core.comparison.sightings import Sighting
from tunewiz.core.facts.server import seconds_set
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.observed import LEAST_DAYS, REVERSE, TIME
from tunewiz.core.proof.proof import MetricResult
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import Duration, in_words

SHARED = 0.8
"""The least share of the time that the compared queries must take on both sides: by convention."""
GROWN = 0.1
"""Growth of the databases that needs no remark: as for rows per call."""
NOTHING_CHANGED = "No setting differs between the two sides: whatever changed is not a setting."

Pairs = Sequence[tuple[Sighting, Sighting]]


def doubts(
    pairs: Pairs, totals: MatchedTotals, days: int, results: Mapping[MetricName, MetricResult]
) -> Iterator[str]:
    """Each reason for which nothing is concluded."""
    if days == 1:
        yield (
            "A single observation on each side shows nothing of how much days differ: "
            f"a conclusion needs {LEAST_DAYS} days on each side."
        )
    elif days < LEAST_DAYS:
        yield f"Found {days} days on each side, expected {LEAST_DAYS} or more: shown without a conclusion."
    before, after = totals.shares
    if min(before, after) < SHARED:
        yield (
            f"The mix of queries changed: the compared queries took {before:.0%} of the time before and "
            f"{after:.0%} of that after, expected {SHARED:.0%} or more of both."
        )
    evicted = sum(window.statements.evicted for pair in pairs for window in pair)
    if evicted:
        yield (
            f"pg_stat_statements discarded entries in these windows ({evicted}), so calls are missing: "
            "increase pg_stat_statements.max and watch again."
        )
    if results[TIME].verdict != results[REVERSE].verdict:
        yield (
            f"Weighted by the calls before, the time is {results[TIME].ratio:.2f} times what it was; by "
            f"the calls after, {results[REVERSE].ratio:.2f} times: the result depends on the mix of queries."
        )


def remarks(pairs: Pairs) -> Iterator[str]:
    """What else differs, or is not in these windows."""
    yield from _checkpoints(pairs)
    yield from _releases(pairs)
    yield from _growth(pairs)


def _checkpoints(pairs: Pairs) -> Iterator[str]:
    shortest = min(window.window.seconds for pair in pairs for window in pair)
    longest = max(
        seconds_set(window.server.settings, "checkpoint_timeout") for pair in pairs for window in pair
    )
    if shortest < longest:
        yield (
            f"Windows of {in_words(Duration(1_000 * shortest))} are shorter than checkpoint_timeout "
            f"({in_words(Duration(1_000 * longest))}): they may not include the cost of a checkpoint."
        )


def _releases(pairs: Pairs) -> Iterator[str]:
    releases = (known_or(window.server.release, "") for window in (pairs[0][0], pairs[-1][1]))
    before, after = releases
    if before != after:
        yield f"The server's minor release also changed: {before} before, {after} after."


def _growth(pairs: Pairs) -> Iterator[str]:
    match (_size(pairs[0][0]), _size(pairs[-1][1])):
        case int(before), int(after) if before and abs(after / before - 1) > GROWN:
            yield f"The databases are {after / before:.2f} times as large as before the change."
        case _:
            pass


def _size(window: Sighting) -> int:
    """Bytes; 0 if unknown."""
    match window.server.activity:
        case Known(value=activity) if isinstance(activity.databases_size, Known):
            return activity.databases_size.value.count
        case _:
            return 0

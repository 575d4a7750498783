"""The numbers that are kept: whatever a server of any release is asked while it is watched."""

from __future__ import annotations

from tunewiz.collect.postgres.counter_queries import counters_while_watching
from tunewiz.collect.postgres.queries import watching
from tunewiz.collect.ring.kept_waits import WAIT_NUMBERS

_RELEASES = (90_500, 90_600, 100_000, 140_000, 180_000, 190_000)
"""The first of those that are asked the same."""


def watched_columns() -> tuple[str, ...]:
    """Their names, in one order; a server that does not tell one leaves it open."""
    results = (
        query for release in _RELEASES for query in (*watching(release), *counters_while_watching(release))
    )
    return (*dict.fromkeys(column for query in results for column in query.columns), *WAIT_NUMBERS)

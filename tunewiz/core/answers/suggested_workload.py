"""Which kind of workload a server's own statistics suggest.

Rules of thumb, shown with their numbers so that an administrator can disagree; nothing depends on them alone.
"""

from __future__ import annotations

from tunewiz.core.answers.answers import WorkloadKind
from tunewiz.core.facts.server import Activity, PostgresServer
from tunewiz.core.facts.statistics import Counted, counted, first_of
from tunewiz.core.values.known import Known, Unknown, known_or
from tunewiz.core.values.plural import how_many, in_millions
from tunewiz.core.values.record import dataclass

ENOUGH_TRANSACTIONS = 10_000
"""Fewer say more about monitoring than about the load."""
LONG_TRANSACTION = 50_000
"""Rows that one transaction reads on average: reports and scans, not lookups."""
MIDDLING_TRANSACTION = 2_000
"""Between lookups and reports: a server with both."""
FEW_WRITES = 0.1
"""Rows written per transaction below which hardly any transaction writes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """A kind of workload and what suggests it."""

    kind: WorkloadKind
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NoSuggestion:
    """The statistics suggest none."""

    why: str


def suggested(server: PostgresServer) -> Suggestion | NoSuggestion:
    """What a server's statistics suggest, preferably those of the time it was watched."""
    names = ("commits", "rows_read", "rows_written")
    for statistics in counted(server, *names, enough=ENOUGH_TRANSACTIONS, weigh=first_of):
        return _judged(statistics)
    match server.activity:
        case Known(value=activity):
            return _too_little(activity)
        case unknown:
            return NoSuggestion(why=unknown.why)


def _too_little(activity: Activity) -> NoSuggestion:
    for counter in (activity.commits, activity.rows_read, activity.rows_written):
        if isinstance(counter, Unknown):
            return NoSuggestion(why=counter.why)
    transactions = how_many(known_or(activity.commits, 0), "transaction")
    return NoSuggestion(why=f"only {transactions} since the statistics were reset")


def _judged(statistics: Counted) -> Suggestion:
    commits, read, written = statistics.values
    reads, writes = read / commits, written / commits
    because = (
        f"{in_millions(commits)} commits {statistics.when}, each reading "
        f"{reads:,.0f} and writing {writes:,.1f} "
        f"rows on average ({_percent(written, read + written)} of the rows are written)"
    )
    return Suggestion(kind=_kind(reads, writes), because=because)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "none"


def _kind(reads: float, writes: float) -> WorkloadKind:
    if reads >= LONG_TRANSACTION:
        return "analytics"
    if reads >= MIDDLING_TRANSACTION:
        return "mixed"
    return "read_mostly" if writes < FEW_WRITES else "oltp"

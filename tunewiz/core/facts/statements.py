"""What pg_stat_statements counted of each statement while a server was watched."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class StatementSeen:
    """One statement that was called in that time."""

    queryid: str
    """As pg_stat_statements has it: the same in all servers of one major with the same tables."""
    database: str
    role: str
    text: str
    """Shortened, without what is quoted; of a utility command its first word."""
    calls: int
    run_ms: float
    rows: int


@dataclass(frozen=True, kw_only=True, slots=True)
class StatementsSeen:
    """All statements of that time, of which the most expensive and the most frequent are listed."""

    statements: tuple[StatementSeen, ...]
    """The most expensive first."""
    run_ms: float
    """Of all that were called, listed or not."""
    unlisted: int
    """How many were called that are not listed."""
    evicted: int
    """Entries that pg_stat_statements discarded for want of room meanwhile; their calls are not counted."""

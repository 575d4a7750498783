"""The pg_stat_statements counters of each statement while a server was watched."""

from __future__ import annotations

from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class StatementSeen:
    """One statement that was called during the window."""

    queryid: str
    """queryid of pg_stat_statements: stable within a server's major version."""
    database: str
    role: str
    text: str
    """Shortened, without anything quoted; for a utility command, its first word."""
    calls: int
    run_ms: float
    rows: int


@dataclass(frozen=True, kw_only=True, slots=True)
class StatementsSeen:
    """All statements of the window; the most expensive and the most frequent are listed."""

    statements: tuple[StatementSeen, ...]
    """The most expensive first."""
    run_ms: float
    """Milliseconds of all statements, listed or not."""
    unlisted: int
    """The number of statements called but not listed."""
    evicted: int
    """Entries that pg_stat_statements, being full, discarded meanwhile; their calls are lost."""

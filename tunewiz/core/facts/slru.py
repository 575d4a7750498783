"""The small caches in which a server keeps the state of transactions (pg_stat_slru)."""

from __future__ import annotations

from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class SlruCache:
    """One of them, since its statistics were reset."""

    name: str
    """As pg_stat_slru of PostgreSQL 17 and newer has it: `multixact_offset`, `subtransaction`."""
    hit: int
    """Pages that were found in it."""
    read: int
    """Pages that had to be read from disk."""

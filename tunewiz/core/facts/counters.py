"""What a server's newer views tell beside the counters that all majors have."""

from __future__ import annotations

from tunewiz.core.facts.log import SizeClass
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Counters:
    """Counts of one period: since the statistics were reset, or while the server was watched."""

    seconds: Fact[int] = NOT_LOOKED_FOR
    """How long was counted."""
    read_us: Fact[int] = NOT_LOOKED_FOR
    """Microseconds that sessions waited for pages, the page cache's among them (track_io_timing)."""
    read_calls: Fact[int] = NOT_LOOKED_FOR
    """Reads of one or more pages together, without those of large scans and of vacuum (18 and newer)."""
    read_call_bytes: Fact[int] = NOT_LOOKED_FOR
    """What these read."""
    read_call_us: Fact[int] = NOT_LOOKED_FOR
    """Microseconds that sessions waited for these (track_io_timing)."""
    session_ms: Fact[int] = NOT_LOOKED_FOR
    """Time of all sessions together, those that are still connected too (14 and newer)."""
    active_ms: Fact[int] = NOT_LOOKED_FOR
    """Of that, at work."""
    idle_in_transaction_ms: Fact[int] = NOT_LOOKED_FOR
    transaction_ids: Fact[int] = NOT_LOOKED_FOR
    """Ids that were given out; only of a watched time."""
    wal_bytes: Fact[int] = NOT_LOOKED_FOR
    """All WAL as pg_stat_wal counts it (14 and newer)."""
    full_pages: Fact[int] = NOT_LOOKED_FOR
    """Whole pages in the WAL (14 and newer)."""
    full_page_bytes: Fact[int] = NOT_LOOKED_FOR
    """As they stand in the WAL (19 and newer)."""
    wal_buffers_full: Fact[int] = NOT_LOOKED_FOR
    """Times that WAL was written because its buffers were full (14 and newer)."""
    lock_waits: Fact[int] = NOT_LOOKED_FOR
    """Waits for a lock that took longer than deadlock_timeout (19 and newer)."""
    lock_wait_ms: Fact[int] = NOT_LOOKED_FOR
    """Time that these took together (19 and newer)."""
    fast_path_exceeded: Fact[int] = NOT_LOOKED_FOR
    """Locks of tables and indexes that found no fast-path slot of their session left (19 and newer)."""
    wal_syncs: Fact[int] = NOT_LOOKED_FOR
    wal_sync_us: Fact[int] = NOT_LOOKED_FOR
    """Microseconds that they took (track_wal_io_timing)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sessions:
    """Client sessions by what they do, at one look; or the most of each at any look of several."""

    active: int
    idle: int
    idle_in_transaction: int
    waiting: int
    """For a lock of another session."""
    longest_idle_in_transaction: int
    """Seconds."""
    autovacuums: int
    longest_autovacuum: int
    """Seconds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Buffers:
    """What is in shared_buffers (pg_buffercache)."""

    pages: int
    used: int
    popular: int
    """Used three times or more since the last sweep of the clock passed them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleStatements:
    """What pg_stat_statements counted of one role, and what the role is."""

    role: str
    calls: int
    run_ms: int
    jit_ms: int
    spills: tuple[SizeClass, ...]
    """As of all roles."""
    is_superuser: bool
    can_log_in: bool
    connection_limit: int
    """-1 for none (pg_roles.rolconnlimit)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Statements:
    """What pg_stat_statements counted over all statements that it keeps."""

    calls: int
    run_ms: int
    jit_ms: int
    """Compiling of all kinds (15 and newer); 0 before."""
    spills: tuple[SizeClass, ...]
    """Calls by the mean size of what they wrote to temporary files, the smallest first."""
    roles: tuple[RoleStatements, ...] = ()
    """Of the ten that wrote most to temporary files, the first first."""

"""Numbers that a DBA may argue with; they are in profiles/workloads, profiles/risk and seen.toml."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from tunewiz.core.answers.answers import Posture, WorkloadKind
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes, Duration

Grounds = Literal["like", "well understood", "unlike"]
"""Measured on a system like this one; documented by its makers; measured on other systems only."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkloadPreset:
    """How a kind of workload uses a server."""

    kind: WorkloadKind
    title: str
    about: str
    caution: str
    """What the sources do not cover for this workload; empty if nothing."""
    shared_buffers: Fraction
    """Share of memory."""
    effective_cache: Fraction
    """Share of memory."""
    sorts_per_connection: int
    """Sorts and hashes that one connection runs at once, for the memory budget."""
    work_share: Fraction
    """Share of the remaining memory that sorts may take; the rest is page cache."""
    work_mem_cap: Bytes
    maintenance_share: Fraction
    """Share of memory for one maintenance command and all autovacuum workers together."""
    maintenance_cap: Bytes
    max_wal_size: Bytes
    checkpoint_timeout: Duration
    parallel_share: Fraction
    """Share of the cores that one query may use beside its own."""
    parallel_cap: int
    """The most that one query may use, however many cores there are."""
    statistics_target: int
    slow_statement: Duration
    """From this duration on a statement is worth a line in the log."""
    writes: bool
    """Whether writing is a large part of the work."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PosturePreset:
    """How much risk a posture accepts."""

    posture: Posture
    title: str
    about: str
    ticks: tuple[Grounds, ...]
    """What is enough to tick a proposal by default."""
    most_risk: Literal["low", "medium", "high"]
    """The highest risk of what is ticked by default."""
    system_share: Fraction
    """Share of memory that is left to the system and everything else."""
    system_floor: Bytes
    waiting_share: Fraction
    """Of the sessions beyond those that the processors serve well: the share counted as at work too."""
    wal_disk_share: Fraction
    """Share of the free space on the WAL's file system that max_wal_size may take."""
    recovery_share: Fraction
    """Share of the accepted recovery time that is counted on, at a rate of replay that is an assumption."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SeenPreset:
    """How much a server must have shown before its own numbers decide, and from where on they do."""

    checkpoint_time: Duration
    """Of timed checkpoints."""
    checkpoints: int
    rarely_forced: Fraction
    mostly_forced: Fraction
    """Of all checkpoints, as the one above."""
    wal: Bytes
    few_full_pages: Fraction
    """Of all WAL."""
    wal_time: Duration
    wal_buffers_full: int
    """Times an hour."""
    transactions: int
    rare_spills: Fraction
    """Temporary files a transaction."""
    little_spilled: Bytes
    """In temporary files, a transaction."""
    temp_files: int
    most_files: Fraction
    in_memory: int
    """Times the size of a temporary file that the same rows take in memory."""
    pages: int
    nearly_all: Fraction
    """Of the pages that were needed."""
    few_reads: Fraction
    """Pages a transaction."""
    free_buffers: Fraction
    rows: int
    few_dead: Fraction
    """Of all rows."""
    many_dead: Fraction
    """Of the rows of one table."""
    long_autovacuum: Duration
    autovacuums: int
    """Runs in the log."""
    repeated_index_scans: Fraction
    """Of these runs."""
    maintenance_most: Fraction
    """Of memory."""
    freeze_soon: Duration
    session_time: Duration
    busy_days: int
    """Days whose busiest hour tells how many sessions work at once."""
    headroom: int
    """Times the most sessions that were seen at work."""
    long_idle: Duration
    waiting: Fraction
    """Of the sessions at work, for a lock."""
    lock_waits: int
    """Waits for locks, in the log or as the server counted them."""
    lock_wait_share: Fraction
    """Of the time at work of all sessions."""
    fast_path_exceeded: Fraction
    """Locks of a transaction, on average, without a slot of their session."""
    fast_read_us: int
    slow_read_us: int
    statements: int
    little_jit: Fraction
    much_jit: Fraction
    """Of the time of all statements, as the one above."""
    memory_time: Duration
    stalled: Fraction
    """Of that time, some task waited for memory."""
    swapped_in: int
    """Pages a second read back from swap."""
    processes: int

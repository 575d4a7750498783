"""What a probe measured: reads of a server's own files, syncs beside them, and the clock."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.facts.machine import StorageKind
from tunewiz.core.values.known import Fact, MaybeFact
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes

Reading = Literal["direct", "dropped"]
"""With O_DIRECT, past the page cache; or after it was told to forget the file (POSIX_FADV_DONTNEED)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reads:
    """Reads of one size, one after the other."""

    block: Bytes
    count: int
    median_us: float
    """Of single reads, in microseconds, from the call to its return."""
    p95_us: float
    p99_us: float
    bytes_a_second: Bytes
    """While it read: the pauses between are left out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SyncMethod:
    """One method of wal_sync_method, with one 8 kB write for each sync."""

    name: str
    """`fdatasync`, `open_datasync`, …"""
    each_us: float
    """Microseconds: the mean of pg_test_fsync's run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockReads:
    """What reading the clock costs (pg_test_timing)."""

    each_ns: float
    """Nanoseconds of one loop with its reading."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SpaceProbe:
    """The storage of a tablespace outside the data directory's file system."""

    directory: str
    random: Fact[Reads]
    """8 kB each, at random offsets."""
    sequential: Fact[Reads]
    storage: Fact[StorageKind]
    """The kind that the latency indicates; unknown if it fits several."""
    reading: Fact[Reading]


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """The storage of a server's data directory, measured within a budget of time."""

    seconds: int
    """The whole probe, with its pauses."""
    random: Fact[Reads]
    """8 kB each, at random offsets."""
    sequential: Fact[Reads]
    syncs: MaybeFact[tuple[SyncMethod, ...]]
    """Absent where pg_test_fsync is not installed."""
    clock: MaybeFact[ClockReads]
    """Absent where pg_test_timing is not installed."""
    storage: Fact[StorageKind]
    """The kind that the latency indicates; unknown if it fits several."""
    reading: Fact[Reading]
    tablespaces: tuple[SpaceProbe, ...] = ()
    """Tablespaces on other file systems: one for each."""

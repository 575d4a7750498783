"""What a PostgreSQL server's log told: counts and sizes, no texts."""

from __future__ import annotations

from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes

NOTHING = Bytes(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class SizeClass:
    """Temporary files of about one size."""

    at_most: Bytes
    """A power of two; the files are larger than half of it."""
    files: int


@dataclass(frozen=True, kw_only=True, slots=True)
class LogSeen:
    """Everything that was read from all files of a server's log."""

    files: int
    size: Bytes
    """Of the text, decompressed."""
    damaged: int
    """Messages that begin as they should and end otherwise: cut off, or overwritten."""
    temp_files: tuple[SizeClass, ...] = ()
    """The smallest first."""
    checkpoints_timed: int = 0
    checkpoints_by_wal: int = 0
    checkpoints_otherwise: int = 0
    """By hand, at a shutdown, for a base backup."""
    largest_distance: Bytes = NOTHING
    """The most WAL between the starts of two checkpoints (from 9.5 on)."""
    autovacuums: int = 0
    longest_autovacuum: int = 0
    """Seconds."""
    repeated_index_scans: int = 0
    """Autovacuum runs that scanned the indexes more than once: their dead rows did not fit in memory."""
    most_index_scans: int = 0
    """In one run."""
    lock_waits: int = 0
    """Sessions that waited for a lock longer than deadlock_timeout."""
    recoveries: int = 0
    replayed: Bytes = NOTHING
    """WAL that crash recoveries replayed, all together."""
    replay_seconds: float = 0.0

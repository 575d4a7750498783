"""What a server keeps for those who read its WAL: replication slots, the archive, queries on a standby."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes

SlotKind = Literal["physical", "logical"]
WalStatus = Literal["", "reserved", "extended", "unreserved", "lost"]
"""As pg_replication_slots has it; empty before PostgreSQL 13, and where nothing was ever read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Slot:
    """One replication slot."""

    name: str
    kind: SlotKind
    active: bool
    """Whether somebody reads it."""
    held: Bytes
    """WAL between what its reader needs and the server's position; nothing where it needs none."""
    status: WalStatus
    age: int
    """Transactions whose dead rows it keeps from vacuum; 0 for a slot that keeps none."""
    spills: Fact[int] = NOT_LOOKED_FOR
    """Transactions that logical decoding wrote to disk (14 and newer)."""
    spilled: Fact[Bytes] = NOT_LOOKED_FOR
    """What they held."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Conflicts:
    """Queries that a standby cancelled since its statistics were reset, by what they stood in the way of."""

    snapshot: int
    """The removal of rows that they still saw: what hot_standby_feedback prevents."""
    lock: int
    """A lock that the primary took: DDL, or vacuum cutting off the end of a table."""
    bufferpin: int
    tablespace: int
    deadlock: int

    @property
    def others(self) -> int:
        """Those that hot_standby_feedback does not prevent."""
        return self.lock + self.bufferpin + self.tablespace + self.deadlock


@dataclass(frozen=True, kw_only=True, slots=True)
class Replication:
    """All slots, and how archiving and replay went since the statistics were reset."""

    slots: tuple[Slot, ...]
    archive_failures: int
    archive_failing: bool
    """Whether the newest try failed."""
    archive_behind: Fact[Bytes]
    """WAL after the last segment that was archived, the one being written among it."""
    cancelled: int
    """Queries cancelled because they stood in the way of replay, on a standby."""
    conflicts: Fact[Conflicts] = NOT_LOOKED_FOR
    """The same by kind."""
    standbys: Fact[int] = NOT_LOOKED_FOR
    """Servers that are connected and replay its WAL: no backups, no archivers, no subscribers."""

"""What a server keeps for those who read its WAL: replication slots, the archive, queries on a standby."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tunewiz.core.values.known import Fact
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

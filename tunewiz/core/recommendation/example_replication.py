"""What worked examples say of slots and of queries that a standby cancelled."""

from __future__ import annotations

from tunewiz.core.facts.replication import Conflicts, Replication, Slot, SlotKind
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.units import Bytes

_HOW = "example"
_NO_STANDBY = Unknown("no standby")


def with_slots(*slots: Slot) -> Fact[Replication]:
    """A primary that archives nothing, with these slots."""
    return Known(_replication(slots, 0), _HOW)


def read_slot(name: str, kind: SlotKind = "physical", *, active: bool = True) -> Slot:
    """A slot that holds nothing back."""
    return Slot(name=name, kind=kind, active=active, held=Bytes(0), status="reserved", age=0)


def spilling_slot(*, spills: int, spilled: str) -> Slot:
    """A slot of logical decoding that wrote so many transactions, of so much in all, to disk."""
    return Slot(
        name="changes",
        kind="logical",
        active=True,
        held=Bytes(0),
        status="reserved",
        age=0,
        spills=Known(spills, _HOW),
        spilled=Known(Bytes.parse(spilled), _HOW),
    )


def cancelling(*, snapshot: int = 0, lock: int = 0) -> Fact[Replication]:
    """A standby that cancelled so many queries."""
    kinds = Conflicts(snapshot=snapshot, lock=lock, bufferpin=0, tablespace=0, deadlock=0)
    return Known(_replication((), snapshot + lock, Known(kinds, _HOW)), _HOW)


def _replication(
    slots: tuple[Slot, ...], cancelled: int, conflicts: Fact[Conflicts] = _NO_STANDBY
) -> Replication:
    return Replication(
        slots=slots,
        archive_failures=0,
        archive_failing=False,
        archive_behind=Unknown("no segment was archived last"),
        cancelled=cancelled,
        conflicts=conflicts,
    )

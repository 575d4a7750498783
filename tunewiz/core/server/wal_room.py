"""The room for WAL on its file system, which bounds everything that keeps WAL."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.server.replication import replication, slots
from tunewiz.core.values.known import Known, MissingFact
from tunewiz.core.values.units import Bytes

USABLE = Fraction(3, 4)
"""Of the room: max_wal_size is a soft limit, and a busy checkpoint lets more accumulate. An assumption."""


def wal_room(situation: Situation) -> Bytes | None:
    """All of a file system for WAL alone, else what is free beside the data; None if it is unknown."""
    try:
        storage = situation.storage_for("wal")
    except MissingFact:
        return None
    room = storage.total if storage.roles == ("wal",) else storage.free
    return room.value if isinstance(room, Known) else None


def beyond_wal_room(situation: Situation, size: Bytes) -> str:
    """Why so much WAL is too much for its file system; empty if there is room, or it is unknown."""
    room = wal_room(situation)
    if room is None or size <= room * USABLE:
        return ""
    return f"{size.short()} of WAL may accumulate in {room.short()} of room for it"


def growing_wal(situation: Situation) -> str:
    """Why more WAL must wait; empty if nothing is held back, or there is more room than that."""
    try:
        free = situation.storage_for("wal").free
    except MissingFact:
        return ""
    if not isinstance(free, Known):
        return ""
    for held, why in _held_back(situation):
        if held >= free.value:
            return f"{why} holds back {held.short()} of WAL, more than the {free.value.short()} that are free"
    return ""


def _held_back(situation: Situation) -> Iterator[tuple[Bytes, str]]:
    for slot in slots(situation):
        if not slot.active:
            yield slot.held, f"the replication slot {slot.name}"
    for read in replication(situation):
        failing = read.archive_failing and situation.will_be("archive_mode") != "off"
        if failing and isinstance(read.archive_behind, Known):
            yield read.archive_behind.value, "the archive that fails"


def _growing_told(situation: Situation) -> Iterator[Seen]:
    if growing := growing_wal(situation):
        yield Seen(words=growing)


GROWING = Witness(of="WAL that nobody takes away", look=_growing_told)

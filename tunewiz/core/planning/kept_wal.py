"""Warnings of WAL that is kept for a reader who does not come, and of an archive that does not take it."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.replication import Replication, Slot
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.replication import kept_for_standbys, limit_of_slots, replication, slots
from tunewiz.core.server.wal_room import wal_room
from tunewiz.core.values.identifiers import literal
from tunewiz.core.values.known import Known, MissingFact, needed
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes

OLD = 10_000_000
"""Transactions: a slot that keeps dead rows for longer shows as bloat."""


def kept_wal(situation: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of each warning."""
    for observation in replication(situation):
        for slot in observation.slots:
            yield from _of_slot(slot, situation)
        yield from _of_archive(observation, situation)
    yield from _of_limits(situation)


def _of_slot(slot: Slot, situation: Situation) -> Iterator[tuple[str, str]]:
    drop = f"SELECT pg_drop_replication_slot({literal(slot.name)});"
    if slot.status == "lost":
        text = (
            f"WAL that the reader of the replication slot {slot.name} needs is gone: build the reader anew, "
            f"and drop the slot ({drop})"
        )
        yield "slot_lost", text
    elif not slot.active:
        text = (
            f"Nobody was reading the replication slot {slot.name}: it holds back {slot.held.short()} of WAL"
            f"{_free(situation)}{_of_vacuum(slot)}. When the disk is full, the server "
            f"stops. If its reader is gone "
            f"for good: {drop}"
        )
        yield "slot_idle", text
    elif slot.age >= OLD:
        text = (
            f"The reader of the replication slot {slot.name} is far behind{_of_vacuum(slot)}: tables bloat."
        )
        yield "slot_holds_vacuum", text


def _of_limits(situation: Situation) -> Iterator[tuple[str, str]]:
    """Settings that may keep more WAL than the disk holds, in addition to max_wal_size."""
    try:
        storage = situation.storage_for("wal")
    except MissingFact:
        return
    wal = situation.will_be_size("max_wal_size")
    kept = kept_for_standbys(situation)
    if kept and isinstance(storage.total, Known) and kept + wal > storage.total.value:
        text = (
            f"{kept.short()} of WAL would be kept for standbys, and up to {wal.short()} for checkpoints: "
            f"the file system for WAL has only {storage.total.value.short()} and would fill up."
        )
        yield "wal_kept_beyond_disk", text
    limit = limit_of_slots(situation)
    held = max((slot.held for slot in slots(situation)), default=Bytes(0))
    if limit and isinstance(storage.free, Known) and limit > held + storage.free.value:
        text = (
            f"Replication slots may hold back {limit.short()}, and {storage.free.value.short()} is free for "
            "WAL: the disk fills up and the server stops before max_slot_wal_keep_size drops a slot's WAL."
        )
        yield "slot_limit_beyond_disk", text


def _of_vacuum(slot: Slot) -> str:
    return f", and from vacuum the dead rows of {slot.age:,} transactions" if slot.age >= OLD else ""


def _free(situation: Situation) -> str:
    try:
        free = needed(situation.storage_for("wal").free, "the free space for WAL")
    except MissingFact:
        return ""
    return f" ({free.short()} free beside it)"


def _of_archive(observation: Replication, situation: Situation) -> Iterator[tuple[str, str]]:
    if situation.will_be("archive_mode") == "off":
        return
    if observation.archive_failing:
        text = (
            f"Archiving fails ({how_many(observation.archive_failures, 'failure')} counted): WAL stays"
            f"{_waiting(observation)}{_free(situation)} until it is archived. The server's "
            f"log tells why: mend this first."
        )
        yield "archiving_fails", text
    elif isinstance(observation.archive_behind, Known) and observation.archive_behind.value > _usual(
        situation
    ):
        text = (
            f"The archive is {observation.archive_behind.value.short()} of WAL "
            f"behind{_free(situation)}: archiving is "
            "slower than writing, and a bulk load would fill the disk."
        )
        yield "archiving_slow", text


def _usual(situation: Situation) -> Bytes:
    """As much WAL as the server writes between two checkpoints anyway, or half of the room for it."""
    room, usual = wal_room(situation), situation.will_be_size("max_wal_size")
    return usual if room is None else min(usual, room // 2)


def _waiting(observation: Replication) -> str:
    match observation.archive_behind:
        case Known(value=behind):
            return f", {behind.short()} so far"
        case _:
            return ""

"""What this server keeps for those who read its WAL, as it was seen."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.replication import Conflicts, Replication, Slot
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes


def replication(situation: Situation) -> Iterator[Replication]:
    """What was read; nothing if the server was not asked."""
    match situation.server:
        case PostgresServer(replication=Known(value=observation)):
            yield observation
        case _:
            pass


def slots(situation: Situation) -> tuple[Slot, ...]:
    """Those that still hold WAL back or could; a lost one holds none. The one that holds most is first."""
    result = [
        slot for observation in replication(situation) for slot in observation.slots if slot.status != "lost"
    ]
    return tuple(sorted(result, key=lambda slot: (-slot.held.count, slot.name)))


def conflicts(situation: Situation) -> Iterator[Conflicts]:
    """The queries that this standby cancelled, by kind of conflict; nothing if that was not counted."""
    for observation in replication(situation):
        if isinstance(observation.conflicts, Known):
            yield observation.conflicts.value


def logical_slots(situation: Situation) -> tuple[Slot, ...]:
    """Slots for logical decoding."""
    return tuple(slot for slot in slots(situation) if slot.kind == "logical")


def spilled(situation: Situation) -> Iterator[tuple[int, Bytes]]:
    """Transactions that decoding wrote to disk, and their size; nothing if that was not counted."""
    counted = [
        (slot.spills.value, slot.spilled.value)
        for slot in logical_slots(situation)
        if isinstance(slot.spills, Known) and isinstance(slot.spilled, Known)
    ]
    if counted and len(counted) == len(logical_slots(situation)):
        yield sum(count for count, _ in counted), sum((size for _, size in counted), Bytes(0))


def standbys_with_slots(situation: Situation) -> int:
    """Standbys that currently read a slot of their own."""
    return sum(slot.active and slot.kind == "physical" for slot in slots(situation))


def standbys(situation: Situation) -> int:
    """Servers that follow this one: as answered, or as many as anything shows where that is more."""
    connected = [known_or(read.standbys, 0) for read in replication(situation)]
    named = 1 if synchronous_names(situation) else 0
    return max(situation.answers.server.replicas, standbys_with_slots(situation), named, *connected)


def signs_of_standbys(situation: Situation) -> Iterator[str]:
    """What shows that standbys follow this server, beside the answers."""
    if count := standbys_with_slots(situation):
        yield f"{how_many(count, 'active physical replication slot')}"
    for read in replication(situation):
        if connected := known_or(read.standbys, 0):
            yield f"{connected} connected in pg_stat_replication"
    if names := synchronous_names(situation):
        yield f"synchronous_standby_names = {names}"


def synchronous_names(situation: Situation) -> str:
    """The standbys that commits wait for, as the server has them; empty if there are none."""
    return known_or(situation.setting("synchronous_standby_names"), "")


def kept_for_standbys(situation: Situation) -> Bytes:
    """WAL that stays for standbys without a slot."""
    if situation.settings.has("wal_keep_size"):
        return situation.will_be_size("wal_keep_size")
    return situation.will_be_size("wal_segment_size") * int(situation.will_be("wal_keep_segments"))


def limit_of_slots(situation: Situation) -> Bytes:
    """What slots may hold back; nothing where there is no limit."""
    name = "max_slot_wal_keep_size"
    if not situation.settings.has(name) or situation.will_be(name) == "-1":
        return Bytes(0)
    return situation.will_be_size(name)

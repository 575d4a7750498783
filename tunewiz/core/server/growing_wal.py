"""WAL that nobody takes away and that already fills as much as is left: nothing may add to it."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.replication import replication, slots
from tunewiz.core.values.known import Known, MissingFact
from tunewiz.core.values.units import Bytes


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

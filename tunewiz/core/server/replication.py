"""What this server keeps for those who read its WAL, as it was seen."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.replication import Replication, Slot
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known


def replication(now: Situation) -> Iterator[Replication]:
    """What was read; nothing if the server was not asked."""
    match now.server:
        case PostgresServer(replication=Known(value=seen)):
            yield seen
        case _:
            pass


def slots(now: Situation) -> tuple[Slot, ...]:
    """Those that still hold WAL back or could; a lost one holds none. The one that holds most is first."""
    found = [slot for seen in replication(now) for slot in seen.slots if slot.status != "lost"]
    return tuple(sorted(found, key=lambda slot: (-slot.held.count, slot.name)))

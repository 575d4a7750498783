"""How many processes a server may have at once."""

from __future__ import annotations

from typing import Final

from tunewiz.core.recommendation.situation import Situation

AUXILIARY: Final = 8
"""Checkpointer, writers, archiver, logger, startup … (NUM_AUXILIARY_PROCS: 5 to 8; the rest by settings)."""
_SLOTS = ("max_connections", "max_worker_processes", "max_wal_senders")


def processes_of(situation: Situation) -> int:
    """Sessions, workers and those of the server itself, after the plan."""
    return AUXILIARY + sum(int(situation.will_be(name)) for name in (*_SLOTS, slots_of_autovacuum(situation)))


def slots_of_autovacuum(situation: Situation) -> str:
    """The setting that keeps room for its workers: from 18 on apart from how many may run."""
    slots = "autovacuum_worker_slots"
    return slots if situation.settings.has(slots) else "autovacuum_max_workers"

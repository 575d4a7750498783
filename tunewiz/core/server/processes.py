"""How many processes a server may have at once."""

from __future__ import annotations

from typing import Final

from tunewiz.core.recommendation.situation import Situation

AUXILIARY: Final = 8
"""Checkpointer, writers, archiver, logger, startup … (NUM_AUXILIARY_PROCS: 5 to 8; the rest by settings)."""
_SLOTS = ("max_connections", "autovacuum_max_workers", "max_worker_processes", "max_wal_senders")


def processes_of(now: Situation) -> int:
    """Sessions, workers and those of the server itself, after the plan."""
    return AUXILIARY + sum(int(now.will_be(name)) for name in _SLOTS if now.settings.has(name))

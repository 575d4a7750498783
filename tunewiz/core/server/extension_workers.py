"""Background workers of extensions: they take slots of max_worker_processes from parallel queries."""

from __future__ import annotations

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.preload_libraries import SETTING, libraries_in
from tunewiz.core.values.known import known_or
from tunewiz.core.values.record import dataclass

TIMESCALEDB, CITUS = "timescaledb", "citus"
TIMESCALEDB_WORKERS = 16
"""timescaledb.max_background_workers by default (TimescaleDB's documentation, configuration)."""
CITUS_WORKERS = 5
"""The maintenance daemon of a database, and citus.max_background_task_executors of 4 by default."""
OWN_SLOTS = 3
"""TimescaleDB's documentation adds three: for the launcher and two beside it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExtensionWorkers:
    """What loaded extensions add to the parallel workers."""

    count: int
    words: str
    """As a sum: `3 + 16 of TimescaleDB`; empty if none is loaded."""


def extension_workers(situation: Situation) -> ExtensionWorkers:
    """The workers of the extensions that the server loads at its start."""
    loaded = loaded_libraries(situation)
    parts = list[tuple[int, str]]()
    if TIMESCALEDB in loaded:
        own = _own_setting(situation, "timescaledb.max_background_workers", TIMESCALEDB_WORKERS)
        parts.append((OWN_SLOTS + own, f"{OWN_SLOTS} + {own} of TimescaleDB"))
    if CITUS in loaded:
        parts.append((CITUS_WORKERS, f"{CITUS_WORKERS} of Citus"))
    return ExtensionWorkers(
        count=sum(count for count, _ in parts), words=" + ".join(words for _, words in parts)
    )


def loaded_libraries(situation: Situation) -> tuple[str, ...]:
    """The names in shared_preload_libraries; none if they are unknown."""
    return libraries_in(known_or(situation.setting(SETTING), ""))


def _own_setting(situation: Situation, name: str, default: int) -> int:
    """A whole number that the extension defines itself."""
    setting = situation.live_settings.get(name)
    is_number = setting is not None and setting.value.isascii() and setting.value.isdigit()
    return int(setting.value) if setting is not None and is_number else default

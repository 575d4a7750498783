"""What loaded extensions take: background workers, which parallel queries then lack, and shared memory."""

from __future__ import annotations

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.preload_libraries import SETTING, libraries_in
from tunewiz.core.values.known import known_or
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import MIB, Bytes

TIMESCALEDB, CITUS, CRON, SQUEEZE, PARTMAN = "timescaledb", "citus", "pg_cron", "pg_squeeze", "pg_partman_bgw"
TIMESCALEDB_WORKERS = 16
"""timescaledb.max_background_workers by default (TimescaleDB's documentation, configuration)."""
CITUS_WORKERS = 5
"""The maintenance daemon of a database, and citus.max_background_task_executors of 4 by default."""
OWN_SLOTS = 3
"""TimescaleDB's documentation adds three: for the launcher and two beside it, replication's among them."""
CRON_JOBS = 32
"""cron.max_running_jobs by default (pg_cron 1.6.7)."""
SQUEEZE_WORKERS = 1
"""squeeze.workers_per_database by default, beside a scheduler (pg_squeeze's README)."""
PARTMAN_WORKERS = 2
"""The master, and one for the database in turn (pg_partman's src/pg_partman_bgw.c)."""

MONITOR = "pg_stat_monitor"
MONITOR_MEMORY, MONITOR_TEXTS = 256, 20
"""MiB: pgsm_max and pgsm_query_shared_buffer by default (pg_stat_monitor 2, guc.c)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Beside:
    """What counts within max_worker_processes beside the parallel workers."""

    count: int
    words: str
    """As a sum: `3 + 16 of TimescaleDB`; empty where there are none."""


def extension_workers(situation: Situation) -> Beside:
    """The workers of the extensions that the server loads at its start; pg_squeeze's in one database."""
    loaded = loaded_libraries(situation)
    parts = list[tuple[int, str]]()
    if TIMESCALEDB in loaded:
        own = _own_number(situation, "timescaledb.max_background_workers", TIMESCALEDB_WORKERS)
        parts.append((OWN_SLOTS + own, f"{OWN_SLOTS} + {own} of TimescaleDB"))
    if CITUS in loaded:
        parts.append((CITUS_WORKERS, f"{CITUS_WORKERS} of Citus"))
    if CRON in loaded:
        workers = 1 + _cron_jobs(situation)
        parts.append((workers, f"{workers} of {CRON}"))
    if SQUEEZE in loaded:
        workers = 1 + _own_number(situation, "squeeze.workers_per_database", SQUEEZE_WORKERS)
        parts.append((workers, f"{workers} of {SQUEEZE}"))
    if PARTMAN in loaded:
        parts.append((PARTMAN_WORKERS, f"{PARTMAN_WORKERS} of {PARTMAN}"))
    return _sum_of(parts)


def beside_parallel(situation: Situation) -> Beside:
    """The same with the workers of logical replication, where TimescaleDB's own sum has no room for them."""
    extensions = extension_workers(situation)
    if TIMESCALEDB in loaded_libraries(situation):
        return extensions
    replication = int(situation.will_be("max_logical_replication_workers"))
    parts = [(extensions.count, extensions.words)] if extensions.words else []
    return _sum_of([*parts, (replication, f"{replication} for logical replication")])


def _sum_of(parts: list[tuple[int, str]]) -> Beside:
    return Beside(count=sum(count for count, _ in parts), words=" + ".join(summand for _, summand in parts))


def _cron_jobs(situation: Situation) -> int:
    """Jobs that are workers: by default each is a client's connection."""
    setting = situation.live_settings.get("cron.use_background_workers")
    is_on = setting is not None and setting.value == "on"
    return _own_number(situation, "cron.max_running_jobs", CRON_JOBS) if is_on else 0


def extension_memory(situation: Situation) -> Bytes:
    """Shared memory of pg_stat_monitor, where the server loads it."""
    if MONITOR not in loaded_libraries(situation):
        return Bytes(0)
    entries = _own_number(situation, f"{MONITOR}.pgsm_max", MONITOR_MEMORY)
    texts = _own_number(situation, f"{MONITOR}.pgsm_query_shared_buffer", MONITOR_TEXTS)
    return Bytes((entries + texts) * MIB)


def loaded_libraries(situation: Situation) -> tuple[str, ...]:
    """The names in shared_preload_libraries; none if they are unknown."""
    return libraries_in(known_or(situation.setting(SETTING), ""))


def _own_number(situation: Situation, name: str, default: int) -> int:
    """A whole number that the extension defines itself."""
    setting = situation.live_settings.get(name)
    is_number = setting is not None and setting.value.isascii() and setting.value.isdigit()
    return int(setting.value) if setting is not None and is_number else default

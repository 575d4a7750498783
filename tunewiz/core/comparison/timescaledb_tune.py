"""timescaledb-tune's arithmetic, told from its published rules (profiles/peers/timescaledb-tune.toml)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.core.comparison.peer import PeerMachine
from tunewiz.core.values.units import GIB, KIB, MIB, TIB, Bytes
from tunewiz.core.values.versions import V10, V12, V13, V14, V96

_MOST_MAINTENANCE = 2047 * MIB
_WORK_PER_GIB = 400 * MIB
"""Divided by connections and by half the processors."""
_LEAST_WORK = 64 * KIB
_WAL_BUFFERS_PER_GIB = 7864 * KIB
"""Below 2 GiB of memory."""
_BACKGROUND_WORKERS = 16
_BUILT_IN_PROCESSES = 3
_FEWEST_CONNECTIONS = 25
"""It accepts no fewer."""
_LOCKS = ((32, "1024"), (16, "512"), (8, "256"))
"""max_locks_per_transaction from this many GiB of memory on."""


def timescaledb_tune(machine: PeerMachine) -> Mapping[str, str]:
    """Its settings as it writes them, without those of the extension itself."""
    sizes = {name: _written(size) for name, size in _sizes(machine)}
    return {**sizes, **dict(_others(machine)), **dict(_parallel(machine))}


def _sizes(machine: PeerMachine) -> Iterator[tuple[str, int]]:
    memory = machine.memory.count
    gigabytes = memory / GIB
    yield "shared_buffers", memory // 4
    yield "effective_cache_size", memory * 3 // 4
    yield "maintenance_work_mem", int(min(gigabytes * 128 * MIB, _MOST_MAINTENANCE))
    share = gigabytes * (_WORK_PER_GIB / _connections(machine)) / _half(machine.processors)
    yield "work_mem", max(int(share), _LEAST_WORK)
    yield "wal_buffers", int(gigabytes * _WAL_BUFFERS_PER_GIB) if memory < 2 * GIB else 16 * MIB
    yield "min_wal_size", 512 * MIB
    yield "max_wal_size", GIB


def _others(machine: PeerMachine) -> Iterator[tuple[str, str]]:
    yield "max_connections", f"{_connections(machine)}"
    yield "checkpoint_completion_target", "0.9"
    yield "default_statistics_target", "100"
    yield "random_page_cost", "1.1"
    yield "effective_io_concurrency", "256" if machine.major >= V13 else "200"
    yield "autovacuum_max_workers", "10"
    yield "autovacuum_naptime", "10"
    locks = next((locks for least, locks in _LOCKS if machine.memory >= Bytes(least * GIB)), "128")
    yield "max_locks_per_transaction", locks
    if machine.major >= V14:
        yield "default_toast_compression", "lz4"
    if machine.major >= V12:
        yield "jit", "off"


def _parallel(machine: PeerMachine) -> Iterator[tuple[str, str]]:
    if machine.processors == 1:
        return
    yield "max_worker_processes", f"{_BUILT_IN_PROCESSES + _BACKGROUND_WORKERS + machine.processors}"
    if machine.major >= V96:
        yield "max_parallel_workers_per_gather", f"{_half(machine.processors)}"
    if machine.major >= V10:
        yield "max_parallel_workers", f"{machine.processors}"


def _connections(machine: PeerMachine) -> int:
    return max(machine.connections, _FEWEST_CONNECTIONS)


def _half(processors: int) -> int:
    """Rounded up."""
    return (processors + 1) // 2


def _written(size: int) -> str:
    """Whole units: a size that is not a whole number of its largest unit is cut to the next smaller one."""
    units = (("TB", TIB), ("GB", GIB), ("MB", MIB), ("kB", KIB))
    place = next((place for place, (_, factor) in enumerate(units) if size >= factor), len(units) - 1)
    name, factor = units[place]
    if name == "kB":
        return f"{max(1, round(size / KIB))}kB"
    if size / factor - size // factor > 0.001:  # noqa: PLR2004 - its own idea of whole
        name, factor = units[place + 1]
    return f"{size // factor}{name}"

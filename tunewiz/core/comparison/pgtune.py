"""pgtune's arithmetic for Linux, told from its published rules (profiles/peers/pgtune.toml).

Sizes are in kB, as there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil, floor
from types import MappingProxyType

from tunewiz.core.comparison.peer import PeerMachine
from tunewiz.core.values.units import GIB, KIB, MIB, Bytes
from tunewiz.core.values.versions import V10, V11, V12, V15, V18, V96

_MB, _GB = MIB // KIB, GIB // KIB
_WAL = MappingProxyType({"oltp": (2, 8), "read_mostly": (1, 4), "mixed": (1, 4), "analytics": (4, 16)})
"""min_wal_size and max_wal_size in GB."""
_IO = MappingProxyType({"hdd": 2, "ssd": 200, "san": 300, "nvme": 1000})
_FEWEST_PROCESSORS = 4
"""Below these it sets nothing about parallelism."""
_USUAL_WORKERS = 8
"""PostgreSQL's default of max_worker_processes."""
_MOST_GATHERING = 4
_WORKERS_BY_PROCESSORS = ((32, 5), (16, 4))
"""autovacuum_max_workers from this many processors on."""
_MUCH_LARGER = 3
"""Databases that are more than this many times as large as memory."""


def pgtune(machine: PeerMachine) -> Mapping[str, str]:
    """Its settings as it writes them."""
    sizes = {name: Bytes(kilobytes * KIB).pg() for name, kilobytes in _sizes(machine)}
    return {**sizes, **dict(_others(machine)), **dict(_parallel(machine))}


def _sizes(machine: PeerMachine) -> Iterator[tuple[str, int]]:
    memory = machine.memory.count // KIB
    buffers = memory // 4
    maintenance = min(memory // (8 if machine.workload == "analytics" else 16), 8 * _GB)
    smallest, largest = _WAL[machine.workload]
    yield "shared_buffers", buffers
    yield "effective_cache_size", memory * 3 // 4
    yield "maintenance_work_mem", maintenance
    if maintenance >= 2 * _GB:
        yield "autovacuum_work_mem", 2 * _GB
    yield "wal_buffers", _wal_buffers(buffers)
    yield "min_wal_size", smallest * _GB
    yield "max_wal_size", largest * _GB
    yield "work_mem", _work_mem(machine, memory - buffers)


def _wal_buffers(buffers: int) -> int:
    """3 % of the buffers, at most 16 MB, and all of these when nearly so."""
    share = buffers * 3 // 100
    return 16 * _MB if share > 14 * _MB else max(32, share)


def _work_mem(machine: PeerMachine, rest: int) -> int:
    workers = machine.processors if machine.processors >= _FEWEST_PROCESSORS else _USUAL_WORKERS
    share = rest / ((machine.connections + workers) * 3)
    result = floor(share / (2 if machine.workload in ("mixed", "analytics") else 1))
    if machine.database_size < machine.memory:
        result = floor(result * 1.3)
    elif machine.database_size > machine.memory * _MUCH_LARGER:
        result = floor(result * 0.9)
    return max(result, 4 * _MB)


def _others(machine: PeerMachine) -> Iterator[tuple[str, str]]:
    analytics, fits = machine.workload == "analytics", machine.database_size < machine.memory
    dear = not fits and (machine.storage == "hdd" or analytics)
    yield "max_connections", f"{machine.connections}"
    yield "huge_pages", "try" if machine.memory.count // KIB // 4 >= 2 * _GB else "off"
    yield "checkpoint_completion_target", "0.9"
    yield "default_statistics_target", "500" if analytics else "100"
    yield "random_page_cost", "4" if dear else "1.1"
    yield "effective_io_concurrency", f"{_IO[machine.storage]}"
    if machine.major >= V12 and not analytics:
        yield "jit", "off"
    if machine.major >= V10:
        yield "wal_compression", "lz4" if machine.major >= V15 else "on"
    for processors, workers in _WORKERS_BY_PROCESSORS:
        if machine.processors >= processors:
            yield "autovacuum_max_workers", f"{workers}"
            break
    if machine.major >= V18:
        yield "io_method", "io_uring"


def _parallel(machine: PeerMachine) -> Iterator[tuple[str, str]]:
    if machine.processors < _FEWEST_PROCESSORS:
        return
    half = ceil(machine.processors / 2)
    yield "max_worker_processes", f"{machine.processors}"
    gather = half if machine.workload == "analytics" else min(half, _MOST_GATHERING)
    if machine.major >= V96:
        yield "max_parallel_workers_per_gather", f"{gather}"
    if machine.major >= V10:
        yield "max_parallel_workers", f"{machine.processors}"
    if machine.major >= V11:
        yield "max_parallel_maintenance_workers", f"{min(half, _MOST_GATHERING)}"

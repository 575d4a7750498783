"""pgconfig's arithmetic for Linux, told from its published rules (profiles/peers/pgconfig.toml)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil, floor
from types import MappingProxyType

from tunewiz.core.comparison.peer import PeerMachine
from tunewiz.core.values.units import GIB, KIB, MIB, TIB, Bytes
from tunewiz.core.values.versions import V10, V13, V18, V96

_WORK = MappingProxyType({"oltp": 35, "read_mostly": 25, "mixed": 20, "analytics": 50})
"""Percent of memory for work_mem over all connections."""
_IO = MappingProxyType({"hdd": 2, "ssd": 200, "san": 300, "nvme": 200})
"""It has no word for NVMe: a person would say SSD."""
_WORKERS = MappingProxyType({"oltp": 30, "read_mostly": 20, "mixed": 25, "analytics": 40})
"""Percent of the processors for io_workers; 10 more on spinning disks."""
_IN_FLIGHT = MappingProxyType({"oltp": "128", "analytics": "256"})
_LARGEST_BUFFERS_OF_96 = Bytes(512 * MIB)


def pgconfig(machine: PeerMachine) -> Mapping[str, str]:
    """Its settings as it writes them."""
    return {
        **{name: _written(size) for name, size in _sizes(machine)},
        **dict(_others(machine)),
        **dict(_input_and_output(machine)),
    }


def _sizes(machine: PeerMachine) -> Iterator[tuple[str, Fraction]]:
    memory = Fraction(machine.memory.count, 2 if machine.workload == "mixed" else 1)
    buffers = memory / 4
    if machine.major <= V96:
        buffers = min(buffers, Fraction(_LARGEST_BUFFERS_OF_96.count))
    yield "shared_buffers", buffers
    yield "effective_cache_size", memory * 3 / 4
    yield "work_mem", memory * _WORK[machine.workload] / 100 / machine.connections
    yield "maintenance_work_mem", memory / 20
    yield "min_wal_size", Fraction(2 * GIB)
    yield "max_wal_size", Fraction(3 * GIB)


def _others(machine: PeerMachine) -> Iterator[tuple[str, str]]:
    yield "listen_addresses", "*"
    yield "max_connections", f"{machine.connections}"
    yield "checkpoint_completion_target", "0.9"
    yield "wal_buffers", "-1"
    yield "random_page_cost", "4" if machine.storage == "hdd" else "1.1"
    yield "effective_io_concurrency", f"{_IO[machine.storage]}"
    if machine.major >= V13:
        yield "maintenance_io_concurrency", f"{_IO[machine.storage]}"
    yield "max_worker_processes", "8"
    if machine.major >= V96:
        yield "max_parallel_workers_per_gather", "2"
    if machine.major >= V10:
        yield "max_parallel_workers", "2"


def _input_and_output(machine: PeerMachine) -> Iterator[tuple[str, str]]:
    if machine.major < V18:
        return
    percent = _WORKERS[machine.workload] + (10 if machine.storage == "hdd" else 0)
    workers = max(2, ceil(Fraction(machine.processors * percent, 100)))
    yield "io_method", "worker"
    yield "io_workers", f"{min(workers, machine.processors)}"
    yield "io_max_combine_limit", "128" if machine.workload == "analytics" else "16"
    yield "io_max_concurrency", _IN_FLIGHT.get(machine.workload, "64")
    yield "file_copy_method", "copy"


def _written(size: Fraction) -> str:
    """Whole numbers of the largest unit, rounded: 3.2 GB becomes 3GB."""
    for name, factor in (("TB", TIB), ("GB", GIB), ("MB", MIB), ("kB", KIB)):
        if size >= factor:
            return f"{floor(size / factor + Fraction(1, 2))}{name}"
    return f"{floor(size)}B"

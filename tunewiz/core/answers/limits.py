"""Limits of what facts and answers can be: a file outside of them is wrong, however well-formed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.bounds import (
    MAX_COUNT,
    ImpossibleValue,
    count_outside,
    known_count_outside,
    known_size_outside,
    no_power_of_two,
    size_outside,
)
from tunewiz.core.answers.probe_limits import impossible_probe
from tunewiz.core.answers.work_limits import impossible_meanwhile, impossible_strain, impossible_work
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import Cpu, Limits, Memory, MemoryNode, Storage
from tunewiz.core.facts.replication import Replication
from tunewiz.core.facts.server import Activity, Curve, PostgresServer, Window
from tunewiz.core.facts.statistics import of_activity, of_window
from tunewiz.core.facts.tables import DatabaseTables
from tunewiz.core.values.known import Fact, Known, known_or
from tunewiz.core.values.units import GIB, KIB, MIB, TIB, Bytes, Duration
from tunewiz.core.values.versions import SUPPORTED, Major, MajorError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_PROCESSORS = 8192
"""The largest NR_CPUS in Linux (arch/x86/Kconfig; other architectures have less)."""
MAX_NODES = 1024
"""NUMA nodes: CONFIG_NODES_SHIFT is at most 10."""
MAX_CONNECTIONS = 262_143
"""MAX_BACKENDS: the largest max_connections that any server accepts."""
MAX_MEMORY = Bytes(4096 * TIB)
"""More than four-level page tables of x86_64 and other architectures can address."""
MAX_DISK = Bytes(8 * 1024 * 1024 * TIB)
"""8 EiB: the largest file system that Linux can address."""
HIGHEST_PORT = 65_535
MAX_PAGE = Bytes(MIB)
MAX_HUGE_PAGE = Bytes(16 * GIB)
"""On POWER with hashed page tables."""
MAX_RECOVERY = Duration.parse("1d")
"""Also the largest checkpoint_timeout."""
MIN_WINDOW = Duration.parse("2s")
"""A shorter time shows nothing: some versions update their counters only twice a second."""
MAX_WINDOW = Duration.parse("1d")
"""The longest time to watch a server: it includes the busiest hours of a day."""
FEWEST_SAMPLES = 2
FEWEST_IN_A_CURVE = 2
"""One value is no curve."""
COUNTED = ("vm.", "sched.")
"""Kernel settings that are counts: never words, never negative (admin-guide/sysctl/vm)."""
_NAMES = frozenset({"schema", "name", "table", "referenced_schema", "referenced"})
"""Names of things in a database: one is never empty, and PostgreSQL has no null byte in it."""

DECISION_ID = re.compile(r"(?:pg|kernel|storage|host)\.[a-z0-9_.]+")


def impossible_facts(facts: Facts) -> Iterator[ImpossibleValue]:
    """Every impossible value in the facts, in the order of the file."""
    yield from _cpu(facts.cpu)
    yield from _memory(facts.memory)
    yield from _limits(facts.limits)
    for name, fact in facts.kernel.settings.items():
        yield from _kernel_setting(name, fact)
    for place, storage in enumerate(facts.storage):
        yield from _storage(f"storage.{place}", storage)
    for place, server in enumerate(facts.postgres):
        yield from _server(f"postgres.{place}", server)


def impossible_answers(answers: Answers) -> Iterator[ImpossibleValue]:
    """Every impossible value in the answers, in the order of the file."""
    yield from count_outside("workload.connections", answers.workload.connections, 1, MAX_CONNECTIONS)
    yield from size_outside("workload.database_size", answers.workload.database_size, Bytes(1), MAX_DISK)
    yield from _named_server(answers)
    yield from count_outside("server.replicas", answers.server.replicas, 0, MAX_CONNECTIONS)
    if answers.server.memory_share is not None:
        yield from count_outside("server.memory_share", answers.server.memory_share, 1, 100)
    recovery = answers.risk.recovery_time
    if not Duration(1_000) <= recovery <= MAX_RECOVERY:
        yield ImpossibleValue(key="risk.recovery_time", found=recovery.pg(), expected="1s to 1d")
    for name in answers.decisions:
        if DECISION_ID.fullmatch(name) is None:
            yield ImpossibleValue(key="decisions", found=repr(name), expected="an id such as pg.work_mem")


def _named_server(answers: Answers) -> Iterator[ImpossibleValue]:
    major, directory = answers.server.postgres, answers.server.data_directory
    if major is not None and major not in [str(each) for each in SUPPORTED]:
        expected = f"one of {', '.join(map(str, SUPPORTED))}"
        yield ImpossibleValue(key="server.postgres", found=repr(major), expected=expected)
    if directory is not None and (not directory.startswith("/") or not directory.isprintable()):
        yield ImpossibleValue(key="server.data_directory", found=repr(directory), expected="an absolute path")


def _kernel_setting(name: str, fact: Fact[int | str]) -> Iterator[ImpossibleValue]:
    key, counts = f"kernel.settings.{name}", name.startswith(COUNTED)
    if counts and isinstance(fact, Known) and isinstance(fact.value, str):
        yield ImpossibleValue(key=key, found=repr(fact.value), expected="a whole number")
    yield from known_count_outside(key, fact, 0 if counts else -MAX_COUNT, MAX_COUNT)


def _cpu(cpu: Cpu) -> Iterator[ImpossibleValue]:
    yield from known_count_outside("cpu.online", cpu.online, 1, MAX_PROCESSORS)
    online = known_or(cpu.online, MAX_PROCESSORS)
    yield from known_count_outside("cpu.cores", cpu.cores, 1, online)
    yield from known_count_outside("cpu.threads_per_core", cpu.threads_per_core, 1, online)
    yield from known_count_outside("cpu.sockets", cpu.sockets, 1, online)
    yield from known_count_outside("cpu.books", cpu.books, 1, online)
    yield from known_count_outside("cpu.drawers", cpu.drawers, 1, online)
    yield from known_count_outside("cpu.offline", cpu.offline, 0, MAX_PROCESSORS)
    yield from _share("cpu.steal", known_or(cpu.steal, 0.0))
    for state in (cpu.deepest_idle.value,) if isinstance(cpu.deepest_idle, Known) else ():
        yield from count_outside("cpu.deepest_idle.wakes_after", state.wakes_after, 0, MAX_COUNT)
    for served in (cpu.interrupts.value,) if isinstance(cpu.interrupts, Known) else ():
        yield from count_outside("cpu.interrupts.total", served.total, 0, MAX_COUNT)
        yield from count_outside("cpu.interrupts.busiest", served.busiest, 0, MAX_PROCESSORS)
        yield from _share("cpu.interrupts.share", served.share)
    yield from known_count_outside("cpu.numa_nodes", cpu.numa_nodes, 1, MAX_NODES)
    for place, kind in enumerate(known_or(cpu.kinds, ())):
        yield from count_outside(f"cpu.kinds.{place}.online", kind.online, 1, MAX_PROCESSORS)
    for place, cache in enumerate(known_or(cpu.caches, ())):
        key = f"cpu.caches.{place}"
        yield from count_outside(f"{key}.level", cache.level, 1, 9)
        if cache.size is not None:
            yield from size_outside(f"{key}.size", cache.size, Bytes(1), MAX_MEMORY)
        for name, count in (("instances", cache.instances), ("shared_by", cache.shared_by)):
            if count is not None:
                yield from count_outside(f"{key}.{name}", count, 1, MAX_PROCESSORS)


def _share(key: str, share: float) -> Iterator[ImpossibleValue]:
    if not 0 <= share <= 1:
        yield ImpossibleValue(key=key, found=f"{share:g}", expected="0 to 1")


def _memory(memory: Memory) -> Iterator[ImpossibleValue]:
    yield from known_size_outside("memory.total", memory.total, Bytes(MIB), MAX_MEMORY)
    total = known_or(memory.total, MAX_MEMORY)
    yield from known_size_outside("memory.available", memory.available, Bytes(0), total)
    yield from known_size_outside("memory.swap_total", memory.swap_total, Bytes(0), MAX_DISK)
    yield from no_power_of_two("memory.page_size", memory.page_size, Bytes(4 * KIB), MAX_PAGE)
    yield from no_power_of_two("memory.huge_page_size", memory.huge_page_size, Bytes(4 * KIB), MAX_HUGE_PAGE)
    for place, size in enumerate(known_or(memory.huge_page_sizes, ())):
        key = f"memory.huge_page_sizes.{place}"
        yield from no_power_of_two(key, Known(size, ""), Bytes(4 * KIB), MAX_HUGE_PAGE)
    most = total.count // known_or(memory.huge_page_size, Bytes(4 * KIB)).count
    yield from known_count_outside("memory.huge_pages_total", memory.huge_pages_total, 0, most)
    reserved = known_or(memory.huge_pages_total, most)
    yield from known_count_outside("memory.huge_pages_free", memory.huge_pages_free, 0, reserved)
    yield from impossible_strain("memory.strain", memory.strain)
    for place, node in enumerate(known_or(memory.nodes, ())):
        yield from _node(f"memory.nodes.{place}", node)


def _node(key: str, node: MemoryNode) -> Iterator[ImpossibleValue]:
    yield from count_outside(f"{key}.node", node.node, 0, MAX_COUNT)
    yield from size_outside(f"{key}.total", node.total, Bytes(0), MAX_MEMORY)
    yield from count_outside(f"{key}.online", node.online, 0, MAX_PROCESSORS)
    for place, pool in enumerate(node.huge_pages):
        yield from no_power_of_two(
            f"{key}.huge_pages.{place}.size", Known(pool.size, ""), Bytes(4 * KIB), MAX_HUGE_PAGE
        )
        yield from count_outside(f"{key}.huge_pages.{place}.pages", pool.pages, 0, MAX_COUNT)


def _limits(limits: Limits) -> Iterator[ImpossibleValue]:
    yield from known_count_outside("limits.cgroup_version", limits.cgroup_version, 1, 2)
    yield from known_size_outside("limits.memory", limits.memory, Bytes(1), MAX_DISK)
    yield from known_size_outside("limits.memory_high", limits.memory_high, Bytes(1), MAX_DISK)
    yield from known_count_outside("limits.cpuset", limits.cpuset, 1, MAX_PROCESSORS)
    yield from known_count_outside("limits.cpuset_cores", limits.cpuset_cores, 1, MAX_PROCESSORS)
    match limits.cpus:
        case Known(value=cpus) if not 0 < cpus <= MAX_PROCESSORS:
            yield ImpossibleValue(
                key="limits.cpus", found=f"{cpus:g}", expected=f"more than 0 to {MAX_PROCESSORS}"
            )
        case _:
            pass


def _storage(key: str, storage: Storage) -> Iterator[ImpossibleValue]:
    yield from known_size_outside(f"{key}.total", storage.total, Bytes(0), MAX_DISK)
    yield from known_size_outside(f"{key}.free", storage.free, Bytes(0), known_or(storage.total, MAX_DISK))
    for place, disk in enumerate(known_or(storage.disks, ())):
        at = f"{key}.disks.{place}"
        yield from known_count_outside(f"{at}.read_ahead_kb", disk.read_ahead_kb, 0, MAX_COUNT)
        yield from known_count_outside(f"{at}.nr_requests", disk.nr_requests, 0, MAX_COUNT)
        yield from known_count_outside(f"{at}.wbt_lat_usec", disk.wbt_lat_usec, 0, MAX_COUNT)
    for place, layer in enumerate(known_or(storage.layers, ())):
        at = f"{key}.layers.{place}"
        yield from size_outside(f"{at}.chunk", layer.chunk, Bytes(0), MAX_DISK)
        yield from size_outside(f"{at}.stripe", layer.stripe, Bytes(0), MAX_DISK)
        yield from known_count_outside(f"{at}.read_ahead_kb", layer.read_ahead_kb, 0, MAX_COUNT)


def _server(key: str, server: PostgresServer) -> Iterator[ImpossibleValue]:
    for name, fact in (("version", server.version), ("major", server.major)):
        if isinstance(fact, Known):
            yield from _major(f"{key}.{name}", fact.value)
    yield from known_count_outside(f"{key}.port", server.port, 1, HIGHEST_PORT)
    yield from known_count_outside(f"{key}.os_uid", server.os_uid, 0, MAX_COUNT)
    yield from known_count_outside(f"{key}.open_files", server.open_files, 0, MAX_COUNT)
    yield from known_count_outside(f"{key}.shared_memory_pages", server.shared_memory_pages, 0, MAX_COUNT)
    if isinstance(server.activity, Known):
        yield from _activity(f"{key}.activity", server.activity.value)
    if isinstance(server.window, Known):
        yield from _window(f"{key}.window", server.window.value)
    if isinstance(server.log, Known):
        yield from _counts_and_names(f"{key}.log", server.log.value)
    yield from impossible_work(key, server)
    if isinstance(server.probe, Known):
        yield from impossible_probe(f"{key}.probe", server.probe.value)
    if isinstance(server.replication, Known):
        yield from _replication(f"{key}.replication", server.replication.value)
    for place, cache in enumerate(known_or(server.slru, ())):
        yield from _counts_and_names(f"{key}.slru.{place}", cache)
    for place, each in enumerate(known_or(server.tables, ())):
        yield from _tables(f"{key}.tables.{place}", each)


def _replication(key: str, kept: Replication) -> Iterator[ImpossibleValue]:
    yield from _counts_and_names(key, kept)
    yield from known_size_outside(f"{key}.archive_behind", kept.archive_behind, Bytes(0), MAX_DISK)
    if isinstance(kept.conflicts, Known):
        yield from _counts_and_names(f"{key}.conflicts", kept.conflicts.value)
    for place, slot in enumerate(kept.slots):
        yield from _counts_and_names(f"{key}.slots.{place}", slot)
        yield from size_outside(f"{key}.slots.{place}.held", slot.held, Bytes(0), MAX_DISK)
        yield from known_count_outside(f"{key}.slots.{place}.spills", slot.spills, 0, MAX_COUNT)
        yield from known_size_outside(
            f"{key}.slots.{place}.spilled", slot.spilled, Bytes(0), Bytes(MAX_COUNT)
        )


def _tables(key: str, database: DatabaseTables) -> Iterator[ImpossibleValue]:
    yield from _named(f"{key}.database", database.database)
    yield from known_count_outside(f"{key}.counted_seconds", database.counted_seconds, 0, MAX_COUNT)
    lists: Mapping[str, Sequence[DataclassInstance]] = {
        "tables": known_or(database.tables, ()),
        "unused_indexes": known_or(database.unused_indexes, ()),
        "bare_foreign_keys": known_or(database.bare_foreign_keys, ()),
    }
    for name, records in lists.items():
        for place, record in enumerate(records):
            yield from _counts_and_names(f"{key}.{name}.{place}", record)


def _counts_and_names(key: str, record: DataclassInstance) -> Iterator[ImpossibleValue]:
    for each in fields(record):
        found = getattr(record, each.name)
        if isinstance(found, int):
            yield from count_outside(f"{key}.{each.name}", found, 0, MAX_COUNT)
        elif each.name in _NAMES:
            yield from _named(f"{key}.{each.name}", found)


def _named(key: str, name: str) -> Iterator[ImpossibleValue]:
    if not name or "\0" in name:
        yield ImpossibleValue(key=key, found=repr(name), expected="a name without null bytes")


def _major(key: str, text: str) -> Iterator[ImpossibleValue]:
    try:
        Major.parse(text)
    except MajorError:
        yield ImpossibleValue(key=key, found=repr(text), expected="a version such as 9.6 or 15")


def _activity(key: str, activity: Activity) -> Iterator[ImpossibleValue]:
    for name, fact in of_activity(activity).items():
        yield from known_count_outside(f"{key}.{name}", fact, 0, MAX_COUNT)
    yield from known_count_outside(f"{key}.connections", activity.connections, 0, MAX_CONNECTIONS)
    yield from known_size_outside(f"{key}.databases_size", activity.databases_size, Bytes(0), MAX_DISK)


def _window(key: str, window: Window) -> Iterator[ImpossibleValue]:
    yield from count_outside(f"{key}.seconds", window.seconds, 1, MAX_WINDOW.seconds)
    yield from count_outside(f"{key}.samples", window.samples, FEWEST_SAMPLES, MAX_WINDOW.seconds)
    for name, fact in of_window(window).items():
        yield from known_count_outside(f"{key}.{name}", fact, 0, MAX_COUNT)
    yield from known_count_outside(f"{key}.connections_peak", window.connections_peak, 0, MAX_CONNECTIONS)
    yield from impossible_meanwhile(key, window)
    for place, curve in enumerate(window.curves):
        yield from _curve(f"{key}.curves.{place}.values", curve)


def _curve(key: str, curve: Curve) -> Iterator[ImpossibleValue]:
    count, most = len(curve.values), MAX_WINDOW.seconds
    if not FEWEST_IN_A_CURVE <= count <= most:
        expected = f"{FEWEST_IN_A_CURVE} to {most} values"
        yield ImpossibleValue(key=key, found=str(count), expected=expected)
    highest = MAX_CONNECTIONS if curve.counted == "connections" else MAX_COUNT
    for place, value in enumerate(curve.values):
        yield from count_outside(f"{key}.{place}", value, 0, highest)

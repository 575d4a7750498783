"""Limits of what facts and answers can be: a file outside of them is wrong, however well-formed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.bounds import (
    MAX_COUNT,
    MAX_DISK,
    ImpossibleValue,
    count_outside,
    known_count_outside,
    known_size_outside,
    no_power_of_two,
    size_outside,
)
from tunewiz.core.answers.server_limits import MAX_CONNECTIONS, impossible_server
from tunewiz.core.answers.work_limits import impossible_strain
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import Cpu, Limits, Memory, MemoryNode, Storage
from tunewiz.core.values.known import Fact, Known, known_or
from tunewiz.core.values.units import GIB, KIB, MIB, TIB, Bytes, Duration
from tunewiz.core.values.versions import SUPPORTED

MAX_PROCESSORS = 8192
"""The largest NR_CPUS in Linux (arch/x86/Kconfig; other architectures have less)."""
MAX_NODES = 1024
"""NUMA nodes: CONFIG_NODES_SHIFT is at most 10."""
MAX_MEMORY = Bytes(4096 * TIB)
"""More than four-level page tables of x86_64 and other architectures can address."""
MAX_PAGE = Bytes(MIB)
MAX_HUGE_PAGE = Bytes(16 * GIB)
"""On POWER with hashed page tables."""
MAX_RECOVERY = Duration.parse("1d")
"""Also the largest checkpoint_timeout."""
COUNTED = ("vm.", "sched.")
"""Kernel settings that are counts: never words, never negative (admin-guide/sysctl/vm)."""

DECISION_ID = re.compile(r"(?:pg|kernel|storage|host|role)\.[a-z0-9_.]+")


def impossible_facts(facts: Facts) -> Iterator[ImpossibleValue]:
    """Every impossible value in the facts, in the order of the file."""
    yield from _cpu(facts.cpu)
    yield from _memory(facts.memory)
    yield from _limits(facts.limits)
    yield from _partition(facts)
    for name, fact in facts.kernel.settings.items():
        yield from _kernel_setting(name, fact)
    for place, storage in enumerate(facts.storage):
        yield from _storage(f"storage.{place}", storage)
    for place, server in enumerate(facts.postgres):
        yield from impossible_server(f"postgres.{place}", server)


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
    if major is not None and major not in [str(major) for major in SUPPORTED]:
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
    for vertical in (cpu.polarization.value,) if isinstance(cpu.polarization, Known) else ():
        yield from count_outside("cpu.polarization.high", vertical.high, 0, MAX_PROCESSORS)
        yield from count_outside("cpu.polarization.medium", vertical.medium, 0, MAX_PROCESSORS)
        yield from count_outside("cpu.polarization.low", vertical.low, 0, MAX_PROCESSORS)
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
    yield from known_size_outside("limits.huge_pages", limits.huge_pages, Bytes(0), MAX_DISK)
    yield from known_count_outside("limits.cpuset", limits.cpuset, 1, MAX_PROCESSORS)
    yield from known_count_outside("limits.cpuset_cores", limits.cpuset_cores, 1, MAX_PROCESSORS)
    match limits.cpus:
        case Known(value=cpus) if not 0 < cpus <= MAX_PROCESSORS:
            yield ImpossibleValue(
                key="limits.cpus", found=f"{cpus:g}", expected=f"more than 0 to {MAX_PROCESSORS}"
            )
        case _:
            pass


def _partition(facts: Facts) -> Iterator[ImpossibleValue]:
    key = "virtualization.partition"
    fact = facts.virtualization.partition
    for given in (fact.value,) if isinstance(fact, Known) else ():
        yield from count_outside(f"{key}.processors", given.processors, 1, MAX_PROCESSORS)
        if given.weight is not None:
            yield from count_outside(f"{key}.weight", given.weight, 0, MAX_COUNT)
        if given.entitled is not None and not 0 < given.entitled <= MAX_PROCESSORS:
            expected = f"more than 0 to {MAX_PROCESSORS}"
            yield ImpossibleValue(key=f"{key}.entitled", found=f"{given.entitled:g}", expected=expected)


def _storage(key: str, storage: Storage) -> Iterator[ImpossibleValue]:
    yield from known_size_outside(f"{key}.total", storage.total, Bytes(0), MAX_DISK)
    yield from known_size_outside(f"{key}.free", storage.free, Bytes(0), known_or(storage.total, MAX_DISK))
    for place, disk in enumerate(known_or(storage.disks, ())):
        at = f"{key}.disks.{place}"
        yield from known_count_outside(f"{at}.read_ahead_kb", disk.read_ahead_kb, 0, MAX_COUNT)
        yield from known_count_outside(f"{at}.nr_requests", disk.nr_requests, 0, MAX_COUNT)
        yield from known_count_outside(f"{at}.wbt_lat_usec", disk.wbt_lat_usec, 0, MAX_COUNT)
        yield from known_count_outside(f"{at}.queue_depth", disk.queue_depth, 0, MAX_COUNT)
        if isinstance(disk.dasd, Known):
            yield from count_outside(f"{at}.dasd.aliases", disk.dasd.value.aliases, 0, MAX_COUNT)
    for place, layer in enumerate(known_or(storage.layers, ())):
        at = f"{key}.layers.{place}"
        yield from size_outside(f"{at}.chunk", layer.chunk, Bytes(0), MAX_DISK)
        yield from size_outside(f"{at}.stripe", layer.stripe, Bytes(0), MAX_DISK)
        yield from known_count_outside(f"{at}.read_ahead_kb", layer.read_ahead_kb, 0, MAX_COUNT)

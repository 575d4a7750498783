"""What facts and answers can be at all: a file that says otherwise is wrong, whatever its form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import Cpu, Limits, Memory, MemoryNode, Storage
from tunewiz.core.facts.server import Activity, PostgresServer, Window
from tunewiz.core.facts.statistics import of_activity, of_window
from tunewiz.core.values.known import Absent, Fact, Known, Unknown, known_or
from tunewiz.core.values.units import GIB, KIB, MIB, TIB, Bytes, Duration
from tunewiz.core.values.versions import SUPPORTED, Major, MajorError

MOST_PROCESSORS = 8192
"""NR_CPUS may be no larger in Linux (arch/x86/Kconfig; other architectures have less)."""
MOST_NODES = 1024
"""NUMA nodes: CONFIG_NODES_SHIFT is at most 10."""
MOST_CONNECTIONS = 262_143
"""MAX_BACKENDS: the largest max_connections that any server takes."""
MOST_MEMORY = Bytes(4096 * TIB)
"""What four-level page tables of x86_64 and the other architectures' limits leave room for, and more."""
MOST_DISK = Bytes(8 * 1024 * 1024 * TIB)
"""8 EiB: the largest file system that Linux can address."""
HIGHEST_PORT = 65_535
LARGEST_PAGE = Bytes(MIB)
LARGEST_HUGE_PAGE = Bytes(16 * GIB)
"""Of POWER with hashed page tables."""
LONGEST_RECOVERY = Duration.parse("1d")
"""Also the largest checkpoint_timeout."""
SHORTEST_WINDOW = Duration.parse("2s")
"""Less shows nothing: some versions count twice a second only."""
LONGEST_WINDOW = Duration.parse("1d")
"""For which a server may be watched: the busiest hours of a day are in it."""
FEWEST_SAMPLES = 2
MOST_COUNTED = 2**64
"""Kernel and server count in 64 bits."""
COUNTED = ("vm.", "sched.")
"""Kernel settings that count something: no words, and none is negative (admin-guide/sysctl/vm)."""

DECISION_ID = re.compile(r"(?:pg|kernel|storage|host)\.[a-z0-9_.]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Strange:
    """A value that cannot be."""

    key: str
    """Dotted, as in the file."""
    found: str
    expected: str


def strange_facts(facts: Facts) -> Iterator[Strange]:
    """Everything in the facts that cannot be, in the order of the file."""
    yield from _cpu(facts.cpu)
    yield from _memory(facts.memory)
    yield from _limits(facts.limits)
    for name, fact in facts.kernel.settings.items():
        yield from _kernel_setting(name, fact)
    for place, storage in enumerate(facts.storage):
        yield from _storage(f"storage.{place}", storage)
    for place, server in enumerate(facts.postgres):
        yield from _server(f"postgres.{place}", server)


def strange_answers(answers: Answers) -> Iterator[Strange]:
    """Everything in the answers that cannot be, in the order of the file."""
    yield from _number("workload.connections", answers.workload.connections, 1, MOST_CONNECTIONS)
    yield from _size("workload.database_size", answers.workload.database_size, Bytes(1), MOST_DISK)
    yield from _named_server(answers)
    yield from _number("server.replicas", answers.server.replicas, 0, MOST_CONNECTIONS)
    if answers.server.memory_share is not None:
        yield from _number("server.memory_share", answers.server.memory_share, 1, 100)
    recovery = answers.risk.recovery_time
    if not Duration(1_000) <= recovery <= LONGEST_RECOVERY:
        yield Strange(key="risk.recovery_time", found=recovery.pg(), expected="1s to 1d")
    for name in answers.decisions:
        if DECISION_ID.fullmatch(name) is None:
            yield Strange(key="decisions", found=repr(name), expected="an id such as pg.work_mem")


def _named_server(answers: Answers) -> Iterator[Strange]:
    major, directory = answers.server.postgres, answers.server.data_directory
    if major is not None and major not in [str(each) for each in SUPPORTED]:
        expected = f"one of {', '.join(map(str, SUPPORTED))}"
        yield Strange(key="server.postgres", found=repr(major), expected=expected)
    if directory is not None and (not directory.startswith("/") or not directory.isprintable()):
        yield Strange(key="server.data_directory", found=repr(directory), expected="an absolute path")


def _kernel_setting(name: str, fact: Fact[int | str]) -> Iterator[Strange]:
    key, counts = f"kernel.settings.{name}", name.startswith(COUNTED)
    if counts and isinstance(fact, Known) and isinstance(fact.value, str):
        yield Strange(key=key, found=repr(fact.value), expected="a whole number")
    yield from _within(key, fact, 0 if counts else -MOST_COUNTED, MOST_COUNTED)


def _cpu(cpu: Cpu) -> Iterator[Strange]:
    yield from _within("cpu.online", cpu.online, 1, MOST_PROCESSORS)
    online = known_or(cpu.online, MOST_PROCESSORS)
    yield from _within("cpu.cores", cpu.cores, 1, online)
    yield from _within("cpu.threads_per_core", cpu.threads_per_core, 1, online)
    yield from _within("cpu.sockets", cpu.sockets, 1, online)
    yield from _within("cpu.books", cpu.books, 1, online)
    yield from _within("cpu.drawers", cpu.drawers, 1, online)
    yield from _within("cpu.offline", cpu.offline, 0, MOST_PROCESSORS)
    match cpu.steal:
        case Known(value=share) if not 0 <= share <= 1:
            yield Strange(key="cpu.steal", found=f"{share:g}", expected="0 to 1")
        case _:
            pass
    yield from _within("cpu.numa_nodes", cpu.numa_nodes, 1, MOST_NODES)
    for place, kind in enumerate(known_or(cpu.kinds, ())):
        yield from _number(f"cpu.kinds.{place}.online", kind.online, 1, MOST_PROCESSORS)
    for place, cache in enumerate(known_or(cpu.caches, ())):
        key = f"cpu.caches.{place}"
        yield from _number(f"{key}.level", cache.level, 1, 9)
        if cache.size is not None:
            yield from _size(f"{key}.size", cache.size, Bytes(1), MOST_MEMORY)
        for name, count in (("instances", cache.instances), ("shared_by", cache.shared_by)):
            if count is not None:
                yield from _number(f"{key}.{name}", count, 1, MOST_PROCESSORS)


def _memory(memory: Memory) -> Iterator[Strange]:
    yield from _sized("memory.total", memory.total, Bytes(MIB), MOST_MEMORY)
    total = known_or(memory.total, MOST_MEMORY)
    yield from _sized("memory.available", memory.available, Bytes(0), total)
    yield from _sized("memory.swap_total", memory.swap_total, Bytes(0), MOST_DISK)
    yield from _power_of_two("memory.page_size", memory.page_size, Bytes(4 * KIB), LARGEST_PAGE)
    yield from _power_of_two(
        "memory.huge_page_size", memory.huge_page_size, Bytes(4 * KIB), LARGEST_HUGE_PAGE
    )
    for place, size in enumerate(known_or(memory.huge_page_sizes, ())):
        key = f"memory.huge_page_sizes.{place}"
        yield from _power_of_two(key, Known(size, ""), Bytes(4 * KIB), LARGEST_HUGE_PAGE)
    most = total.count // known_or(memory.huge_page_size, Bytes(4 * KIB)).count
    yield from _within("memory.huge_pages_total", memory.huge_pages_total, 0, most)
    reserved = known_or(memory.huge_pages_total, most)
    yield from _within("memory.huge_pages_free", memory.huge_pages_free, 0, reserved)
    for place, node in enumerate(known_or(memory.nodes, ())):
        yield from _node(f"memory.nodes.{place}", node)


def _node(key: str, node: MemoryNode) -> Iterator[Strange]:
    yield from _number(f"{key}.node", node.node, 0, MOST_COUNTED)
    yield from _size(f"{key}.total", node.total, Bytes(0), MOST_MEMORY)
    yield from _number(f"{key}.online", node.online, 0, MOST_PROCESSORS)
    for place, pool in enumerate(node.huge_pages):
        yield from _power_of_two(
            f"{key}.huge_pages.{place}.size", Known(pool.size, ""), Bytes(4 * KIB), LARGEST_HUGE_PAGE
        )
        yield from _number(f"{key}.huge_pages.{place}.pages", pool.pages, 0, MOST_COUNTED)


def _limits(limits: Limits) -> Iterator[Strange]:
    yield from _within("limits.cgroup_version", limits.cgroup_version, 1, 2)
    yield from _sized("limits.memory", limits.memory, Bytes(1), MOST_DISK)
    yield from _sized("limits.memory_high", limits.memory_high, Bytes(1), MOST_DISK)
    yield from _within("limits.cpuset", limits.cpuset, 1, MOST_PROCESSORS)
    yield from _within("limits.cpuset_cores", limits.cpuset_cores, 1, MOST_PROCESSORS)
    match limits.cpus:
        case Known(value=cpus) if not 0 < cpus <= MOST_PROCESSORS:
            yield Strange(key="limits.cpus", found=f"{cpus:g}", expected=f"more than 0 to {MOST_PROCESSORS}")
        case _:
            pass


def _storage(key: str, storage: Storage) -> Iterator[Strange]:
    yield from _sized(f"{key}.total", storage.total, Bytes(0), MOST_DISK)
    yield from _sized(f"{key}.free", storage.free, Bytes(0), known_or(storage.total, MOST_DISK))
    for place, disk in enumerate(known_or(storage.disks, ())):
        yield from _within(f"{key}.disks.{place}.read_ahead_kb", disk.read_ahead_kb, 0, MOST_COUNTED)


def _server(key: str, server: PostgresServer) -> Iterator[Strange]:
    for name, fact in (("version", server.version), ("major", server.major)):
        if isinstance(fact, Known):
            yield from _major(f"{key}.{name}", fact.value)
    yield from _within(f"{key}.port", server.port, 1, HIGHEST_PORT)
    yield from _within(f"{key}.shared_memory_pages", server.shared_memory_pages, 0, MOST_COUNTED)
    if isinstance(server.activity, Known):
        yield from _activity(f"{key}.activity", server.activity.value)
    if isinstance(server.window, Known):
        yield from _window(f"{key}.window", server.window.value)


def _major(key: str, text: str) -> Iterator[Strange]:
    try:
        Major.parse(text)
    except MajorError:
        yield Strange(key=key, found=repr(text), expected="a version such as 9.6 or 15")


def _activity(key: str, activity: Activity) -> Iterator[Strange]:
    for name, fact in of_activity(activity).items():
        yield from _within(f"{key}.{name}", fact, 0, MOST_COUNTED)
    yield from _within(f"{key}.connections", activity.connections, 0, MOST_CONNECTIONS)
    yield from _sized(f"{key}.databases_size", activity.databases_size, Bytes(0), MOST_DISK)


def _window(key: str, window: Window) -> Iterator[Strange]:
    yield from _number(f"{key}.seconds", window.seconds, 1, LONGEST_WINDOW.seconds)
    yield from _number(f"{key}.samples", window.samples, FEWEST_SAMPLES, LONGEST_WINDOW.seconds)
    for name, fact in of_window(window).items():
        yield from _within(f"{key}.{name}", fact, 0, MOST_COUNTED)
    yield from _within(f"{key}.connections_peak", window.connections_peak, 0, MOST_CONNECTIONS)


def _within(
    key: str, fact: Known[int] | Known[int | str] | Absent | Unknown, least: int, most: int
) -> Iterator[Strange]:
    if isinstance(fact, Known) and isinstance(fact.value, int):
        yield from _number(key, fact.value, least, most)


def _number(key: str, number: int, least: int, most: int) -> Iterator[Strange]:
    if not least <= number <= most:
        yield Strange(key=key, found=str(number), expected=f"{least} to {most}")


def _sized(key: str, fact: Known[Bytes] | Absent | Unknown, least: Bytes, most: Bytes) -> Iterator[Strange]:
    if isinstance(fact, Known):
        yield from _size(key, fact.value, least, most)


def _size(key: str, size: Bytes, least: Bytes, most: Bytes) -> Iterator[Strange]:
    if not least <= size <= most:
        yield Strange(key=key, found=f"{size.count} bytes", expected=f"{least.human()} to {most.human()}")


def _power_of_two(
    key: str, fact: Known[Bytes] | Absent | Unknown, least: Bytes, most: Bytes
) -> Iterator[Strange]:
    yield from _sized(key, fact, least, most)
    if isinstance(fact, Known) and fact.value.count.bit_count() != 1:
        yield Strange(key=key, found=f"{fact.value.count} bytes", expected="a power of two")

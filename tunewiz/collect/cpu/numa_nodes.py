"""How many NUMA nodes have memory or processors."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact, Known, Unknown

FOLDER = "/sys/devices/system/node"

_NODE = re.compile(r"node[0-9]{1,5}")
_LINK = re.compile(r"cpu([0-9]{1,5})")
_TOTAL = re.compile(r"MemTotal:\s+([0-9]{1,18}) kB")
_COUNTER = re.compile(r"^numa_hit ", re.MULTILINE)
_AFTER_COUNTERS = re.compile(r"^pgpgin ", re.MULTILINE)
"""Written after numa_hit by every kernel (mm/vmstat.c): proves that the file was not cut off before it."""
_OLD_ARM = "AArch64 Processor"
"""A line of /proc/cpuinfo until Linux 3.19; 64-bit Arm has supported NUMA since 4.7."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Node:
    """One node: processors that may be offline, and kB of memory."""

    cpus: Fact[frozenset[int]]
    memory: Fact[int]


def node_names(system: System) -> Fact[tuple[str, ...]]:
    """The folders of all nodes; unknown if the kernel lists one more elsewhere."""
    entries = file_values.names(system, FOLDER)
    if not isinstance(entries, Known):
        return entries
    result = tuple(name for name in entries.value if _NODE.fullmatch(name))
    if not system.complete and (lacking := _lacking(system, result)):
        return Unknown(f"not in the capture: {lacking}")
    return Known(result, f"{FOLDER}/node*")


def _lacking(system: System, results: tuple[str, ...]) -> str:
    """A node that a capture lacks though the list of nodes or the distances between them have it."""
    listed = file_values.processors(system, f"{FOLDER}/online")
    wanted = sorted(listed.value) if isinstance(listed, Known) else []
    for number in wanted:
        if f"node{number}" not in results:
            return f"{FOLDER}/node{number}"
    apart = [file_values.text(system, f"{FOLDER}/{name}/distance") for name in results]
    counts = [len(fact.value.split()) for fact in apart if isinstance(fact, Known)]
    return f"{FOLDER}/node*" if max(counts, default=0) > len(results) else ""


def read_nodes(
    system: System, online: Fact[frozenset[int]], cpuinfo: Fact[CpuInfo]
) -> Fact[dict[str, frozenset[int]]]:
    """The nodes that have memory or processors, each with its online processors.

    A kernel without NUMA has no folder for nodes; the whole machine is one node then.
    """
    if not isinstance(online, Known):
        return online
    up = online.value
    if isinstance(file_values.names(system, FOLDER), Unknown):
        return _single(system, up, cpuinfo)
    names = node_names(system)
    if not isinstance(names, Known):
        return names
    return _used(system, names, up)


def _used(
    system: System, names: Known[tuple[str, ...]], up: frozenset[int]
) -> Fact[dict[str, frozenset[int]]]:
    """The nodes that have something; each processor must be on one of them in a capture."""
    result = {name: _read_node(system, name) for name in names.value}
    sizes_told = any(isinstance(node.memory, Known) for node in result.values())
    used = dict[str, frozenset[int]]()
    for name, node in result.items():
        has = _has_something(node, up, sizes_told=sizes_told)
        if isinstance(has, Unknown):
            return has
        if has.value:
            used[name] = node.cpus.value & up if isinstance(node.cpus, Known) else frozenset()
    if not used:
        return Unknown(f"expected folders node*: {FOLDER}")
    homeless = up - frozenset[int]().union(*used.values())
    if homeless and not system.complete:
        return Unknown(f"processor {min(homeless)} is on none of the captured nodes: {FOLDER}/node*")
    return Known(used, names.how)


def _has_something(node: _Node, up: frozenset[int], *, sizes_told: bool) -> Fact[bool]:
    """A node without memory counts for its processors; one whose size alone is missing cannot be judged."""
    if isinstance(node.cpus, Known) and node.cpus.value & up:
        return Known(value=True, how=node.cpus.how)
    if isinstance(node.memory, Known) and node.memory.value:
        return Known(value=True, how=node.memory.how)
    if isinstance(node.cpus, Unknown):
        return node.cpus
    if isinstance(node.memory, Unknown) and sizes_told:
        return node.memory
    return Known(value=not sizes_told, how=node.cpus.how)


def _single(system: System, up: frozenset[int], cpuinfo: Fact[CpuInfo]) -> Fact[dict[str, frozenset[int]]]:
    """One node if the kernel was built without NUMA; in a capture something must prove that."""
    why = f"no such folder: {FOLDER}" if system.complete else f"not in the capture: {FOLDER}"
    counters = file_values.text(system, "/proc/vmstat")
    if isinstance(counters, Known) and _COUNTER.search(counters.value):
        return Unknown(f"{why}, though /proc/vmstat counts numa_hit")
    if isinstance(counters, Known) and _AFTER_COUNTERS.search(counters.value):
        return Known({"node0": up}, f"{counters.how} counts no numa_hit: one node")
    if isinstance(cpuinfo, Known) and cpuinfo.value.first("Processor").startswith(_OLD_ARM):
        return Known({"node0": up}, f"{cpuinfo.how}: a kernel that old does not support NUMA on Arm")
    return Known({"node0": up}, f"no {FOLDER}: one node") if system.complete else Unknown(why)


def _read_node(system: System, name: str) -> _Node:
    return _Node(cpus=processors_of(system, name), memory=memory_of(system, name))


def memory_of(system: System, name: str) -> Fact[int]:
    """A node's memory in kB."""
    content = file_values.text(system, f"{FOLDER}/{name}/meminfo")
    return file_values.converted(content, _total, "a line MemTotal")


def _total(content: str) -> int | None:
    matched = _TOTAL.search(content)
    return int(matched[1]) if matched else None


def processors_of(system: System, name: str) -> Fact[frozenset[int]]:
    """A node's processors; old kernels list possible ones here, not those that are online."""
    listed = file_values.processors(system, f"{FOLDER}/{name}/cpulist")
    if isinstance(listed, Known) and listed.value:
        return listed
    mapped = file_values.bit_map(system, f"{FOLDER}/{name}/cpumap")
    if isinstance(mapped, Known) and mapped.value:
        return mapped
    linked = _linked(system, name)
    return linked if isinstance(linked, Known) and linked.value else file_values.first((listed, mapped))


def _linked(system: System, name: str) -> Fact[frozenset[int]]:
    entries = file_values.names(system, f"{FOLDER}/{name}")
    if not isinstance(entries, Known):
        return entries
    matches = (_LINK.fullmatch(entry) for entry in entries.value)
    return Known(frozenset(int(matched[1]) for matched in matches if matched), entries.how)

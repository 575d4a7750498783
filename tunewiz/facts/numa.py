"""How many NUMA nodes have memory or processors."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tunewiz.core.known import Fact, Known, Unknown
from tunewiz.facts import reading
from tunewiz.system import System

FOLDER = "/sys/devices/system/node"

_NODE = re.compile(r"node[0-9]{1,5}")
_LINK = re.compile(r"cpu([0-9]{1,5})")
_TOTAL = re.compile(r"MemTotal:\s+([0-9]{1,18}) kB")
_COUNTER = re.compile(r"^numa_hit ", re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Node:
    """One node: processors that may be offline, and kB of memory."""

    cpus: Fact[frozenset[int]]
    memory: Fact[int]


def read_nodes(system: System, online: Fact[frozenset[int]]) -> Fact[dict[str, frozenset[int]]]:
    """The nodes that have memory or processors, each with its online processors.

    A kernel without NUMA has no folder for nodes; the whole machine is one node then.
    """
    up = online.value if isinstance(online, Known) else frozenset[int]()
    entries = reading.names(system, FOLDER)
    if not isinstance(entries, Known):
        return _single(system, up, entries.why)
    found = {name: _read_node(system, name) for name in entries.value if _NODE.fullmatch(name)}
    sizes_told = any(isinstance(node.memory, Known) for node in found.values())
    used = dict[str, frozenset[int]]()
    for name, node in found.items():
        has = _has_something(node, up, sizes_told=sizes_told)
        if isinstance(has, Unknown):
            return has
        if has.value:
            used[name] = node.cpus.value & up if isinstance(node.cpus, Known) else frozenset()
    return Known(used, f"{FOLDER}/node*") if used else Unknown(f"expected folders node*: {FOLDER}")


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


def _single(system: System, up: frozenset[int], why: str) -> Fact[dict[str, frozenset[int]]]:
    counters = reading.text(system, "/proc/vmstat")
    if isinstance(counters, Known) and _COUNTER.search(counters.value):
        return Unknown(f"{why}, though /proc/vmstat counts numa_hit")
    if not up:
        return Unknown(why)
    return Known({"node0": up}, f"no {FOLDER}: one node")


def _read_node(system: System, name: str) -> _Node:
    return _Node(cpus=processors_of(system, name), memory=memory_of(system, name))


def memory_of(system: System, name: str) -> Fact[int]:
    """A node's memory in kB."""
    content = reading.text(system, f"{FOLDER}/{name}/meminfo")
    return reading.converted(content, _total, "a line MemTotal")


def _total(content: str) -> int | None:
    matched = _TOTAL.search(content)
    return int(matched[1]) if matched else None


def processors_of(system: System, name: str) -> Fact[frozenset[int]]:
    """A node's processors; old kernels list possible ones here, not those that are online."""
    listed = reading.processors(system, f"{FOLDER}/{name}/cpulist")
    if isinstance(listed, Known) and listed.value:
        return listed
    mapped = reading.bit_map(system, f"{FOLDER}/{name}/cpumap")
    if isinstance(mapped, Known) and mapped.value:
        return mapped
    linked = _linked(system, name)
    return linked if isinstance(linked, Known) and linked.value else reading.first((listed, mapped))


def _linked(system: System, name: str) -> Fact[frozenset[int]]:
    entries = reading.names(system, f"{FOLDER}/{name}")
    if not isinstance(entries, Known):
        return entries
    matches = (_LINK.fullmatch(entry) for entry in entries.value)
    return Known(frozenset(int(matched[1]) for matched in matches if matched), entries.how)

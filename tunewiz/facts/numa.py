"""How many NUMA nodes have memory or processors."""

from __future__ import annotations

import re

from tunewiz.core.known import Fact, Known, Unknown
from tunewiz.facts import reading
from tunewiz.system import System

FOLDER = "/sys/devices/system/node"

_NODE = re.compile(r"node[0-9]{1,5}")
_LINK = re.compile(r"cpu([0-9]{1,5})")
_TOTAL = re.compile(r"MemTotal:\s+([0-9]+) kB")
_COUNTER = re.compile(r"^numa_hit ", re.MULTILINE)


def read_nodes(system: System, online: Fact[frozenset[int]]) -> Fact[dict[str, frozenset[int]]]:
    """The nodes that have memory or processors, each with its online processors.

    A kernel without NUMA has no folder for nodes; the whole machine is one node then.
    """
    up = online.value if isinstance(online, Known) else frozenset[int]()
    names = reading.names(system, FOLDER)
    match names:
        case Known(entries):
            nodes = [name for name in entries if _NODE.fullmatch(name)]
            found = {name: _processors(system, name) for name in nodes}
            used = {name: cpus & up for name, cpus in found.items() if cpus & up or _has_memory(system, name)}
            return Known(used, f"{FOLDER}/node*") if used else Unknown(f"expected folders node*: {FOLDER}")
        case Unknown(why):
            return _single(system, up, why)


def _single(system: System, up: frozenset[int], why: str) -> Fact[dict[str, frozenset[int]]]:
    counters = reading.text(system, "/proc/vmstat")
    if isinstance(counters, Known) and _COUNTER.search(counters.value):
        return Unknown(f"{why}, though /proc/vmstat counts numa_hit")
    if not up:
        return Unknown(why)
    return Known({"node0": up}, f"no {FOLDER}: one node")


def _processors(system: System, name: str) -> frozenset[int]:
    """Old kernels list possible processors here, not the online ones."""
    found = reading.first(
        (
            reading.processors(system, f"{FOLDER}/{name}/cpulist"),
            reading.converted(reading.text(system, f"{FOLDER}/{name}/cpumap"), reading.as_map, "a bit map"),
        )
    )
    return (found.value if isinstance(found, Known) else frozenset[int]()) or _linked(system, name)


def _linked(system: System, name: str) -> frozenset[int]:
    entries = reading.names(system, f"{FOLDER}/{name}")
    matches = (_LINK.fullmatch(entry) for entry in (entries.value if isinstance(entries, Known) else ()))
    return frozenset(int(matched[1]) for matched in matches if matched)


def _has_memory(system: System, name: str) -> bool:
    """Whether a node has memory, also where its size cannot be read."""
    content = reading.text(system, f"{FOLDER}/{name}/meminfo")
    matched = _TOTAL.search(content.value) if isinstance(content, Known) else None
    return matched is None or int(matched[1]) > 0

"""Memory by NUMA node, with the huge pages that are reserved on each."""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.cpu.numa_nodes import FOLDER, memory_of, node_names, processors_of
from tunewiz.collect.memory.huge_pages import FOLDER as ALL_SIZES
from tunewiz.collect.memory.huge_pages import sizes_in
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import HugePool, MemoryNode
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown, known_or
from tunewiz.core.values.units import KIB, Bytes

_PAGES = re.compile(r"[0-9]{1,15}")
_POOL = re.compile(r"hugepages-([0-9]{1,12})kB")


def read_memory_nodes(system: System, online: Fact[frozenset[int]]) -> MaybeFact[tuple[MemoryNode, ...]]:
    """All nodes with memory or processors; unknown where one of them cannot be read whole."""
    if not isinstance(online, Known):
        return online
    listing = node_names(system)
    if not isinstance(listing, Known):
        return Absent(listing.why) if listing.why.startswith("no such file") else listing
    numbers = sorted(int(name.removeprefix("node")) for name in listing.value)
    nodes = list[MemoryNode]()
    for number in numbers:
        node = _node(system, number, online.value)
        if isinstance(node, Unknown):
            return node
        nodes += [node.value] if node.value.total.count or node.value.online else []
    if not system.complete and sum(node.online for node in nodes) != len(online.value):
        return Unknown(f"not every online processor is on exactly one node: {FOLDER}/node*")
    how = f"{FOLDER}/node*/meminfo"
    return Known(tuple(nodes), how) if nodes else Unknown(f"expected folders node*: {FOLDER}")


def _node(system: System, number: int, online: frozenset[int]) -> Fact[MemoryNode]:
    name = f"node{number}"
    total, cpus, pools = memory_of(system, name), processors_of(system, name), _pools(system, name)
    if not isinstance(total, Known):
        return total
    if not isinstance(cpus, Known):
        return cpus
    if not isinstance(pools, Known):
        return pools
    size, up = Bytes(total.value * KIB), len(cpus.value & online)
    return Known(MemoryNode(node=number, total=size, online=up, huge_pages=pools.value), total.how)


def _count(content: str) -> int | None:
    return int(content) if _PAGES.fullmatch(content) else None


def _pools(system: System, name: str) -> Fact[tuple[HugePool, ...]]:
    folder = f"{FOLDER}/{name}/hugepages"
    listing = file_values.names(system, folder)
    if not isinstance(listing, Known):
        return Known((), f"no {folder}") if listing.why.startswith("no such file") else listing
    pools = list[HugePool]()
    for entry in listing.value:
        if matched := _POOL.fullmatch(entry):
            content = file_values.text(system, f"{folder}/{entry}/nr_hugepages")
            pages = file_values.converted(content, _count, "a number of pages")
            if not isinstance(pages, Known):
                return pages
            pools.append(HugePool(size=Bytes(int(matched[1]) * KIB), pages=pages.value))
    of_kernel = sizes_in(system, ALL_SIZES)
    if not system.complete and known_or(of_kernel, frozenset[Bytes]()) != frozenset(
        pool.size for pool in pools
    ):
        return Unknown(f"other sizes than the kernel's, {ALL_SIZES}: {folder}")
    return Known(tuple(sorted(pools, key=lambda pool: pool.size)), folder)

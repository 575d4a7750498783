"""Memory by NUMA node, with the huge pages that are reserved on each."""

from __future__ import annotations

import re

from tunewiz.core.facts_machine import HugePool, MemoryNode
from tunewiz.core.known import Absent, Fact, Known, MaybeFact, Unknown
from tunewiz.core.units import KIB, Bytes
from tunewiz.facts import reading
from tunewiz.facts.numa import FOLDER, memory_of, processors_of
from tunewiz.facts.online import read_online
from tunewiz.system import System

_NODE = re.compile(r"node([0-9]{1,5})")
_PAGES = re.compile(r"[0-9]{1,15}")
_POOL = re.compile(r"hugepages-([0-9]{1,12})kB")


def read_memory_nodes(system: System) -> MaybeFact[tuple[MemoryNode, ...]]:
    """All nodes with memory or processors; unknown where one of them cannot be read whole."""
    listing = reading.names(system, FOLDER)
    if not isinstance(listing, Known):
        return Absent(listing.why) if listing.why.startswith("no such file") else listing
    numbers = sorted(int(matched[1]) for name in listing.value if (matched := _NODE.fullmatch(name)))
    up = read_online(system, Unknown("processors are not asked for here"))
    online = up.value if isinstance(up, Known) else None
    nodes = list[MemoryNode]()
    for number in numbers:
        node = _node(system, number, online)
        if isinstance(node, Unknown):
            return node
        nodes += [node.value] if node.value.total.count or node.value.online else []
    how = f"{FOLDER}/node*/meminfo"
    return Known(tuple(nodes), how) if nodes else Unknown(f"expected folders node*: {FOLDER}")


def _node(system: System, number: int, online: frozenset[int] | None) -> Fact[MemoryNode]:
    name = f"node{number}"
    total, cpus, pools = memory_of(system, name), processors_of(system, name), _pools(system, name)
    if not isinstance(total, Known):
        return total
    if not isinstance(cpus, Known):
        return cpus
    if not isinstance(pools, Known):
        return pools
    up = cpus.value if online is None else cpus.value & online
    size = Bytes(total.value * KIB)
    return Known(MemoryNode(node=number, total=size, online=len(up), huge_pages=pools.value), total.how)


def _count(content: str) -> int | None:
    return int(content) if _PAGES.fullmatch(content) else None


def _pools(system: System, name: str) -> Fact[tuple[HugePool, ...]]:
    folder = f"{FOLDER}/{name}/hugepages"
    listing = reading.names(system, folder)
    if not isinstance(listing, Known):
        return Known((), f"no {folder}") if listing.why.startswith("no such file") else listing
    pools = list[HugePool]()
    for entry in listing.value:
        if matched := _POOL.fullmatch(entry):
            content = reading.text(system, f"{folder}/{entry}/nr_hugepages")
            pages = reading.converted(content, _count, "a number of pages")
            if not isinstance(pages, Known):
                return pages
            pools.append(HugePool(size=Bytes(int(matched[1]) * KIB), pages=pages.value))
    return Known(tuple(sorted(pools, key=lambda pool: pool.size)), folder)

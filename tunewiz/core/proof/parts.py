"""The parts of a plan that are switched on and off as one when it is ablated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

HUGE_PAGES = frozenset(
    {"kernel.nr_hugepages", "kernel.huge_pages_at_boot", "pg.huge_pages", "pg.huge_page_size"}
)
"""Of no use without the shared memory that they hold, and the other way round."""
MEMORY, WAL, PLANNER, VACUUM, KERNEL, CONNECTIONS = (
    "memory and huge pages",
    "WAL",
    "I/O and planner",
    "vacuum",
    "kernel",
    "connections",
)
_BY_GROUP: Mapping[str, str] = MappingProxyType(
    {
        "memory": MEMORY,
        "writing": WAL,
        "durability": WAL,
        "planner": PLANNER,
        "storage": PLANNER,
        "vacuum": VACUUM,
        "kernel": KERNEL,
        "host": KERNEL,
        "connections": CONNECTIONS,
    }
)
"""By the group of a recommendation."""


def parts(changes: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Ids by part, from each change's id and its recommendation's group; empty parts are left out."""
    found = dict[str, list[str]]()
    for name, group in changes:
        part = MEMORY if name in HUGE_PAGES else _BY_GROUP[group]
        found.setdefault(part, []).append(name)
    return {part: tuple(found[part]) for part in dict.fromkeys(_BY_GROUP.values()) if part in found}


def singles(changes: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Every change by itself, but what belongs to huge pages together."""
    changes = tuple(changes)
    together = tuple(name for name, _ in changes if name in HUGE_PAGES)
    alone = {name: (name,) for name, _ in changes if name not in HUGE_PAGES}
    return {**({MEMORY: together} if together else {}), **alone}

"""The parts of a plan that are switched on and off as one when it is ablated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

_HUGE_PAGES = re.compile(r"\.(nr_)?huge_?page")
"""How changes of huge pages, which do not include transparent ones, are named."""
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


def is_of_huge_pages(name: str) -> bool:
    """Whether a change is of no use without those of the shared memory that huge pages hold."""
    return _HUGE_PAGES.search(name) is not None


def parts(changes: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Ids by part, from each change's id and its recommendation's group; empty parts are left out."""
    result = dict[str, list[str]]()
    for name, group in changes:
        part = MEMORY if is_of_huge_pages(name) else _BY_GROUP[group]
        result.setdefault(part, []).append(name)
    return {part: tuple(result[part]) for part in dict.fromkeys(_BY_GROUP.values()) if part in result}


def singles(changes: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Every change by itself, but what belongs to huge pages together."""
    changes = tuple(changes)
    together = tuple(name for name, _ in changes if is_of_huge_pages(name))
    alone = {name: (name,) for name, _ in changes if not is_of_huge_pages(name)}
    return {**({MEMORY: together} if together else {}), **alone}

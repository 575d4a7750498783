"""The words for the parts of the memory table, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.values.units import Bytes

PARTS: Mapping[str, str] = MappingProxyType(
    {
        "buffers": "shared_buffers",
        "shared_other": "other shared memory",
        "huge_pages_idle": "unused huge pages",
        "connections": "connections",
        "page_tables": "page tables",
        "work": "sorts and hashes",
        "maintenance": "maintenance by hand",
        "autovacuum": "autovacuum",
        "system": "system",
        "claimed": "claimed in total",
        "page_cache": "left for the page cache",
        "total": "total",
    }
)
"""By their names in plan.json."""
SUMS = frozenset({"claimed", "total"})


def parts_in_words(budget: MemoryBudget) -> tuple[tuple[str, Bytes], ...]:
    """Every row of the table, the sums too."""
    return tuple((words, budget.parts[name]) for name, words in PARTS.items())


def parts_without_sums(budget: MemoryBudget) -> tuple[tuple[str, Bytes], ...]:
    """The rows that add up to the total, if the sums are shown elsewhere."""
    return tuple((words, budget.parts[name]) for name, words in PARTS.items() if name not in SUMS)


def parts_in_brief(budget: MemoryBudget) -> tuple[tuple[str, Bytes], ...]:
    """Five parts with distinct first letters, for a bar."""
    return (
        ("Buffers", budget.buffers + budget.shared_other),
        ("Work", budget.work + budget.connections + budget.page_tables),
        ("Maint", budget.maintenance + budget.autovacuum),
        ("System", budget.system + budget.huge_pages_idle),
        ("Cache", budget.page_cache),
    )

"""ZFS has a cache of its own (ARC) beside the page cache: told, with the limit that the budget leaves it."""

from __future__ import annotations

from tunewiz.core.planning.budget import MemoryBudget, budget_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, MissingFact, known_or
from tunewiz.core.values.rounding import round_down
from tunewiz.core.values.units import GIB, Bytes

LEAST = Bytes(GIB)
"""A smaller limit is not worth a sentence: then memory is what is missing."""


def arc_in_words(situation: Situation) -> str:
    """What to do about the ARC; empty where the data are on another file system or memory is not known."""
    if not _on_zfs(situation):
        return ""
    try:
        budget = budget_of(situation)
    except MissingFact:
        return ""
    if situation.in_container:
        return _of_the_host(situation, budget)
    return _bounded(situation, budget) if budget.page_cache >= LEAST else _short(situation, budget)


def _as_read(situation: Situation) -> str:
    """What it holds and may hold; what it may if nobody could look."""
    cache = situation.facts.memory.zfs_cache
    if not isinstance(cache, Known):
        return "may take half of memory or more and gives it back slowly"
    return (
        f"holds {cache.value.size.human()}, may grow to {cache.value.most.human()} and gives it back slowly"
    )


def _of_the_host(situation: Situation, budget: MemoryBudget) -> str:
    """All guests share the ARC: only who runs the host can weigh them."""
    cache = situation.facts.memory.zfs_cache
    held = f" It holds {cache.value.size.human()} there." if isinstance(cache, Known) else ""
    return (
        "The data are on ZFS, whose cache (ARC) belongs to the host and counts there, not in this "
        f"container's limit: the server claims {budget.claimed.human()} of its {budget.total.human()}.{held} "
        "Change nothing from here; ask the owner of the host how large the ARC may become (zfs_arc_max)."
    )


def _bounded(situation: Situation, budget: MemoryBudget) -> str:
    limit = round_down(budget.page_cache)
    cache = situation.facts.memory.zfs_cache
    if isinstance(cache, Known) and cache.value.most <= budget.page_cache:
        return ""
    return (
        f"The data are on ZFS, whose cache (ARC) {_as_read(situation)}. "
        f"The plan leaves {budget.page_cache.human()} for it: set zfs_arc_max to {limit.count} "
        f"({limit.short()}) in /etc/modprobe.d/zfs.conf and in /sys/module/zfs/parameters/zfs_arc_max."
    )


def _short(situation: Situation, budget: MemoryBudget) -> str:
    return (
        f"The data are on ZFS, whose cache (ARC) {_as_read(situation)}, but the server claims "
        f"{budget.claimed.human()} of {budget.total.human()}: bound it by zfs_arc_max, and expect fewer "
        "connections or add memory."
    )


def _on_zfs(situation: Situation) -> bool:
    data = (storage for storage in situation.facts.storage if "data" in storage.roles)
    return any(known_or(storage.filesystem, "") == "zfs" for storage in data) and isinstance(
        situation.facts.memory.total, Known
    )

"""Huge pages that are found only at boot: later, memory is too fragmented, or not free."""

from __future__ import annotations

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.shared_memory import EASILY_FOUND, HugePages, smaller_pages
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import GIB, MIB, Bytes

OF_FIRMWARE = Bytes(16 * GIB)
"""With hash translation a partition has none of this size but those that its definition sets aside."""

LEFT_FREE = Bytes(2 * GIB)
"""Left free, or a tenth if that is more: asking for too much does not fail but exhausts the machine."""


def why_at_boot(need: HugePages, situation: Situation) -> str:
    """Why the pages should be reserved at boot; empty if they are reserved already, or found later too."""
    missing = need.count - reserved_pages(need, situation)
    if missing <= 0:
        return ""
    if need.size > EASILY_FOUND:
        text = f"pages of {need.size.short()} are rarely found in one piece while the system runs"
        return "" if is_usual(need, situation) and smaller_pages(situation) else text
    if is_usual(need, situation) and need.size * missing > room_now(situation):
        return f"{(need.size * missing).short()} more are needed, and that much is not free now"
    return ""


def why_not_given(need: HugePages, situation: Situation) -> str:
    """Why no argument of the kernel brings the pages; empty if one may."""
    hypervisor = known_or(situation.facts.virtualization.hypervisor, "none")
    translation = situation.facts.memory.translation
    is_hash = isinstance(translation, Known) and translation.value == "hash"
    if need.size != OF_FIRMWARE or not is_hash or hypervisor == "none":
        return ""
    if reserved_pages(need, situation) >= need.count:
        return ""
    return (
        f"with hash translation a partition has only the pages of {need.size.short()} that its definition "
        "sets aside: the kernel can reserve no others"
    )


def is_usual(need: HugePages, situation: Situation) -> bool:
    """Whether the pages are of the kernel's own size, which vm.nr_hugepages counts."""
    return need.size == known_or(situation.facts.memory.huge_page_size, need.size)


def reserved_pages(need: HugePages, situation: Situation) -> int:
    """Pages of that size in the kernel's pools; raises MissingFact where the usual pool is not known."""
    if is_usual(need, situation):
        return situation.kernel_number("vm.nr_hugepages")
    nodes = known_or(situation.facts.memory.nodes, ())
    return sum(pool.pages for node in nodes for pool in node.huge_pages if pool.size == need.size)


def room_now(situation: Situation) -> Bytes:
    """What may be reserved of the memory that is free now."""
    return _but_for_a_rest(known_or(situation.facts.memory.available, situation.memory))


def room_at_boot(situation: Situation) -> Bytes:
    """What may be reserved of all the memory that the server may use; raises MissingFact."""
    return _but_for_a_rest(situation.memory)


def _but_for_a_rest(free: Bytes) -> Bytes:
    return max(Bytes(0), free - max(LEFT_FREE, free // 10))


def arguments_for(need: HugePages) -> tuple[str, ...]:
    """The kernel's arguments, in the order that gives the count to the size (admin-guide/mm/hugetlbpage)."""
    size = need.size.count
    word = f"{size // GIB}G" if size % GIB == 0 else f"{size // MIB}M"
    return f"hugepagesz={word}", f"hugepages={need.count}"

"""What bounds shared memory when the server starts: memory, the control group, strict accounting, addresses.

More than that cannot be taken, or is taken back by the out-of-memory killer once it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.recommendation.situation import ADDRESS_SPACE, Situation
from tunewiz.core.server.page_tables import lies_in_huge_pages
from tunewiz.core.server.shared_memory import pages_reserved, shared_overhead
from tunewiz.core.values.known import Known, MissingFact, known_or, needed
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import KIB, Bytes

STRICT = 2
"""vm.overcommit_memory: nothing is promised beyond a limit (Documentation/mm/overcommit-accounting.rst)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StartLimit:
    """The most that shared memory can be."""

    size: Bytes
    words: str
    """What the limit is, with its size."""


def is_strict(situation: Situation) -> bool:
    """Whether the kernel promises memory only up to a limit."""
    return known_or(situation.kernel("vm.overcommit_memory"), 0) == STRICT


def commit_limit(situation: Situation) -> Bytes:
    """CommitLimit: reserved huge pages do not count as memory; raises MissingFact."""
    swap = needed(situation.facts.memory.swap_total, "the size of swap")
    absolute = commit_kilobytes(situation)
    if absolute:
        return Bytes(absolute * KIB) + swap
    ratio = Fraction(situation.kernel_number("vm.overcommit_ratio"), 100)
    return (
        needed(situation.facts.memory.total, "the size of memory") - reserved_pool(situation)
    ) * ratio + swap


def reserved_pool(situation: Situation) -> Bytes:
    """The pool of huge pages after the plan; raises MissingFact."""
    reserved = pages_reserved(situation)
    if not reserved:
        return Bytes(0)
    pool = needed(situation.facts.memory.huge_page_size, "the size of huge pages") * reserved
    if pool >= needed(situation.facts.memory.total, "the size of memory"):
        raise MissingFact("the pool of huge pages", f"{reserved:,} pages would be more than all memory")
    return pool


def commit_kilobytes(situation: Situation) -> int:
    """The limit as a number of kilobytes, where it is given so instead of as a share; else 0."""
    number = known_or(situation.kernel("vm.overcommit_kbytes"), 0)
    return number if isinstance(number, int) else 0


def spendable(situation: Situation) -> Bytes:
    """Memory that the server can be promised: its own, within strict accounting; raises MissingFact."""
    if not is_strict(situation):
        return situation.memory
    try:
        promised = commit_limit(situation) + reserved_pool(situation)
    except MissingFact:
        return situation.memory
    return min(situation.memory, promised)


def unfit(situation: Situation, buffers: Bytes) -> StartLimit | None:
    """The limit that buffers of this size exceed together with the rest of shared memory."""
    needs = buffers + shared_overhead(situation, buffers)
    limits = sorted(_limits(situation), key=lambda limit: limit.size)
    return next((limit for limit in limits if needs > limit.size), None)


def _limits(situation: Situation) -> Iterator[StartLimit]:
    memory, group = situation.facts.memory.total, situation.facts.limits.memory
    if isinstance(memory, Known):
        yield StartLimit(size=memory.value, words=f"{memory.value.human()} of memory")
    if isinstance(group, Known):
        yield StartLimit(size=group.value, words=f"{group.value.human()} that the control group allows")
    if situation.is_32_bit:
        yield StartLimit(size=ADDRESS_SPACE, words=f"{ADDRESS_SPACE.human()} of a 32-bit address space")
    if is_strict(situation) and not lies_in_huge_pages(situation):
        yield from _committed(situation)


def _committed(situation: Situation) -> Iterator[StartLimit]:
    try:
        limit = commit_limit(situation)
    except MissingFact:
        return
    yield StartLimit(size=limit, words=f"{limit.human()} that vm.overcommit_memory = 2 lets it promise")

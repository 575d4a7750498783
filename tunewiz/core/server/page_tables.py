"""Page tables: each session maps the shared memory that it touches, page by page, in a table of its own.

With pages of 4 kB a session that has touched all of 256 GB of buffers has a table of 512 MB (measured on
PostgreSQL 15: 526,304 kB of shared memory touched, 1,404 kB of VmPTE). In huge pages the tables are hundreds
of times smaller and count for nothing. POWER's hash table comes beside them: there is one for the whole
partition, however many sessions there are.
"""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.huge_pages_limit import allows_buffers, limit_below
from tunewiz.core.server.shared_memory import (
    WORTH_HUGE_PAGES,
    buffers_beside,
    huge_pages_needed,
    pages_reserved,
)
from tunewiz.core.server.sorts import sessions_at_work
from tunewiz.core.values.known import Known, MissingFact, known_or
from tunewiz.core.values.units import KIB, Bytes

ENTRY = 8
"""Bytes that a page takes in a page table, on all 64-bit architectures (the kernel's sizeof(pte_t))."""

ENTRY_OF_HASH = 16
"""The same with pages of 64 kB and hash translation: half of it says where the page is in the hash table."""

PAGE_OF_HASH = Bytes(64 * KIB)
"""With pages of 4 kB that is part of the entry itself (arch/powerpc/include/asm/book3s/64/hash-4k.h)."""

USUAL_PAGE = Bytes(4 * KIB)
"""Where the size is unknown: the smallest of any supported architecture, which makes the largest tables."""

MOST_OF_MEMORY = Fraction(1, 20)
"""Page tables may take this share of memory: buffers that need more of them wait for huge pages."""


def page_tables(situation: Situation) -> Bytes:
    """What the sessions at work take for the planned shared memory; nothing if it lies in huge pages."""
    if lies_in_huge_pages(situation):
        return Bytes(0)
    return situation.will_be_size("shared_buffers") * _of_all_sessions(situation)


def lies_in_huge_pages(situation: Situation) -> bool:
    """Whether the server gets huge pages after the plan: it gets all that it needs, or none."""
    if situation.will_be("huge_pages") == "off" or _is_sysv(situation):
        return False
    try:
        need = huge_pages_needed(situation)
        return 0 < need.count <= pages_reserved(situation) and not limit_below(situation, need)
    except MissingFact:
        return False


def _is_sysv(situation: Situation) -> bool:
    name = "shared_memory_type"
    return situation.settings.has(name) and situation.will_be(name) == "sysv"


def largest_buffers(situation: Situation, room: Bytes) -> Bytes:
    """The largest buffers that fit into the room together with their overhead and their page tables."""
    in_huge_pages = buffers_beside(situation, room, Fraction(0))
    is_allowed = may_get_huge_pages(situation) and allows_buffers(situation, in_huge_pages)
    if is_allowed and in_huge_pages >= WORTH_HUGE_PAGES:
        return in_huge_pages
    in_small_pages = buffers_beside(situation, room, _of_all_sessions(situation))
    return min(in_small_pages, allowed_in_small_pages(situation))


def may_get_huge_pages(situation: Situation) -> bool:
    """Whether large buffers may count on huge pages: until a plan has shown that it reserves none."""
    return not situation.small_pages and isinstance(situation.facts.memory.huge_page_size, Known)


def allowed_in_small_pages(situation: Situation) -> Bytes:
    """The buffers whose page tables take no more than their share of memory; raises MissingFact."""
    share = situation.memory * MOST_OF_MEMORY
    return share * (1 / _of_all_sessions(situation))


def exceeds_share(situation: Situation) -> bool:
    """Whether page tables take more than their share of memory after the plan; no if memory is unknown."""
    try:
        return page_tables(situation) > situation.memory * MOST_OF_MEMORY
    except MissingFact:
        return False


def tables_in_words(situation: Situation, buffers: Bytes) -> str:
    """What one session and all at work would need for such buffers in small pages."""
    count, one = sessions_at_work(situation), _of_one(situation, buffers)
    return f"{one} for each of {count:,} sessions at work that touches all of it, {_in_pages(situation)}"


def table_in_words(situation: Situation, buffers: Bytes) -> str:
    """What a single session would need for such buffers in small pages."""
    return f"{_of_one(situation, buffers)} in each session that touches all of it, {_in_pages(situation)}"


def _of_one(situation: Situation, buffers: Bytes) -> str:
    return (buffers * Fraction(entry_size(situation), page_size(situation).count)).short()


def _in_pages(situation: Situation) -> str:
    return f"in pages of {page_size(situation).short()}{_translated(situation)}"


def _translated(situation: Situation) -> str:
    """On POWER, by which translation it was computed."""
    translation = situation.facts.memory.translation
    if not isinstance(translation, Known):
        return ""
    return f" that take {entry_size(situation)} bytes each with {translation.value} translation"


def page_size(situation: Situation) -> Bytes:
    """The architecture's usual size of pages."""
    return known_or(situation.facts.memory.page_size, USUAL_PAGE)


def entry_size(situation: Situation) -> int:
    """What each page takes in a page table."""
    translation = situation.facts.memory.translation
    is_hash = isinstance(translation, Known) and translation.value == "hash"
    return ENTRY_OF_HASH if is_hash and page_size(situation) >= PAGE_OF_HASH else ENTRY


def _of_all_sessions(situation: Situation) -> Fraction:
    """Page tables for each byte of shared memory, of all sessions at work."""
    entries = entry_size(situation) * max(1, sessions_at_work(situation))
    return Fraction(entries, page_size(situation).count)

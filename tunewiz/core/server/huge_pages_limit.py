"""Limits of the control group on huge pages (the kernel's documentation, cgroup-v1/hugetlb.rst).

One is enforced when a page is touched, not when it is asked for: a process beyond it gets a bus error
(SIGBUS), so `huge_pages = try` does not help. The other, on reservations, is enforced when pages are asked
for: with `try` the server starts without them.
"""

from __future__ import annotations

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.shared_memory import HugePages, shared_overhead
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import Bytes


def limit_below(situation: Situation, need: HugePages) -> Known[Bytes] | None:
    """The limit, where it is less than the server needs; other sizes of pages have limits of their own."""
    limit = situation.facts.limits.huge_pages
    usual = situation.facts.memory.huge_page_size
    is_usual = isinstance(usual, Known) and usual.value == need.size
    if not isinstance(limit, Known) or not is_usual or limit.value >= need.size * need.count:
        return None
    return limit


def kills(limit: Known[Bytes]) -> bool:
    """Whether it is enforced when a page is touched: its file says so."""
    return ".rsvd." not in limit.how


def limit_in_words(limit: Known[Bytes], need: HugePages) -> str:
    """What is allowed and what is needed."""
    allowed = f"{limit.value.short()} of" if limit.value else "no"
    needed = (need.size * need.count).short()
    return f"the control group may use {allowed} huge pages ({limit.how}), {needed} are needed"


def allows_buffers(situation: Situation, buffers: Bytes) -> bool:
    """Whether buffers of that size may lie in huge pages, as far as the control group is concerned."""
    limit = situation.facts.limits.huge_pages
    if not isinstance(limit, Known):
        return True
    return limit.value >= buffers + shared_overhead(situation, buffers)

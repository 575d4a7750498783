"""The memory budget, as the review tells it: where memory goes before and after."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.markdown import prose, table
from tunewiz.core.budget import MemoryBudget
from tunewiz.core.plan import Budget, NoBudget, Plan

_PARTS = {
    "buffers": "shared_buffers",
    "shared_other": "other shared memory",
    "huge_pages_idle": "huge pages that nobody uses",
    "connections": "connections",
    "work": "work memory of sorts and hashes",
    "maintenance": "maintenance",
    "autovacuum": "autovacuum workers",
    "system": "system",
    "claimed": "claimed together",
    "page_cache": "left for the page cache",
    "total": "there is",
}


def memory_budget(plan: Plan) -> Iterator[str]:
    """The section with the parts before and after."""
    yield from ("## Memory", "")
    if isinstance(plan.before, NoBudget) or isinstance(plan.after, NoBudget):
        yield from (f"No budget can be computed: {prose(_why_none(plan.before, plan.after))}.", "")
        return
    rows = (_memory_row(name, words, plan.before, plan.after) for name, words in _PARTS.items())
    yield from ("What a busy server can reach, everything at once.", "")
    yield from (*table(("", "now", "then"), rows), "")


def _why_none(*budgets: Budget) -> str:
    return next(each.why for each in budgets if isinstance(each, NoBudget))


def _memory_row(name: str, words: str, before: MemoryBudget, after: MemoryBudget) -> tuple[str, str, str]:
    return words, getattr(before, name).human(), getattr(after, name).human()

"""The memory budget, as the review tells it: where memory goes before and after."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.review.blocks import Block, MemoryPicture, Paragraph, TableBlock, heading, line
from tunewiz.core.planning.plan import Budget, BudgetUnknown, Plan
from tunewiz.core.words.memory import parts_in_words


def memory_budget(plan: Plan) -> Iterator[Block]:
    """The section with the parts before and after."""
    yield heading(2, "Memory")
    if isinstance(plan.before, BudgetUnknown) or isinstance(plan.after, BudgetUnknown):
        yield Paragraph((line(f"No budget can be computed: {_why_none(plan.before, plan.after)}."),))
        return
    pairs = zip(parts_in_words(plan.before), parts_in_words(plan.after), strict=True)
    rows = ((line(part), line(before.human()), line(after.human())) for (part, before), (_, after) in pairs)
    yield Paragraph(
        (line("The most that a busy server can reach, everything at once; then: with all of the plan."),)
    )
    yield TableBlock(("", "now", "then"), tuple(rows))
    yield MemoryPicture(before=plan.before, after=plan.after)


def _why_none(*budgets: Budget) -> str:
    return next(budget.why for budget in budgets if isinstance(budget, BudgetUnknown))

"""The memory budget, as the review tells it: where memory goes before and after."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.review.markdown import prose, table
from tunewiz.core.planning.plan import Budget, BudgetUnknown, Plan
from tunewiz.core.words.memory import parts_in_words


def memory_budget(plan: Plan) -> Iterator[str]:
    """The section with the parts before and after."""
    yield from ("## Memory", "")
    if isinstance(plan.before, BudgetUnknown) or isinstance(plan.after, BudgetUnknown):
        yield from (f"No budget can be computed: {prose(_why_none(plan.before, plan.after))}.", "")
        return
    pairs = zip(parts_in_words(plan.before), parts_in_words(plan.after), strict=True)
    rows = ((part, now.human(), then.human()) for (part, now), (_, then) in pairs)
    yield from ("The most that a busy server can reach, everything at once.", "")
    yield from (*table(("", "now", "then"), rows), "")


def _why_none(*budgets: Budget) -> str:
    return next(budget.why for budget in budgets if isinstance(budget, BudgetUnknown))

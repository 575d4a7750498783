"""Warnings about shared memory in pages of the wrong size: page tables that eat memory."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.planning.budget import budget_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.page_tables import exceeds_share, tables_in_words


def huge_page_warnings(end: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of each warning."""
    if exceeds_share(end):
        yield "page_tables", _page_tables(end)


def _page_tables(end: Situation) -> str:
    budget = budget_of(end)
    return (
        f"Without huge pages, page tables can take {budget.page_tables.human()} of {budget.total.human()}: "
        f"{tables_in_words(end, budget.buffers)}. Reserve huge pages for shared_buffers, or limit the "
        "sessions at work by a connection pool, or lower shared_buffers."
    )

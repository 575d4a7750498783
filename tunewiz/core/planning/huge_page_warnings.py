"""Warnings about page tables that eat memory, and about huge pages that nobody uses."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.budget import budget_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.page_tables import exceeds_share, tables_in_words
from tunewiz.core.server.shared_memory import WORTH_HUGE_PAGES, huge_pages_needed
from tunewiz.core.values.known import MissingFact, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes


def huge_page_warnings(start: Situation, end: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of each warning."""
    if text := _unused(start):
        yield "huge_pages_unused", text
    if exceeds_share(end):
        yield "page_tables", _page_tables(end)


def _unused(start: Situation) -> str:
    """That the running server does not use the pool: all of it is free; empty if it may be in use."""
    memory, server = start.facts.memory, start.server
    total, size = known_or(memory.huge_pages_total, 0), known_or(memory.huge_page_size, Bytes(0))
    is_free = total > 0 and known_or(memory.huge_pages_free, 0) == total
    if not is_free or not isinstance(server, PostgresServer) or not server.running or start.in_container:
        return ""
    if size * total < WORTH_HUGE_PAGES:
        return ""
    return (
        f"{how_many(total, 'huge page')} ({(size * total).human()}) are reserved, and all are free while the "
        f"server runs: it does not use them. {_why_unused(start, total)}"
    )


def _why_unused(start: Situation, total: int) -> str:
    if start.will_be("huge_pages") == "off":
        return "huge_pages is off: set it to try and restart, or give the pages back."
    try:
        need = huge_pages_needed(start)
    except MissingFact as missing:
        return f"Why is not known: {missing}."
    if need.count > total:
        return (
            f"It needs {need.count:,} ({need.computed}), and with fewer it takes none: reserve that many in "
            "vm.nr_hugepages, then restart it; or give the pages back."
        )
    return "They suffice, so they were reserved after it started: restart it, or give the pages back."


def _page_tables(end: Situation) -> str:
    budget = budget_of(end)
    return (
        f"Without huge pages, page tables can take {budget.page_tables.human()} of {budget.total.human()}: "
        f"{tables_in_words(end, budget.buffers)}. Reserve huge pages for shared_buffers, or limit the "
        "sessions at work by a connection pool, or lower shared_buffers."
    )

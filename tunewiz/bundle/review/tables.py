"""What the bundle's files for single tables hold, in short: they say it in full."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.review.blocks import Block, CodeText, Line, Paragraph, TableBlock, heading, line, marked
from tunewiz.core.planning.plan import Plan
from tunewiz.core.tables.items import TableAdvice
from tunewiz.core.tables.scripts import DO_FILE, UNDO_FILE, name_of
from tunewiz.core.tables.tables import advice_on_tables
from tunewiz.core.values.plural import how_many

MOST = 20
"""Rows: the first are of the busiest database and its largest tables."""


def single_tables(plan: Plan) -> Iterator[Block]:
    """The section, unless there is nothing to say of any table."""
    advice = advice_on_tables(plan)
    if not advice.something:
        return
    rows = tuple(_rows(advice))
    yield heading(2, "Single tables")
    yield Paragraph(tuple(map(marked, _sentences(advice))))
    yield TableBlock(("table", "what", "now", "then", "why"), rows[:MOST])
    if len(rows) > MOST:
        yield Paragraph((marked(f"{len(rows) - MOST} more are in `{DO_FILE}`."),))


def _sentences(advice: TableAdvice) -> Iterator[str]:
    set_there = how_many(len(advice.changes), "storage parameter")
    yield f"`{DO_FILE}` sets {set_there}, `{UNDO_FILE}` puts back what was there; apply.sh runs neither."
    if advice.decisions:
        yield (
            f"{how_many(len(advice.decisions), 'decision')} for a person, with the undo, "
            f"{'stands' if len(advice.decisions) == 1 else 'stand'} there commented out."
        )


def _rows(advice: TableAdvice) -> Iterator[tuple[Line, ...]]:
    for change in advice.changes:
        before = change.before or "not set"
        yield _row(name_of(change.table), change.parameter, before, change.value, change.because)
    for decision in advice.decisions:
        yield _row(
            name_of(decision.table), f"{decision.kind}: {decision.what}", "", "decide", decision.because
        )
    for sight in advice.sights:
        yield _row(name_of(sight.table), sight.kind, "", "look at it", sight.because)


def _row(table: str, what: str, before: str, after: str, why: str) -> tuple[Line, ...]:
    return (line(CodeText(table)), line(what), line(before), line(after), line(why))

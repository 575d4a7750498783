"""What is said of single tables, for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from tunewiz.core.facts.facts import Facts
from tunewiz.core.tables.items import TableAdvice
from tunewiz.core.tables.scripts import DO_FILE, UNDO_FILE, name_of, statement
from tunewiz.core.values.known import known_or
from tunewiz.core.words.harmless import harmless
from tunewiz.text.report import line, paper_width, printed
from tunewiz.text.wrapping import hanging

INDENT = "  "
LABEL = 8
"""Cells of a label before its text."""


def tables_text(advice: TableAdvice, facts: Facts) -> str:
    """The whole report."""
    width = paper_width()
    return printed(
        line(row.plain, str(row.style))
        for text in advice_lines(advice, facts)
        for row in hanging(text, width)
    )


def advice_lines(advice: TableAdvice, facts: Facts) -> Iterator[Text]:
    """Head, what to set, what to decide, what to look at."""
    yield Text(f"{harmless(known_or(facts.host.name, 'this server'))}: single tables", style="bold")
    if not advice.something:
        yield Text(_nothing(advice))
        return
    yield from _changes(advice)
    yield from _decisions(advice)
    yield from _sights(advice)
    yield Text()
    yield Text(f"`tunewiz bundle` writes the SQL as {DO_FILE}, and its undo as {UNDO_FILE}.")


def _nothing(advice: TableAdvice) -> str:
    if advice.why_none:
        return f"Nothing is said of tables: {harmless(advice.why_none)}."
    return "Nothing to do: no table that was read needs anything of its own."


def _changes(advice: TableAdvice) -> Iterator[Text]:
    yield from _title("To set", len(advice.changes))
    for change in advice.changes:
        before = change.before or "not set"
        yield from _item(
            f"{name_of(change.table)}: {change.parameter} {before} -> {change.value}", change.because
        )
        yield _below("SQL", statement(change))


def _decisions(advice: TableAdvice) -> Iterator[Text]:
    yield from _title("To decide", len(advice.decisions))
    for decision in advice.decisions:
        yield from _item(f"{name_of(decision.table)}: {decision.kind}, {decision.what}", decision.because)
        for statement_ in decision.do:
            yield _below("SQL", statement_)


def _sights(advice: TableAdvice) -> Iterator[Text]:
    yield from _title("To look at", len(advice.sights))
    for sight in advice.sights:
        yield from _item(f"{name_of(sight.table)}: {sight.kind}", sight.because)


def _title(text: str, count: int) -> Iterator[Text]:
    if count:
        yield Text()
        yield Text(f"{text} ({count})", style="bold")


def _item(what: str, because: str) -> Iterator[Text]:
    yield Text()
    yield Text(f"{INDENT}\t{harmless(what)}")
    yield _below("why", because)


def _below(label: str, text: str) -> Text:
    return Text.assemble((f"{INDENT * 2}{label}".ljust(LABEL + len(INDENT)), "dim"), "\t", harmless(text))

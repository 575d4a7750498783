"""A checkup for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.text import Text

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.waits import Waits
from tunewiz.core.health.ahead import ahead_in_words
from tunewiz.core.health.blockers import blocker_tree
from tunewiz.core.health.deep import deep_lines
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.health.troubles import Checkup
from tunewiz.core.health.waits import share_lines, verdict_on
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.harmless import harmless
from tunewiz.text.report import line, paper_width, printed
from tunewiz.text.wrapping import hanging

INDENT = "  "
WAITS_LABEL = 18
LABEL = 10
"""Cells of a label before its text."""


def health_text(result: Checkup, facts: Facts) -> str:
    """The whole report."""
    width = paper_width()
    return printed(
        line(row.plain, str(row.style)) for text in _report(result, facts) for row in hanging(text, width)
    )


def _report(result: Checkup, facts: Facts) -> Iterator[Text]:
    host = harmless(known_or(facts.host.name, "this server"))
    yield Text(f"{host}: what no setting mends", style="bold")
    for number, trouble in enumerate(result.troubles, start=1):
        yield from _trouble(number, trouble)
    if not result.troubles:
        yield Text("Nothing was seen." if result.unseen else "No trouble was seen.")
    if result.waits is not None:
        yield from _waits(result.waits)
    if result.deep is not None:
        title = f"Read whole by amcheck (in {how_many(result.deep.seconds, 'second')})"
        yield from _list(title, deep_lines(result.deep))
    ahead = (f"{ahead_in_words(entry)}." for entry in result.ahead)
    yield from _list("Ahead, if it goes on as it did", ahead)
    yield from _list("To know", (f"{note}." for note in result.notes))
    yield from _list("Not looked at", result.unseen)


def _list(title: str, rows: Iterable[str]) -> Iterator[Text]:
    """Nothing, without rows."""
    lines = [Text(f"{INDENT}\t{harmless(row)}") for row in rows]
    if lines:
        yield from (Text(), Text(title, style="bold"), *lines)


def _waits(waits: Waits) -> Iterator[Text]:
    yield Text()
    sampled = f"{how_many(waits.samples, 'sample')} over {how_many(waits.seconds, 'second')}"
    yield Text(f"What active sessions wait for ({sampled})", style="bold")
    yield Text(f"{INDENT}\t{verdict_on(waits)}.")
    for kind, share in share_lines(waits):
        yield Text.assemble((f"{INDENT}{kind}".ljust(WAITS_LABEL), "dim"), "\t", harmless(share))
    if waits.hidden:
        hidden = "sessions of others are missing in this: grant this role pg_read_all_stats"
        yield Text(f"{INDENT}\t{hidden}")
    if waits.blocked:
        yield Text()
        yield Text("Who blocks whom, at the end", style="bold")
        for row in blocker_tree(waits.blocked):
            depth = len(row) - len(row.lstrip())
            yield Text(f"{INDENT}{row[:depth]}\t{harmless(row[depth:])}")


def _trouble(number: int, trouble: Trouble) -> Iterator[Text]:
    yield Text()
    what = f": {trouble.what}" if trouble.what else ""
    yield Text(f"{number}. \t{harmless(trouble.kind + what)}", style="bold")
    yield _below("why", trouble.because)
    if trouble.do and trouble.database:
        yield _below("in", f"database {trouble.database}")
    for statement in trouble.do:
        yield _below("SQL", statement)
    for statement in trouble.undo:
        yield _below("undo", statement)
    for remaining in trouble.after:
        yield _below("after", remaining)
    yield _below("who", trouble.who)


def _below(label: str, text: str) -> Text:
    return Text.assemble((f"{INDENT}{label}".ljust(LABEL), "dim"), "\t", harmless(text))

"""The first page of an explanation: the decision, both sides, what was measured, seen and computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.text import Text

from tunewiz.core.planning.decisions import note_of
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.words.finding import words_of
from tunewiz.core.words.weighing import seen_in_words, weighing_in_words
from tunewiz.text.bullets import Bullet, bullets
from tunewiz.text.colors import ACCENT, AGAINST, FOR
from tunewiz.text.evidence_marks import HERE, marks_of
from tunewiz.text.finding_detail import computed
from tunewiz.text.measured_chart import measured_rows
from tunewiz.text.wrapping import hanging

DIVIDER = "│"
LINE, DOWN, UP = "─", "┬", "┴"
BEFORE = 8
"""Cells of a line before its title."""
NOTHING_AGAINST = "Nothing is known."


def overview(finding: Finding, plan: Plan, width: int) -> tuple[Text, ...]:
    """Its rows, none wider than that many cells."""
    left = (width - 3) // 2
    blocks = (
        ("measured", tuple(measured_rows(finding, width))),
        ("seen here", tuple(_seen(finding, width))),
        ("computed", tuple(_computed(finding, width))),
    )
    return (
        *_decision(finding, plan, width),
        *_sides(finding, left, width),
        *_below([(title, rows) for title, rows in blocks if rows], width, left + 1),
    )


def _decision(finding: Finding, plan: Plan, width: int) -> Iterator[Text]:
    finding_words = words_of(finding, plan.start)
    yield Text.assemble(
        " ",
        (finding_words.name.short, "bold"),
        f"   {finding_words.now.short} -> ",
        (finding_words.then.short, ACCENT),
        no_wrap=True,
        overflow="ellipsis",
    )
    yield Text.assemble(
        f" {finding_words.takes} · risk {finding_words.risk} · ", marks_of(finding, ""), no_wrap=True
    )
    if note := note_of(finding):
        yield from hanging(Text(f" note  \t{note}"), width)


def _sides(finding: Finding, left: int, width: int) -> Iterator[Text]:
    reasons = [bullet for bullet in bullets(finding) if bullet.kind == "for"]
    cons = [bullet for bullet in bullets(finding) if bullet.kind == "against"]
    right = width - left - 3
    yield Text.assemble(
        *_title("for", FOR, left + 1), (DOWN, "dim"), *_title("against", AGAINST, right + 1), no_wrap=True
    )
    against: Sequence[Text] = _column(cons, right) or (Text(NOTHING_AGAINST, style="dim"),)
    for one, other in zip_longest(_column(reasons, left - 1), against, fillvalue=Text()):
        padding = " " * (left - one.cell_len)
        yield Text.assemble(" ", one, padding, (DIVIDER, "dim"), " ", other, no_wrap=True)


def _computed(finding: Finding, width: int) -> Iterator[Text]:
    if text := computed(finding):
        yield from hanging(Text(f" {text}"), width)
    weighing = weighing_in_words(finding)
    if weighing and not seen_in_words(finding):
        yield from hanging(Text.assemble((" based on ", "dim"), "\t", weighing), width)


def _column(listed: Sequence[Bullet], width: int) -> Sequence[Text]:
    return [row for bullet in listed for row in bullet.rows(width)]


def _title(title: str, style: str, width: int) -> Sequence[tuple[str, str]]:
    before = (width - len(title) - 2) // 2
    after = width - len(title) - 2 - before
    return ((f"{LINE * before} ", "dim"), (title, style), (f" {LINE * after}", "dim"))


def _below(blocks: Sequence[tuple[str, Sequence[Text]]], width: int, at: int) -> Iterator[Text]:
    """Each block under a line with its title; the first line ends the columns above it."""
    if not blocks:
        yield _ending(Text(LINE * width, style="dim"), at)
    for number, (title, rows) in enumerate(blocks):
        after = LINE * (width - len(title) - BEFORE - 2)
        line = Text.assemble(
            (f"{LINE * BEFORE} ", "dim"), (title, "bold"), (f" {after}", "dim"), no_wrap=True
        )
        yield line if number else _ending(line, at)
        yield from rows


def _ending(line: Text, at: int) -> Text:
    """The line with the end of the columns above it, unless its title is there."""
    if line.plain[at : at + 1] != LINE:
        return line
    return Text.assemble(line[:at], (UP, "dim"), line[at + 1 :], no_wrap=True)


def _seen(finding: Finding, width: int) -> Iterator[Text]:
    for observation in finding.observed:
        text = Text.assemble((HERE, ACCENT), f" \t{observation.figure}: {observation.means}")
        yield from (Text.assemble(" ", row) for row in hanging(text, width - 1))
    if seen_in_words(finding):
        text = Text.assemble((HERE, ACCENT), f" \t{weighing_in_words(finding)}")
        yield from (Text.assemble(" ", row) for row in hanging(text, width - 1))

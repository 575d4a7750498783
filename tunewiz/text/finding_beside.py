"""One finding beside the list, on terminals with room for both: more than the pane below has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.text import Text

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.words.finding import words_of
from tunewiz.text.finding_detail import computed, cut, dealt, labelled_rows, parts_in_short, shortened
from tunewiz.text.memory_bar import memory_rows
from tunewiz.text.wrapping import hanging

FEWEST = 2
"""Rows of a part of the explanation; fewer would be a beginning only."""


def beside(finding: Finding, plan: Plan, *, width: int, height: int, cells: int) -> tuple[Text, ...]:
    """The decision, both sides, the evidence, then as much of the explanation as fits, and the memory.

    Args:
        finding: The one under the cursor.
        plan: With the memory that it takes.
        width: Cells of a row.
        height: Rows that there are; exactly so many are given.
        cells: How many of them the text may take: each arrow key sends it anew.
    """
    memory = memory_rows(plan.before, plan.after, width)
    result = list(_told(finding, plan, width))
    room = max(len(result) + 1, min(height - len(memory) - 1, cells // width))
    result += dealt(_reasons(finding, width), room - len(result), width)
    result += _more(finding, room - len(result), width)
    blank = [Text()] * (height - len(result) - len(memory))
    return (*result, *blank, *memory)[:height]


def _told(finding: Finding, plan: Plan, width: int) -> Iterator[Text]:
    words = words_of(finding, plan.start)
    yield cut(Text(words.name.short, style="bold"), width)
    yield cut(Text(f"{words.now.short} → {words.then.short}"), width)
    yield cut(Text(f"takes {words.takes}, risk {words.risk}"), width)
    if text := computed(finding):
        yield from (cut(row, width) for row in hanging(Text(text), width - 2)[:FEWEST])
    yield Text()


def _reasons(finding: Finding, width: int) -> Sequence[Sequence[Text]]:
    return [labelled_rows(label, text, width) for label, text in parts_in_short(finding) if text]


def _more(finding: Finding, room: int, width: int) -> Iterator[Text]:
    """As many rows of the explanation as there is room for, the last with dots where it goes on."""
    explanation = finding.recommendation.explanation
    parts = (
        ("changes", explanation.changes),
        ("helps", explanation.helps),
        ("leave it", explanation.leave_alone),
        ("costs", explanation.costs),
        ("watch", explanation.watch),
    )
    paragraphs = [labelled_rows(label, text, width) for label, text in parts if text]
    rows = list(chain.from_iterable([Text(), *paragraph] for paragraph in paragraphs))
    shown = rows[: max(0, room)]
    while shown and not shown[-1].plain:
        _ = shown.pop()
    if shown and len(shown) < len(rows) and rows[len(shown)].plain:
        shown[-1] = shortened(shown[-1])
    yield from (cut(row, width) if row.plain else row for row in shown)

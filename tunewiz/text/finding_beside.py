"""One finding beside the list, on terminals with room for both: more than the pane below has."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.words.finding import words_of
from tunewiz.text.bullets import bullets, cut, dealt
from tunewiz.text.evidence_marks import marks_of
from tunewiz.text.finding_detail import computed, labelled_rows
from tunewiz.text.memory_bar import memory_rows
from tunewiz.text.wrapping import hanging

COMPUTED = 3
"""Rows that the computation may take."""
REST = "enter: all of it"


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
    room = max(len(result) + 1, min(height - len(memory) - 2, cells // width))
    result += dealt(bullets(finding), room - len(result), width)
    result += _more(finding, room - len(result), width)
    result.append(cut(Text(REST, style="dim"), width))
    blank = [Text()] * (height - len(result) - len(memory))
    return (*result, *blank, *memory)[:height]


def _told(finding: Finding, plan: Plan, width: int) -> Iterator[Text]:
    words = words_of(finding, plan.start)
    yield cut(Text.assemble((words.name.short, "bold"), "  ", marks_of(finding, "")), width)
    yield cut(Text.assemble(f"{words.now.short} -> ", (words.then.short, "bold")), width)
    yield cut(Text(f"takes {words.takes}, risk {words.risk}"), width)
    if text := computed(finding):
        yield from (cut(row, width) for row in hanging(Text(text), width - 2)[:COMPUTED])
    yield Text()


def _more(finding: Finding, room: int, width: int) -> Iterator[Text]:
    """The paragraphs of the explanation that there is room for, each whole."""
    explanation = finding.recommendation.explanation
    parts = (
        ("changes", explanation.changes),
        ("helps", explanation.helps),
        ("leave it", explanation.leave_alone),
        ("costs", explanation.costs),
        ("watch", explanation.watch),
    )
    left = room
    for label, text in parts:
        rows = labelled_rows(label, text, width) if text else ()
        if rows and len(rows) < left:
            yield Text()
            yield from (cut(row, width) for row in rows)
            left -= len(rows) + 1

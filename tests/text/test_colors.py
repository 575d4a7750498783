"""Colours stand beside marks and words that say the same; without them nothing is lost."""

from collections.abc import Iterator

import pytest
from rich.style import Style
from rich.text import Text

from tunewiz.core.planning.impact import by_impact
from tunewiz.core.planning.plan import Plan
from tunewiz.core.words.finding import name_of
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demos
from tunewiz.planning import default_answers
from tunewiz.text.evidence_marks import HERE, LIKE
from tunewiz.text.findings import rows_of
from tunewiz.text.memory_bar import SHADES, memory_line, memory_rows
from tunewiz.text.review import memory, summary
from tunewiz.wizard.bundle_preview import Previewed
from tunewiz.wizard.journey import Journey, begin

SIXTEEN = {"red", "green", "yellow", "blue", "magenta", "cyan"}
SAY_THE_SAME = ("[x]", "!", "+", "med", "HIGH", "restart", "reboot", LIKE, HERE, *SHADES)
NOTHING = Previewed(files=(), out_of_reach=())


def journey_of(name: str) -> Journey:
    facts, knowledge = demo_facts(name), load_knowledge()
    return begin(facts, default_answers(facts, knowledge), knowledge)


def shown(journey: Journey) -> Iterator[Text]:
    plan = journey.plan
    yield from (row.text for row in rows_of(plan, 99, find="", everything=True))
    yield from summary(journey, NOTHING)
    yield from memory(plan)
    yield memory_line(plan.after, 99)
    yield from memory_rows(plan.before, plan.after, 60)


def coloured(text: Text) -> Iterator[tuple[str, str]]:
    """Each coloured part, with its colour."""
    for start, end, style in ((0, len(text), text.style), *text.spans):
        parsed = style if isinstance(style, Style) else Style.parse(style)
        if parsed.color is not None and text.plain[start:end].strip():
            yield text.plain[start:end].strip(), parsed.color.name


@pytest.mark.parametrize("name", sorted(demos()))
def test_what_has_a_colour_has_a_mark_or_a_word_too(name: str) -> None:
    parts = [part for text in shown(journey_of(name)) for part in coloured(text)]
    assert parts
    assert {color for _, color in parts} <= SIXTEEN
    assert [part for part, _ in parts if not part.startswith(SAY_THE_SAME)] == []


def test_the_parts_of_the_memory_bar_have_a_shade_each() -> None:
    assert len(set(SHADES)) == len(SHADES)


def changes_in(plan: Plan, texts: tuple[Text, ...]) -> list[str]:
    names = {name_of(change).short for change in plan.changes}
    rows = [text.plain[2:].partition(" = ")[0].strip() for text in texts if text.plain[:1] in "+!"]
    return [row for row in rows if row in names]


@pytest.mark.parametrize("name", sorted(demos()))
def test_the_review_lists_the_changes_by_impact(name: str) -> None:
    journey = journey_of(name)
    changes = changes_in(journey.plan, summary(journey, NOTHING))
    assert changes == [name_of(finding).short for finding in by_impact(journey.plan.changes)]

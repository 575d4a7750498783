"""What is told of a row changes with the cursor, not a frame later."""

import pytest

from rehearsal import Stage, forward_to, until
from tunewiz.core.answers.steps import Step
from tunewiz.screens.glossary import GlossaryPage
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.rows import RowList

SIZE = (80, 24)


@pytest.mark.parametrize(
    ("step", "selector"),
    [
        (Step.MACHINE, "#message"),
        (Step.WORKLOAD, "#about"),
        (Step.RISK, "#about"),
        (Step.RECOMMENDATIONS, "#pane"),
    ],
)
async def test_it_is_told_before_anything_is_painted(step: Step, selector: str) -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, step)
        words = wizard.screen.query_one(selector, Lines)
        before = words.plain
        wizard.screen.query(RowList).first().action_cursor(1)
        assert words.plain != before


async def test_a_word_of_the_glossary_too() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.MACHINE)
        await pilot.press("f2", *"glossary", "enter")
        await until(pilot, lambda: isinstance(wizard.screen, GlossaryPage))
        page = wizard.screen
        assert isinstance(page, GlossaryPage)
        before = page.meaning.plain
        page.finder.action_cursor(1)
        assert page.meaning.plain != before
        await pilot.press(*"fsync")
        await until(pilot, lambda: "fsync" in page.meaning.plain)


async def test_a_cursor_that_stays_tells_nothing_anew() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.MACHINE)
        words = wizard.screen.query_one("#message", Lines)
        before = words.plain
        wizard.screen.query(RowList).first().action_cursor(-1)
        assert words.plain == before

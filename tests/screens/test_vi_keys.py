"""Letters that hands know from less and vi move where rows or texts scroll, and are letters in a field."""

import pytest
from textual.pilot import Pilot

from rehearsal import Stage, at, forward_to, until
from tunewiz.core.answers.steps import Step
from tunewiz.screens.explain import Explain
from tunewiz.screens.recommendations import Recommendations
from tunewiz.wizard.outcome import Outcome

SIZE = (80, 24)
SAME = (("j", "down"), ("G", "end"), ("k", "up"), ("g", "home"))


async def the_list(pilot: Pilot[Outcome]) -> Recommendations:
    await forward_to(pilot, Step.RECOMMENDATIONS)
    page = pilot.app.screen
    assert isinstance(page, Recommendations)
    return page


@pytest.mark.parametrize("keys", [SAME, SAME[::-1]], ids=["forth", "back"])
async def test_each_letter_moves_as_its_key_does(keys: tuple[tuple[str, str], ...]) -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await the_list(pilot)
        for letter, key in keys:
            before = page.advice.key
            await pilot.press(letter)
            by_letter = page.advice.key
            page.advice.show(page.advice.rows, before)
            await pilot.press(key)
            assert page.advice.key == by_letter


async def test_half_a_page_down_and_up_comes_back() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await the_list(pilot)
        before = page.advice.key
        await pilot.press("ctrl+d")
        assert page.advice.key != before
        await pilot.press("ctrl+u", "ctrl+u")
        assert page.advice.key == before


async def test_a_text_scrolls_by_them_too() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        await the_list(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Explain))
        page = pilot.app.screen
        assert isinstance(page, Explain)
        await until(pilot, lambda: page.reader.max_scroll_y > 0)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: page.reader.scroll_offset.y > 1)
        await pilot.press("g")
        await until(pilot, lambda: page.reader.scroll_offset.y == 0)


async def test_in_a_field_they_are_letters() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await the_list(pilot)
        await pilot.press("slash", *"jkgG")
        assert page.listed.find.value == "jkgG"


async def test_a_folded_pane_gives_its_rows_to_the_list_and_takes_them_back() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await the_list(pilot)
        before = page.advice.size.height
        await pilot.press("z")
        await until(pilot, lambda: page.advice.size.height > before)
        assert "Buffers" in page.pane.plain
        await pilot.press("z")
        await until(pilot, lambda: page.advice.size.height == before)
        await at(pilot, Step.RECOMMENDATIONS)

"""The explanation: to the next recommendation, to a section, to words that are looked for."""

from textual.pilot import Pilot

from rehearsal import Stage, forward_to, until
from tunewiz.core.answers.steps import Step
from tunewiz.screens.explain import Explain
from tunewiz.screens.widgets.reader import Reader
from tunewiz.wizard.outcome import Outcome

SIZE = (80, 24)


async def opened(pilot: Pilot[Outcome]) -> Explain:
    """The explanation of the first recommendation."""
    await forward_to(pilot, Step.RECOMMENDATIONS)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, Explain) and bool(page_of(pilot).reader.plain))
    return page_of(pilot)


def page_of(pilot: Pilot[Outcome]) -> Explain:
    """The page, which must be on top."""
    page = pilot.app.screen
    assert isinstance(page, Explain)
    return page


def first_row(reader: Reader) -> str:
    """What is read at the top."""
    return "".join(segment.text for segment in reader.render_line(0)).rstrip()


async def test_next_and_previous_change_the_text_and_the_title_together() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        first = (page.aside(), page.reader.plain)
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: page.aside() != first[0])
        assert page.reader.plain != first[1]
        assert page.question.right.plain == page.aside()
        await pilot.press("left_square_bracket")
        await until(pilot, lambda: (page.aside(), page.reader.plain) == first)


async def test_before_the_first_it_stays_and_says_so() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        before = page.reader.plain
        await pilot.press("left_square_bracket")
        await until(pilot, lambda: "the first one" in page.message.plain)
        assert page.reader.plain == before


async def test_a_digit_goes_to_its_section() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        await pilot.press("3")
        await until(pilot, lambda: first_row(page.reader).startswith(" 3 "))


async def test_words_that_are_found_are_marked_without_colour_too() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        await pilot.press("slash", *"WHY IT HELPS", "enter")
        await until(pilot, lambda: first_row(page.reader) == ">2 Why it helps")


async def test_words_that_are_not_there_move_nothing() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        before = first_row(page.reader)
        await pilot.press("slash", *"zzzz", "enter")
        await until(pilot, lambda: "Not found in this text: zzzz" in page.message.plain)
        assert first_row(page.reader) == before


async def test_again_before_any_search_says_what_to_press() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        await pilot.press("n")
        await until(pilot, lambda: "/ asks for words" in page.message.plain)


async def test_l_shows_the_page_of_this_major_version() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        await pilot.press("l")
        await until(pilot, lambda: page.reader.scroll_offset.y > 0)
        shown = "".join(
            segment.text for y in range(page.reader.size.height) for segment in page.reader.render_line(y)
        )
        assert "https://www.postgresql.org/docs/" in shown


async def test_a_large_terminal_is_filled_with_whole_sections() -> None:
    async with Stage().wizard().run_test(size=(200, 60)) as pilot:
        page = await opened(pilot)
        await until(pilot, lambda: "1 What changes\n" in page.reader.plain)
        assert page.reader.max_scroll_y == 0


async def test_in_a_small_terminal_the_first_page_stays_folded_and_o_unfolds_it() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        assert "1 What changes\n" not in page.reader.plain
        await pilot.press("o")
        await until(pilot, lambda: "1 What changes\n" in page.reader.plain)

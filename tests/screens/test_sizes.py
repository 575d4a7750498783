"""From 60x16 to large terminals, resized at any time: nothing overflows, nothing is lost."""

import pytest
from textual.geometry import Size

from rehearsal import Stage, at, forward_to, shown, until
from terminal_session import TerminalSession
from tunewiz.core.answers.steps import Step
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.lines import Lines

STEPS = [step for step in Step if step is not Step.WELCOME]


@pytest.mark.parametrize(
    "size",
    [(80, 24), *(pytest.param(row, marks=pytest.mark.slow) for row in ((60, 16), (300, 100)))],
    ids=str,
)
@pytest.mark.parametrize("step", STEPS)
async def test_nothing_scrolls_sideways(step: Step, size: tuple[int, int]) -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=size) as pilot:
        await forward_to(pilot, step)
        page = wizard.screen
        assert isinstance(page, Page)
        assert page.query_one("#body").virtual_size.width <= size[0]
        assert page.max_scroll_x == 0


async def test_a_terminal_that_shrinks_says_so_and_comes_back_as_it_was() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await forward_to(pilot, Step.WORKLOAD)
        await pilot.press("tab", "9")
        await pilot.resize_terminal(50, 12)
        await until(pilot, lambda: "tunewiz needs 60x16" in " ".join(shown(wizard).split()))
        await pilot.resize_terminal(40, 10)
        await until(pilot, lambda: "40x10" in shown(wizard))
        await pilot.resize_terminal(80, 24)
        await at(pilot, Step.WORKLOAD)
        assert "Connections at the peak  9 " in shown(wizard)


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (0, 0)], ids=str)
async def test_no_size_ends_it(size: tuple[int, int]) -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.resize_terminal(*size)
        await pilot.pause()
        await pilot.resize_terminal(100, 30)
        await at(pilot, Step.RECOMMENDATIONS)
        assert "shared_buffers" in shown(wizard)


@pytest.mark.parametrize(
    "size", [(3, 200), *(pytest.param(row, marks=pytest.mark.slow) for row in ((1, 1), (59, 15), (80, 24)))]
)
def test_a_page_that_nobody_touches_rests(size: tuple[int, int]) -> None:
    with TerminalSession(size=(120, 40)) as session:
        session.see("Which machine")
        session.settle()
        session.resize(size)
        session.watch(1.5)
        before, received = session.worked(), len(session.received)
        session.watch(1.0)
        assert session.worked() - before <= 0.1
        assert len(session.received) == received


def test_text_without_room_is_no_lower_than_with_a_cell() -> None:
    words = Lines("Some words that are wrapped.")
    none, one = (words.get_content_height(Size(9, 9), Size(9, 9), width) for width in (0, 1))
    assert none == one > 1

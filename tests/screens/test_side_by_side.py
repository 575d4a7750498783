"""From 120 columns on, list and explanation share the terminal; no line of text is too long to read."""

import pytest
from textual.geometry import Size

from rehearsal import Stage, a_few, forward_to, shown, until
from tunewiz.core.answers.steps import Step
from tunewiz.screens.side_by_side import MARGIN, NARROWEST_LIST, PANE, WIDE, WIDEST_TEXT, Layout

WIDTHS = range(40, 400)


@pytest.mark.parametrize("rows", [10, 24, 40, 60])
def test_the_parts_fit_beside_each_other_at_every_width(rows: int) -> None:
    for width in WIDTHS:
        layout = Layout.of(Size(width, rows))
        assert layout.list + layout.beside <= width
        assert layout.is_wide == (width >= WIDE)
        if layout.is_wide:
            assert layout.list >= NARROWEST_LIST
            assert WIDE - NARROWEST_LIST <= layout.beside <= WIDEST_TEXT + MARGIN
            assert layout.pane == 1


def test_a_wider_terminal_makes_no_part_narrower() -> None:
    layouts = [Layout.of(Size(width, 40)) for width in WIDTHS if width >= WIDE]
    for part in ([layout.list for layout in layouts], [layout.beside for layout in layouts]):
        assert part == sorted(part)


def test_below_120_columns_the_explanation_is_below_the_list() -> None:
    assert Layout.of(Size(119, 24)) == Layout(list=119, beside=0, pane=PANE)


@pytest.mark.parametrize("size", [(120, 40), (200, 60)], ids=["120x40", "200x60"])
async def test_the_explanation_beside_the_list_follows_the_cursor(size: tuple[int, int]) -> None:
    wizard = Stage(knowledge=a_few).wizard()
    async with wizard.run_test(size=size) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await until(pilot, lambda: "What changes" in shown(wizard))
        first = shown(wizard)
        await pilot.press("down")
        await until(pilot, lambda: shown(wizard) != first)
        assert "What changes" in shown(wizard)


async def test_a_terminal_that_gets_narrower_moves_the_explanation_below_the_list() -> None:
    wizard = Stage(knowledge=a_few).wizard()
    async with wizard.run_test(size=(140, 40)) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await until(pilot, lambda: "What changes" in shown(wizard))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "What changes" not in shown(wizard) and " against " in shown(wizard))

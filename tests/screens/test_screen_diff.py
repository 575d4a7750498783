"""What is sent makes the terminal show what was painted, and is little."""

from collections.abc import Sequence
from typing import TypeAlias

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.console import Console
from rich.text import Text
from textual._compositor import LayoutUpdate
from textual.geometry import Size
from textual.pilot import Pilot
from textual.strip import Strip

from rehearsal import Stage, forward_to
from tunewiz.core.answers.machine_choice import ExampleMachine
from tunewiz.core.answers.steps import Step
from tunewiz.screens.widgets.paint import strip
from tunewiz.tui.terminal.screen_diff import TerminalContents
from tunewiz.wizard.outcome import Outcome

Cells: TypeAlias = list[tuple[str, bool]]
"""Letters, and whether each is reversed."""

SMALL, LARGE, TINY = Size(80, 24), Size(120, 40), Size(30, 8)
MAX_FOR_AN_ARROW = {SMALL: 650, LARGE: 2_800}
"""In one frame; the wizard sends a list and what stands beside it in two, with up to 24 bytes around each.

On the large terminal the list shares its rows with the explanation: the terminal cannot scroll one alone.
"""


class Terminal:
    """A terminal to which pages are sent."""

    def __init__(self, size: Size) -> None:
        self._size = size
        self._shown = TerminalContents(ColorSystem.STANDARD)
        self._screen = pyte.Screen(size.width, size.height)
        self._stream = pyte.Stream(self._screen)

    def show(self, rows: Sequence[Strip]) -> int:
        """Bytes that it took; the terminal shows these rows afterwards."""
        page = LayoutUpdate([[row] for row in rows], self._size.region)
        sent = self._shown.lean(page, self._size.width).render_segments(Console())
        self._stream.feed(sent)
        for y, row in enumerate(rows):
            assert self._row(y) == _cells(row), f"row {y} after {sent!r}"
        return len(sent.encode())

    def be_drawn_over(self) -> None:
        """By another program, of which the wizard is told."""
        self._stream.feed("\x1b[H" + "?" * (self._size.width * self._size.height - 1))
        self._shown.forget()

    def _row(self, y: int) -> Cells:
        row = self._screen.buffer[y]
        return [(row[x].data, row[x].reverse) for x in range(self._size.width)]


def _cells(row: Strip) -> Cells:
    cells = Cells()
    for text, style, _ in row:
        for letter in text:
            is_reversed = bool(style and style.reverse)
            cells += [(letter, is_reversed), ("", is_reversed)][: Text(letter).cell_len]
    return cells


WORDS = st.lists(
    st.tuples(st.text("ab  …─é漢▸", max_size=9), st.sampled_from(["", "", "bold", "reverse"])), max_size=5
)
ROWS = WORDS.map(lambda words: strip(Text.assemble(*words), TINY.width))
PAGES = st.lists(ROWS, min_size=TINY.height, max_size=TINY.height)
STEPS = st.lists(st.tuples(st.integers(-4, 4), PAGES, st.booleans()), min_size=1, max_size=8)


@given(PAGES, STEPS)
@settings(max_examples=60)
def test_a_terminal_shows_what_was_painted_however_it_was_scrolled(
    rows: list[Strip], steps: list[tuple[int, list[Strip], bool]]
) -> None:
    terminal = Terminal(TINY)
    _ = terminal.show(rows)
    for by, others, is_drawn_over in steps:
        if is_drawn_over:
            terminal.be_drawn_over()
        rows = [rows[y + by] if 0 <= y + by < TINY.height else others[y] for y in range(TINY.height)]
        _ = terminal.show(rows)


def test_a_page_that_is_shown_already_costs_nothing() -> None:
    rows, terminal = [strip(Text(f"row {y}"), 80) for y in range(24)], Terminal(SMALL)
    assert terminal.show(rows) > 0
    assert terminal.show(rows) == 0


def test_a_list_that_moves_by_a_row_costs_one_row() -> None:
    rows = [strip(Text(f"{7919 * y} " * 14), 80) for y in range(30)]
    terminal = Terminal(SMALL)
    _ = terminal.show(rows[:24])
    assert terminal.show(rows[1:25]) < 120
    assert terminal.show(rows[:24]) < 120


FEW, MANY = 22, 45
"""Rows that a list is gone down, and up again."""
OTHERS = ("z13-lpar", "aarch64-64k", "power10", "nvme-server")


@pytest.mark.parametrize(
    ("name", "rows", "size"),
    [
        ("small-vm", FEW, SMALL),
        *(pytest.param(name, MANY, SMALL, marks=pytest.mark.slow) for name in OTHERS),
        pytest.param("small-vm", MANY, LARGE, marks=pytest.mark.slow),
    ],
)
async def test_an_arrow_key_costs_few_bytes_on_every_row_of_the_list(
    name: str, rows: int, size: Size
) -> None:
    wizard = Stage(machine=ExampleMachine(name)).wizard()
    async with wizard.run_test(size=size) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        shown = TerminalContents(ColorSystem.STANDARD)
        _ = sent(shown, pilot)
        costs = list[int]()
        for key in ("down",) * rows + ("up",) * rows:
            await pilot.press(key)
            costs.append(sent(shown, pilot))
        assert max(costs) <= MAX_FOR_AN_ARROW[size], costs


def sent(shown: TerminalContents, pilot: Pilot[Outcome]) -> int:
    """Bytes that bring a terminal to what the page shows."""
    page = pilot.app.screen._compositor.render_full_update()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - what is painted
    return len(shown.lean(page, page.region.width).render_segments(Console()).encode())

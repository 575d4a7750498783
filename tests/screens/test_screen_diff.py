"""What is sent makes the terminal show what was painted, and is little."""

import re
from collections.abc import Sequence
from typing import TypeAlias

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
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

Cells: TypeAlias = list[tuple[str, bool, bool]]
"""Letters, and whether each is reversed, and a link."""
ADDRESS = "https://www.example.org/docs/16/page.html#GUC-NAME"
OSC_8 = re.compile(r"\x1b\]8;[^;]*;([^\x1b]*)\x1b\\")

SMALL, LARGE, TINY = Size(80, 24), Size(120, 40), Size(30, 8)
MAX_FOR_AN_ARROW = {SMALL: 700, LARGE: 3_600}
"""In one frame; the wizard sends a list and what stands beside it in two, with up to 24 bytes around each.

On the large terminal the list shares its rows with the explanation: the terminal cannot scroll one alone.
"""


class LinkingScreen(pyte.Screen):
    """Cells of a link blink: pyte knows no links."""

    is_link = False

    def begin_link(self, address: str) -> None:
        """What is drawn from now on is a link, unless the address is empty."""
        self.is_link = bool(address)
        self._mark()

    def select_graphic_rendition(self, *attrs: int, **kwargs: object) -> None:
        """Styles neither begin nor end a link."""
        super().select_graphic_rendition(*attrs, **kwargs)
        self._mark()

    def _mark(self) -> None:
        self.cursor.attrs = self.cursor.attrs._replace(blink=self.is_link)


class Terminal:
    """A terminal to which pages are sent."""

    def __init__(self, size: Size) -> None:
        self._size = size
        self._shown = TerminalContents(ColorSystem.STANDARD, links=True)
        self._screen = LinkingScreen(size.width, size.height)
        self._stream = pyte.Stream(self._screen)

    def show(self, rows: Sequence[Strip]) -> int:
        """Bytes that it took; the terminal shows these rows afterwards."""
        page = LayoutUpdate([[row] for row in rows], self._size.region)
        sent = self._shown.lean(page, self._size.width).render_segments(Console())
        self._feed(sent)
        for y, row in enumerate(rows):
            assert self._row(y) == _cells(row), f"row {y} after {sent!r}"
        return len(sent.encode())

    def _feed(self, sent: str) -> None:
        for at, part in enumerate(OSC_8.split(sent)):
            if at % 2:
                self._screen.begin_link(part)
            else:
                self._stream.feed(part)
        assert not self._screen.is_link, "a link that does not end"

    def be_drawn_over(self) -> None:
        """By another program, of which the wizard is told."""
        self._stream.feed("\x1b[H" + "?" * (self._size.width * self._size.height - 1))
        self._shown.forget()

    def _row(self, y: int) -> Cells:
        row = self._screen.buffer[y]
        return [(row[x].data, row[x].reverse, row[x].blink) for x in range(self._size.width)]


def _cells(row: Strip) -> Cells:
    cells = Cells()
    for text, style, _ in row:
        for letter in text:
            is_reversed = bool(style and style.reverse)
            is_link = bool(style and style.link) and letter != " "
            looks = (is_reversed, is_link)
            cells += [(letter, *looks), ("", *looks)][: Text(letter).cell_len]
    return cells


WORDS = st.lists(
    st.tuples(
        st.text("ab  …─é漢▸", max_size=9), st.sampled_from(["", "", "bold", "reverse", f"link {ADDRESS}"])
    ),
    max_size=5,
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
        shown = TerminalContents(ColorSystem.STANDARD, links=True)
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


def sent_of(address: str, *, links: bool) -> str:
    """What a row with this link sends."""
    row = strip(Text.assemble("see ", ("page", f"link {address}"), " now"), 80)
    page = LayoutUpdate([[row]], Size(80, 1).region)
    return TerminalContents(ColorSystem.STANDARD, links=links).lean(page, 80).render_segments(Console())


def test_a_link_is_one_pair_of_sequences_around_its_words() -> None:
    sent = sent_of(ADDRESS, links=True)
    assert OSC_8.findall(sent) == [ADDRESS, ""]
    begun = re.escape(f";{ADDRESS}\x1b\\")
    assert re.search(rf"see \x1b\]8;id=[0-9a-f]+{begun}page\x1b\]8;;\x1b\\ now", sent)


def test_rows_of_one_address_have_one_id_and_other_addresses_another() -> None:
    first, second, other = (sent_of(text, links=True) for text in (ADDRESS, ADDRESS, f"{ADDRESS}-2"))
    assert first == second
    assert re.findall("id=[0-9a-f]+", first) != re.findall("id=[0-9a-f]+", other)


@pytest.mark.parametrize(
    "address",
    [
        "http://www.example.org/",
        "file:///etc/passwd",
        "https://www.example.org/\x07echo",
        "https://www.example.org/\x1b]52;c;AAAA\x1b\\",
        f"https://{'a' * 501}",
        "https://www.example.org/é",
    ],
)
def test_what_could_end_the_sequence_or_is_no_page_is_no_link(address: str) -> None:
    row = strip(Text.assemble(("page", Style(link=address))), 80)
    shown = TerminalContents(ColorSystem.STANDARD, links=True)
    sent = shown.lean(LayoutUpdate([[row]], Size(80, 1).region), 80).render_segments(Console())
    assert "\x1b]" not in sent
    assert "page" in sent


def test_a_terminal_without_links_is_sent_none() -> None:
    assert "\x1b]" not in sent_of(ADDRESS, links=False)
    assert "see page now" in sent_of(ADDRESS, links=False)

"""A list with a cursor, and a mark in front of it that is seen without colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events, getters
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Size
from textual.message import Message
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tunewiz.screens.widgets.paint import any_app, strip
from tunewiz.screens.widgets.scrollbar import Arrows
from tunewiz.text.row import Row

POINTER, NO_POINTER = "▸", " "
UNDER_CURSOR = Style(color="cyan", reverse=True)
"""The accent; without colours the row is reversed all the same."""


class RowList(ScrollView, can_focus=True):
    """Rows with a cursor: marked, and reversed while the list has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor(-1)", "Up", show=False),
        Binding("down,j", "cursor(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("ctrl+u", "half_page(-1)", "Half a page up", show=False),
        Binding("ctrl+d", "half_page(1)", "Half a page down", show=False),
        Binding("home,g", "end(-1)", "First", show=False),
        Binding("end,G", "end(1)", "Last", show=False),
        Binding("enter", "choose", "Choose", show=False),
        Binding("space", "press_space", "Toggle", show=False),
    ]

    DEFAULT_CSS = """
    RowList { overflow-x: hidden; scrollbar-size-vertical: 1; }
    """

    KEEPS_POINTER: ClassVar[bool] = True
    """Whether the row under the cursor is marked even without the focus."""

    app = getters.app(any_app)

    moved_to: var[str] = var("", always_update=True)
    """The row that the cursor was last moved to.

    Watchers are called before anything is painted: a message would be handled a frame later.
    """

    @dataclass
    class OnRow(Message):
        """A key was pressed on a row."""

        rows: RowList
        key: str

        @property
        def control(self) -> RowList:
            """The list, for `@on` with a selector."""
            return self.rows

    @dataclass
    class Chosen(OnRow):
        """Enter was pressed on a row."""

    @dataclass
    class Toggled(OnRow):
        """Space was pressed on a row."""

    def __init__(self, rows: Sequence[Row] = (), *, id: str | None = None, at: str = "") -> None:  # noqa: A002 - as Textual names it
        super().__init__(id=id)
        self.rows: tuple[Row, ...] = ()
        self._cursor = 0
        self._at = at
        self._kept = ""
        self._given = tuple(rows)

    def on_mount(self) -> None:
        """Show the rows that were given at the start."""
        self.vertical_scrollbar.renderer = Arrows  # type: ignore[misc]  # as Textual's manual has it
        self.show(self._given, self._at)

    @property
    def key(self) -> str:
        """The row under the cursor; empty where there is none."""
        return self.rows[self._cursor].key if self.rows else ""

    def is_at(self, key: str) -> bool:
        """Whether the cursor is on the row with that key."""
        return self.key == key

    def show(self, rows: Sequence[Row], at: str = "", *, first: bool = False) -> None:
        """Show these rows; the cursor stays on the same key, or goes to `at`, or to the first.

        A key that is not shown for a while, as by a filter, gets the cursor back once it is.
        """
        wanted = () if first else (at, self._kept, self.key)
        self.rows = tuple(rows)
        keys = [row.key for row in self.rows]
        present = [key for key in wanted if key and key in keys]
        self._cursor = (
            keys.index(present[0])
            if present
            else self._nearest(0 if first else min(self._cursor, max(0, len(keys) - 1)), 1)
        )
        if first or at or not self._kept:
            self._kept = self.key
        self.virtual_size = Size(self.size.width, len(self.rows))
        self._keep_in_sight()
        self.refresh()

    def go_to_first(self) -> None:
        """Put the cursor on the first row."""
        self.scroll_to(y=0, animate=False, immediate=True, force=True)
        self.move_to(self._nearest(0, 1))

    def _nearest(self, index: int, direction: int) -> int:
        """The closest selectable row, first in that direction; 0 if there is none yet."""
        if not self.rows:
            return 0
        candidates = [*range(index, len(self.rows)), *range(index - 1, -1, -1)]
        if direction < 0:
            candidates = [*range(index, -1, -1), *range(index + 1, len(self.rows))]
        return next((candidate for candidate in candidates if self.rows[candidate].key), 0)

    def move_to(self, index: int) -> None:
        """Put the cursor on a row."""
        if index == self._cursor:
            return
        before, self._cursor = self._cursor, index
        self._kept = self.key
        self.refresh_line(before)
        self.refresh_line(index)
        self._keep_in_sight()
        self.moved_to = self.key

    def _keep_in_sight(self) -> None:
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        above = self._cursor
        while above > 0 and not self.rows[above - 1].key:
            above -= 1
        if above < top:
            self.scroll_to(y=above, animate=False, immediate=True, force=True)
        elif height and self._cursor >= top + height:
            self.scroll_to(y=self._cursor - height + 1, animate=False, immediate=True, force=True)
        self._follow()

    def _follow(self) -> None:
        """Move the terminal's own cursor too: screen readers follow it."""
        if self.has_focus:
            self.show_place()

    def show_place(self) -> None:
        """Put the terminal's own cursor on the row."""
        row = Offset(0, self._cursor - self.scroll_offset.y)
        self.app.cursor_position = self.content_region.offset + row

    def on_resize(self, event: events.Resize) -> None:
        """Rows are as wide as the list."""
        self.virtual_size = Size(event.size.width, len(self.rows))
        self._keep_in_sight()

    def watch_has_focus(self, has_focus: bool) -> None:  # noqa: FBT001 - Textual calls it so
        """Repaint only the row under the cursor."""
        super().watch_has_focus(has_focus)
        self._follow()

    def render_line(self, y: int) -> Strip:
        """One row; with a pointer and reversed under the cursor."""
        index = y + self.scroll_offset.y
        width = self.scrollable_content_region.width or self.size.width
        if index >= len(self.rows):
            return Strip.blank(width)
        row, here = self.rows[index], index == self._cursor and bool(self.rows[index].key)
        pointer = POINTER if here and (self.has_focus or self.KEEPS_POINTER) else NO_POINTER
        text = Text.assemble(pointer, row.text)
        painted = strip(text, width)
        return _lit(painted, row.lit + 1 if row.lit else width) if here and self.has_focus else painted

    def action_cursor(self, direction: int) -> None:
        """Move by one; at either end the focus moves on to the next widget."""
        index = self._cursor + direction
        while 0 <= index < len(self.rows) and not self.rows[index].key:
            index += direction
        if 0 <= index < len(self.rows):
            self.move_to(index)
        else:
            self.leave(direction)

    def leave(self, direction: int) -> None:
        """At either end: stay."""

    def action_page(self, direction: int) -> None:
        """Move by one page."""
        self._move_by(direction * max(1, self.scrollable_content_region.height - 1))

    def action_half_page(self, direction: int) -> None:
        """Move by half a page."""
        self._move_by(direction * max(1, self.scrollable_content_region.height // 2))

    def _move_by(self, rows: int) -> None:
        index = min(max(self._cursor + rows, 0), len(self.rows) - 1)
        self.move_to(self._nearest(index, 1 if rows > 0 else -1))

    def action_end(self, direction: int) -> None:
        """Move to the first or the last row."""
        self.move_to(self._nearest(len(self.rows) - 1 if direction > 0 else 0, -direction))

    def on_click(self, event: events.Click) -> None:
        """With `--mouse`: a click moves the cursor, a second one chooses."""
        index = event.y + self.scroll_offset.y
        if index < len(self.rows) and self.rows[index].key:
            self.move_to(index)
            if event.chain > 1:
                self.press_twice()

    def press_twice(self) -> None:
        """A second click."""
        self.action_choose()

    def action_choose(self) -> None:
        """Enter."""
        self.post_message(self.Chosen(self, self.key))

    def action_press_space(self) -> None:
        """Space."""
        self.post_message(self.Toggled(self, self.key))


def _lit(painted: Strip, width: int) -> Strip:
    """The row with its first cells reversed, in one colour: a patchwork would hide where the row ends."""
    first, rest = painted.crop(0, width), painted.crop(width)
    return Strip.join([Strip([Segment(first.text, UNDER_CURSOR)], first.cell_length), rest])

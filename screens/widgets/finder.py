"""A list that is filtered as the user types: characters go to the field, arrow keys to the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one
from textual.message import Message
from textual.reactive import var
from textual.widgets import Input

from tunewiz.screens.widgets.field import Field
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.row import Row

RowsFor: TypeAlias = Callable[[str], Sequence[Row]]
"""The rows that match what was typed."""


class Finder(Vertical):
    """The field above, the matching rows below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor(-1)", "Up", show=False),
        Binding("down", "cursor(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
    ]

    DEFAULT_CSS = """
    Finder > Field { margin: 0 1; }
    Finder > RowList { height: 1fr; }
    """

    place: var[str] = var("", always_update=True)
    """The key of the row under the cursor, updated when it moves or the list is filtered."""

    class Chosen(Message):
        """Enter was pressed."""

    field = query_one(Field)
    rows = query_one(RowList)

    def __init__(self, rows_for: RowsFor) -> None:
        super().__init__()
        self._rows_for = rows_for

    def compose(self) -> ComposeResult:
        """Field, list."""
        yield Field("")
        yield RowList(self._rows_for(""))

    @property
    def key(self) -> str:
        """The key of the row under the cursor; empty if nothing matches."""
        return self.rows.key

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        """Filter as the user types; the best match is under the cursor."""
        event.stop()
        self.rows.show(self._rows_for(event.value), first=True)
        self._tell()

    def on_mount(self) -> None:
        """Follow the list's cursor."""
        self.watch(self.rows, "moved_to", self._tell, init=False)

    def _tell(self) -> None:
        self.place = self.key

    @on(Input.Submitted)
    def choose(self, event: Input.Submitted) -> None:
        """Enter in the field acts on the list."""
        event.stop()
        self.post_message(self.Chosen())

    def action_cursor(self, direction: int) -> None:
        """Move the list's cursor, and the terminal's own with it."""
        self.rows.action_cursor(direction)
        self.rows.show_place()

    def action_page(self, direction: int) -> None:
        """Move by one page."""
        self.rows.action_page(direction)
        self.rows.show_place()

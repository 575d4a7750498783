"""What differs from host to host within a group: a table that scrolls both ways."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.fleet.groups import HostGroup
from tunewiz.core.values.plural import how_many
from tunewiz.screens.page import WIDEST, Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.fleet_pages import DifferenceTable


class HostsPage(Page):
    """A page to read and close."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,d", "close", "Close", show=False),
        Binding("right,right_square_bracket", "columns(1)", "Right", show=False),
        Binding("left,left_square_bracket", "columns(-1)", "Left", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="↑↓", does="scroll", action=""),
        Key(key="→", does="more columns", action="columns(1)"),
        Key(key="←", does="back to the left", action="columns(-1)"),
        Key(key="esc", does="back", action="close"),
    )

    columns = query_one("#columns", Lines)
    hosts = query_one("#hosts", RowList)

    def __init__(self, group: HostGroup) -> None:
        super().__init__()
        self._group = group
        self._table = DifferenceTable(group)
        self._first = 0

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "fleet hosts"

    def who(self) -> Text:
        """The group."""
        return Text.assemble(("tunewiz", "bold"), f" · {self._group.name}")

    def where(self) -> Text:
        """Shown in place of the step: this page is not one."""
        return Text("many servers", style="dim")

    def heading(self) -> str:
        """What the page is for."""
        hosts = how_many(len(self._group.hosts), "host")
        if not self._table.count:
            alone = len(self._group.hosts) == 1
            return "One host: nothing can differ" if alone else f"Nothing differs on {hosts}"
        return f"What differs on {hosts}"

    def aside(self) -> str:
        """Which columns are shown."""
        return self._table.in_words(self._first, self._width)

    @property
    def _width(self) -> int:
        """Cells beside the pointer and the scroll bar."""
        return min(WIDEST, self.app.size.width) - 2

    def body(self) -> Iterable[Widget]:
        """The names of the settings, and the hosts."""
        yield Lines(id="columns")
        yield RowList(id="hosts")

    def on_resize(self, event: events.Resize) -> None:
        """Show as many columns as fit."""
        del event
        self._show()

    def _show(self) -> None:
        self._first = min(self._first, self._table.last_first(self._width))
        self.question.write(Text(self.heading(), style="bold"), Text(self.aside(), style="dim"))
        self.columns.write(self._table.heading(self._first, self._width))
        self.hosts.show(tuple(self._table.rows(self._first, self._width)))

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Enter closes the page."""
        event.stop()
        self.action_close()

    def action_columns(self, by: int) -> None:
        """Show other columns."""
        self._first = max(0, self._first + by)
        self._show()

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()

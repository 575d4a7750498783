"""The findings as a list: which of them are shown, in which order, under the names of the columns."""

from __future__ import annotations

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.getters import query_one
from textual.message import Message
from textual.widgets import Input

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.screens.widgets.field import Field
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.arrangement import AS_USUAL, SHOWN, Arrangement, Shown, next_order
from tunewiz.text.findings import heading, rows_of


class FindingsList(Vertical):
    """Column names, rows, and the search field, which is shown only while it is used."""

    class Narrowed(Message):
        """The search shows other rows."""

    advice = query_one("#advice", RowList)
    columns = query_one("#columns", Lines)
    find = query_one("#find", Field)

    def __init__(self, plan: Plan) -> None:
        super().__init__(id="listed")
        self._plan = plan
        self._width = 0
        self._everything = False
        self._arrangement = AS_USUAL

    def compose(self) -> ComposeResult:
        """From the top."""
        yield Lines(id="columns")
        yield RowList(id="advice")
        yield Field("", id="find")

    def on_mount(self) -> None:
        """Hide the search field."""
        self.find.display = False

    @property
    def arrangement(self) -> Arrangement:
        """What it shows, in which order."""
        return self._arrangement

    @property
    def finding(self) -> Finding | None:
        """The one under the cursor."""
        key = self.advice.key
        return next((finding for finding in self._plan.findings if finding.recommendation.id == key), None)

    def take(self, width: int) -> None:
        """Take so many columns; the rows are laid out for them the next time they are shown."""
        self._width = width
        self.styles.width = width

    def show(self, plan: Plan) -> None:
        """Show the findings of this plan; the cursor stays."""
        self._plan = plan
        self.columns.write(self._heading())
        self.advice.show(
            rows_of(
                plan,
                self._width - 1,
                find=self.find.value if self.find.display else "",
                everything=self._everything,
                arrangement=self._arrangement,
            )
        )

    def _heading(self) -> Text:
        return heading(self._plan, self._width - 1, everything=self._everything)

    def turn_everything(self) -> None:
        """Show or hide what is left alone."""
        self._everything = not self._everything

    def filter(self, shown: str) -> None:
        """Show only those that pass the filter of that name."""
        chosen: list[Shown] = [name for name in SHOWN if name == shown]
        self._arrangement = Arrangement(shown=chosen[0], order=self._arrangement.order)

    def sort(self) -> str:
        """Sort by the next of the orders, which is returned."""
        order = next_order(self._arrangement.order)
        self._arrangement = Arrangement(shown=self._arrangement.shown, order=order)
        return order

    def begin_search(self) -> None:
        """Open the search."""
        self.find.display = True
        _ = self.find.focus()

    def end_search(self) -> bool:
        """Close the search; whether it was open."""
        was_open = bool(self.find.display)
        if was_open:
            self.find.display = False
            _ = self.advice.focus()
        return was_open

    @on(Input.Changed, "#find")
    def narrow(self, event: Input.Changed) -> None:
        """Filter the list as the user types."""
        event.stop()
        self.show(self._plan)
        self.post_message(self.Narrowed())

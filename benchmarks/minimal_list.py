"""The smallest list with a text about its row: what an arrow key costs in Textual itself."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, OptionList, Static

ROWS = 60
LINES_BELOW = 5
"""As many as the wizard tells of a recommendation at 80x24."""


class MinimalList(App[None]):
    """A list, five lines about the row under the cursor, and the keys."""

    CSS = "OptionList { height: 1fr; } Static { height: 6; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        """The parts, from the top."""
        yield OptionList(*(f"setting_{row}  128MB  16GB  restart  low" for row in range(ROWS)))
        yield Static()
        yield Footer()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Tell about the row under the cursor."""
        line = f"row {event.option_index}: " + "word " * (8 + event.option_index % 3)
        self.query_one(Static).update("\n".join([line] * LINES_BELOW))


if __name__ == "__main__":
    MinimalList().run()

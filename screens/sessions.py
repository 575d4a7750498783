"""The saved sessions: one is continued, or deleted after the key was pressed twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one

from tunewiz.core.values.errors import TunewizError
from tunewiz.screens.messages import HelpAsked
from tunewiz.screens.overlay import Overlay
from tunewiz.screens.widgets.key_bar import Key, KeyBar
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.rows import RowList
from tunewiz.session.store import Earlier
from tunewiz.text.row import Row

ABOUT = 46
"""Cells of machine, page and changes."""


class SavedSessions(Overlay[str]):
    """Returns the name of the session to continue; empty for none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", show=False),
        Binding("x,delete", "delete", "Delete", show=False),
        Binding("f1,question_mark", "help", "Help", show=False),
    ]

    rows = query_one(RowList)
    outcome = query_one("#outcome", Lines)

    def __init__(self, earlier: Sequence[Earlier], remove: Callable[[str], None]) -> None:
        super().__init__()
        self._earlier = tuple(earlier)
        self._remove = remove
        self._doomed = ""

    def compose(self) -> ComposeResult:
        """Title, sessions, what the last key did, keys."""
        with Vertical(classes="box"):
            yield Lines(Text("Continue which session?", style="bold"))
            yield Lines("Machine, page and changes; the newest first.", "")
            rows = RowList([_row(earlier) for earlier in self._earlier])
            rows.styles.height = len(self._earlier)
            yield rows
            yield Lines("", id="outcome")
            yield KeyBar(
                (
                    Key(key="enter", does="continue it", action="take"),
                    Key(key="x", does="delete it", action="delete"),
                    Key(key="esc", does="cancel", action="close"),
                )
            )

    def on_mount(self) -> None:
        """Another row is another question."""
        self.outcome.write("`tunewiz sessions` lists them all.")
        self.watch(self.rows, "moved_to", self._calm, init=False)

    def _calm(self) -> None:
        self._doomed = ""
        self.outcome.write("")

    @on(RowList.Chosen)
    def action_take(self) -> None:
        """Continue the one under the cursor."""
        _ = self.dismiss(self.rows.key)

    def action_delete(self) -> None:
        """Delete the one under the cursor, once it is asked for again."""
        name = self.rows.key
        if name and name != self._doomed:
            self._doomed = name
            self.outcome.write(
                Text("x again deletes it: its facts, answers and decisions are gone.", style="bold")
            )
        elif name:
            self._delete(name)

    def _delete(self, name: str) -> None:
        try:
            self._remove(name)
        except TunewizError as error:
            self.outcome.write(Text.assemble(("! ", "bold red"), (str(error), "bold")))
            return
        self._doomed = ""
        self._earlier = tuple(earlier for earlier in self._earlier if earlier.name != name)
        self.rows.show([_row(earlier) for earlier in self._earlier])
        self.outcome.write(f"Deleted: {name}")
        if not self._earlier:
            self.action_close()

    def action_help(self) -> None:
        """Show what the keys do here."""
        self.post_message(HelpAsked("ask"))

    def action_close(self) -> None:
        """Continue none."""
        _ = self.dismiss("")


def _row(earlier: Earlier) -> Row:
    about = earlier.about if len(earlier.about) <= ABOUT else f"{earlier.about[: ABOUT - 1]}…"
    return Row(key=earlier.name, text=Text.assemble(about.ljust(ABOUT), "  ", (earlier.age, "dim")))

"""What was observed of the server before and after the change: which windows, and what became slower."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar, Literal

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.comparison.found_windows import WindowsFound
from tunewiz.screens.ask import Answer, Typed
from tunewiz.screens.ask_path import AskPath
from tunewiz.screens.messages import CompareAsked, CopyAsked, WindowsAsked
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader
from tunewiz.text.observed import QUESTION, SIDES, compare_command, result_rows, side_rows, window_rows

Side = Literal["before", "after"]
LOOKING = "Looking for watched windows …"


class ObservedPage(Page):
    """Two sides to name, then the result: read, never proved."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,left,q,c", "close", "Close", show=False),
        Binding("b", "name('before')", "Before", show=False),
        Binding("a", "name('after')", "After", show=False),
        Binding("enter", "compare", "Compare", show=False),
        Binding("y", "copy_command", "Copy the command", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="b", does="name before", action="name('before')", full="name the windows before the change"),
        Key(key="a", does="name after", action="name('after')", full="name the windows after the change"),
        Key(key="enter", does="compare", action="compare", full="compare the two"),
        Key(key="esc", does="back", action="close", full="back to the measurement"),
        Key(
            key="y",
            does="copy the command",
            action="copy_command",
            full="copy the command to the terminal's clipboard",
        ),
        Key(key="↑↓", does="scroll", action=""),
    )

    reader = query_one(Reader)

    def __init__(self, directory: str) -> None:
        super().__init__()
        self.directory = directory
        self._found = WindowsFound()
        self._sides: dict[Side, str] = {"before": "", "after": ""}

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "observed"

    def heading(self) -> str:
        """What the page is for."""
        return QUESTION

    def where(self) -> Text:
        """Shown in place of the step: this page is not one."""
        return Text("proof", style="dim")

    def hint(self) -> str:
        """What such a comparison is worth."""
        return "Observed, not proved: nothing else was held constant."

    def body(self) -> Iterable[Widget]:
        """The text."""
        yield Reader()

    def on_mount(self) -> None:
        """Look for windows."""
        self.say(LOOKING)
        _ = self.post_message(WindowsAsked(self.directory))

    @property
    def sides(self) -> tuple[str, str]:
        """What is named before and after; empty if nothing."""
        return self._sides["before"], self._sides["after"]

    def show_windows(self, windows: WindowsFound) -> None:
        """Propose the two sides; with both, compare at once. What was named meanwhile stands."""
        self._found = windows
        self._sides = {
            "before": self._sides["before"] or windows.before,
            "after": self._sides["after"] or windows.after,
        }
        self._named()

    def _named(self) -> None:
        self.be_quiet()
        self.reader.read((*side_rows(*self.sides, self._found), Text(), *window_rows(self._found)))
        if all(self.sides):
            self.action_compare()

    def show_result(self, lines: Sequence[str]) -> None:
        """What was observed, or why nothing can be told."""
        self.be_quiet()
        rows = (*side_rows(*self.sides, self._found), Text(), *result_rows(lines))
        self.reader.read((*rows, Text(), *window_rows(self._found)))

    def action_name(self, side: Side) -> None:
        """Ask for a file or a directory."""
        ask = AskPath(f"Which windows {side} the change?", SIDES[side], value=self._sides[side])
        self.open(ask, partial(self._with_side, side))

    def _with_side(self, side: Side, answer: Answer | None) -> None:
        match answer:
            case Typed(text=text) if text:
                self._sides[side] = text
                self._named()
            case _:
                pass

    def action_compare(self) -> None:
        """Compare, if both sides are named."""
        if not all(self.sides):
            missing = "b names what was before" if not self._sides["before"] else "a names what was after"
            self.say(f"Both sides are needed: {missing}.")
            return
        self.say("Comparing …")
        _ = self.post_message(CompareAsked(*self.sides))

    def action_copy_command(self) -> None:
        """Send the command to the terminal's clipboard."""
        if all(self.sides):
            self.post_message(CopyAsked(compare_command(*self.sides)))
        else:
            self.say("There is no command to copy.")

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()

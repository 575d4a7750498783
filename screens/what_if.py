"""A panel in which answers are moved and the plan moves with them, before anything is decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.values.errors import InputError
from tunewiz.screens.ask import Answer, AskText, Typed
from tunewiz.screens.messages import ChoicesTaken
from tunewiz.screens.page import WIDEST, Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.lines import Lines, Rule
from tunewiz.screens.widgets.reader import Reader
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.memory_bar import memory_line
from tunewiz.text.what_if import counted, moved_lines, rows_of
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.what_if import MOVABLE, MOVABLE_KEYS, MovableKey, Supposed


class WhatIf(Page):
    """Rows that are moved, and what follows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,plus", "move(1)", "More", show=False),
        Binding("left,minus", "move(-1)", "Less", show=False),
        Binding("enter", "type", "Type", show=False),
        Binding("t", "take", "Take", show=False),
        Binding("escape", "close", "Close", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="↑↓", does="row", action=""),
        Key(key="←→", does="less/more", action=""),
        Key(key="enter", does="type it", action="type", full="type a value for this row"),
        Key(key="t", does="take over", action="take", full="take the moved values into the plan"),
        Key(key="esc", does="leave it", action="close", full="leave everything as it was"),
    )

    rows = query_one("#movable", RowList)
    reader = query_one(Reader)
    memory = query_one("#after", Lines)

    def __init__(self, journey: Journey) -> None:
        super().__init__()
        self._supposed = Supposed.of(journey)

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "what_if"

    def heading(self) -> str:
        """What the panel is for."""
        return "What if …"

    def aside(self) -> str:
        """How many recommendations differ."""
        return counted(self._supposed)

    def where(self) -> Text:
        """That this is not a step of its own."""
        return Text("nothing is changed", style="dim")

    def hint(self) -> str:
        """What becomes of it."""
        return "t takes the moved values into the plan, as one choice that u takes back."

    def body(self) -> Iterable[Widget]:
        """The rows, what follows from them, the memory."""
        yield RowList(rows_of(self._supposed), id="movable")
        yield Rule()
        yield Reader()
        yield Lines(id="after")

    def on_mount(self) -> None:
        """Show the plan as it is."""
        self.rows.focus()
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """The memory bar is as wide as the page."""
        self.memory.write(memory_line(self._supposed.plan.after, min(WIDEST, event.size.width)))

    def _show(self) -> None:
        self.rows.show(rows_of(self._supposed))
        self.reader.read(moved_lines(self._supposed))
        self.question.write(Text(self.heading(), style="bold"), Text(self.aside(), style="dim"))
        self.memory.write(memory_line(self._supposed.plan.after, min(WIDEST, self.size.width)))

    def _key(self) -> MovableKey:
        return next(filter(self.rows.is_at, MOVABLE_KEYS))

    def _change(self, change: Callable[[], Supposed]) -> None:
        try:
            self._supposed = change()
        except InputError as error:
            self.complain(str(error))
        else:
            self.be_quiet()
            self._show()

    def action_move(self, by: int) -> None:
        """Move the value of the row under the cursor."""
        self._change(lambda: self._supposed.moved(self._key(), by))

    @on(RowList.Chosen)
    def action_type(self) -> None:
        """Ask for a value for the row under the cursor."""
        key = self._key()

        def check(text: str) -> None:
            _ = self._supposed.typed(key, text)

        def take(answer: Answer | None) -> None:
            if isinstance(answer, Typed):
                self._change(lambda: self._supposed.typed(key, answer.text))

        about = f"Now {self._supposed.held(key) or 'not known'}."
        value = self._supposed.shown(key)
        self.open(AskText(MOVABLE[key].title, about, value=value, check=check), take)

    def action_take(self) -> None:
        """Take the moved values over; the app makes one choice of them."""
        if not self._supposed.is_moved:
            self.complain("Nothing is moved yet.")
            return
        choices = self._supposed.choices
        _ = self.app.post_message(ChoicesTaken(choices.facts, choices.answers))
        _ = self.dismiss()

    def action_close(self) -> None:
        """Leave everything as it was."""
        _ = self.dismiss()

"""A checkbox on one line: Textual's own uses a glyph that old consoles lack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import getters
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tunewiz.screens.widgets.paint import any_app, strip

TICKED, NOT_TICKED = "[x]", "[ ]"
TITLE = 31
"""Cells for the label, so that remarks are aligned."""


class Checkbox(Widget, can_focus=True):
    """A box, its label, and a remark."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "press_space", "Toggle", show=False)]

    DEFAULT_CSS = """
    Checkbox { height: 1; width: 1fr; }
    """

    app = getters.app(any_app)

    @dataclass
    class Changed(Message):
        """The box was ticked or unticked."""

        tick: Checkbox
        value: bool

        @property
        def control(self) -> Checkbox:
            """The box, for `@on` with a selector."""
            return self.tick

    def __init__(self, title: str, about: str, *, value: bool, id: str) -> None:  # noqa: A002 - as Textual names it
        super().__init__(id=id)
        self.title = title
        self.about = about
        self.value = value

    def on_focus(self) -> None:
        """Move the terminal's own cursor too: screen readers follow it."""
        self.app.cursor_position = self.content_region.offset

    def render_line(self, y: int) -> Strip:
        """The row; its box is reversed if it has the focus."""
        del y
        box = Text(TICKED if self.value else NOT_TICKED, style="reverse" if self.has_focus else "")
        text = Text.assemble(" ", box, " ", self.title.ljust(TITLE), "  ", (self.about, "dim"))
        return strip(text, self.size.width)

    def on_click(self) -> None:
        """With `--mouse`: a click acts like space."""
        self.action_press_space()

    def action_press_space(self) -> None:
        """Tick or untick the box."""
        self.value = not self.value
        self.refresh()
        self.post_message(self.Changed(self, self.value))

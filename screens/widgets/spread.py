"""One line with something at its left and something at its right end."""

from __future__ import annotations

from rich.text import Text
from textual.strip import Strip
from textual.widget import Widget

from tunewiz.screens.widgets.paint import strip


class Spread(Widget):
    """Two texts on one line; where both do not fit, the right one goes first."""

    DEFAULT_CSS = """
    Spread { height: 1; width: 1fr; }
    """

    def __init__(self, left: Text, right: Text, *, id: str | None = None) -> None:  # noqa: A002 - as Textual names it
        super().__init__(id=id)
        self.left = left
        self.right = right

    def write(self, left: Text, right: Text) -> None:
        """Show these instead."""
        if (left, right) != (self.left, self.right):
            self.left, self.right = left, right
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Left, a gap, right."""
        del y
        gap = self.size.width - self.left.cell_len - self.right.cell_len - 2
        text = (
            Text.assemble(" ", self.left, " " * gap, self.right, " ")
            if gap > 0
            else Text.assemble(" ", self.left)
        )
        return strip(text, self.size.width)

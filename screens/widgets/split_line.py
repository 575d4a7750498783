"""One line with a text at its left and a text at its right end."""

from __future__ import annotations

from rich.text import Text
from textual.strip import Strip
from textual.widget import Widget

from tunewiz.screens.widgets.paint import strip


class SplitLine(Widget):
    """Two texts on one line; if both do not fit, the right one is dropped, then the left one is cut."""

    DEFAULT_CSS = """
    SplitLine { height: 1; width: 1fr; }
    """

    def __init__(
        self,
        left: Text,
        right: Text,
        *,
        cuts_left: bool = False,
        id: str | None = None,  # noqa: A002 - as Textual names it
    ) -> None:
        super().__init__(id=id)
        self.left = left
        self.right = right
        self._cuts_left = cuts_left

    def write(self, left: Text, right: Text) -> None:
        """Show these instead."""
        if (left, right) != (self.left, self.right):
            self.left, self.right = left, right
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Left, a gap, right."""
        del y
        left, room = self.left, self.size.width - self.right.cell_len - 3
        if self._cuts_left and 0 < room < left.cell_len:
            left = left.copy()
            left.truncate(room, overflow="ellipsis")
        gap = self.size.width - left.cell_len - self.right.cell_len - 2
        text = Text.assemble(" ", left, " " * gap, self.right, " ") if gap > 0 else Text.assemble(" ", left)
        return strip(text, self.size.width)

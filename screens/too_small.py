"""The screen shown while the terminal is too small for the pages."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.geometry import Size
from textual.getters import query_one
from textual.screen import Screen

from tunewiz.screens.widgets.lines import Lines

MIN_SIZE = Size(60, 16)


def is_too_small(size: Size) -> bool:
    """Whether the pages cannot be read at this size."""
    return size.width < MIN_SIZE.width or size.height < MIN_SIZE.height


class TooSmall(Screen[None]):
    """Covers the page until there is room; nothing below it is lost."""

    lines = query_one(Lines)

    def __init__(self, size: Size) -> None:
        super().__init__()
        self._size = size

    def compose(self) -> ComposeResult:
        """The size there is and the size needed."""
        yield Lines(_text(self._size))

    def tell(self, size: Size) -> None:
        """Show the new size, which is still too small."""
        self.lines.write(_text(size))


def _text(size: Size) -> Text:
    return Text(
        f"This terminal has {size.width}x{size.height} characters, tunewiz needs "
        f"{MIN_SIZE.width}x{MIN_SIZE.height}. Make it larger; nothing is lost. Ctrl+C leaves."
    )

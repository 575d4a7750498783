"""What a terminal is told that is too small for the pages."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.geometry import Size
from textual.getters import query_one
from textual.screen import Screen

from tunewiz.screens.widgets.lines import Lines

SMALLEST = Size(60, 16)


def is_too_small(size: Size) -> bool:
    """Whether the pages cannot be read at this size."""
    return size.width < SMALLEST.width or size.height < SMALLEST.height


class TooSmall(Screen[None]):
    """Stands over the page until there is room; nothing is lost below it."""

    told = query_one(Lines)

    def __init__(self, size: Size) -> None:
        super().__init__()
        self._size = size

    def compose(self) -> ComposeResult:
        """What there is and what is needed."""
        yield Lines(_text(self._size))

    def tell(self, size: Size) -> None:
        """The size has changed, and is still too small."""
        self.told.write(_text(size))


def _text(size: Size) -> Text:
    return Text(
        f"This terminal has {size.width}x{size.height} characters, tunewiz needs "
        f"{SMALLEST.width}x{SMALLEST.height}. Make it larger; nothing is lost. Ctrl+C leaves."
    )

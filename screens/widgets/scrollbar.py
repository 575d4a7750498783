"""Scroll bars drawn with characters: Textual's are recognizable only by colour."""

from __future__ import annotations

from rich.color import Color
from rich.segment import Segment, Segments
from textual.scrollbar import ScrollBarRender

THUMB, TRACK = "█", "│"
ABOVE, BELOW = "↑", "↓"
BLACK = Color.parse("black")


class Letters(ScrollBarRender):
    """A bar with one character for each cell."""

    @classmethod
    def render_bar(  # noqa: PLR0913, PLR0917 - as Textual calls it
        cls,
        size: int = 25,
        virtual_size: float = 50,
        window_size: float = 20,
        position: float = 0,
        thickness: int = 1,
        vertical: bool = True,  # noqa: FBT001, FBT002 - as Textual calls it
        back_color: Color = BLACK,
        bar_color: Color = BLACK,
    ) -> Segments:
        """The bar's cells, without colours."""
        del thickness, back_color, bar_color
        cells = cls.cells(size, virtual_size, window_size, position)
        return Segments([Segment(cell) for cell in cells], new_lines=vertical)

    @classmethod
    def cells(cls, size: int, virtual_size: float, window_size: float, position: float) -> list[str]:
        """A character for each of `size` cells."""
        raise NotImplementedError


class Thumb(Letters):
    """A line as long as the whole text, with a thumb for the visible part."""

    @classmethod
    def cells(cls, size: int, virtual_size: float, window_size: float, position: float) -> list[str]:
        """The line, with the thumb where the window is."""
        height = max(1, round(size * window_size / virtual_size)) if virtual_size else size
        hidden = max(1.0, virtual_size - window_size)
        top = round((size - height) * min(1.0, position / hidden))
        return [THUMB if top <= y < top + height else TRACK for y in range(size)]


class Arrows(Letters):
    """Shows only whether there is more above and below: a moving bar costs more than a row."""

    @classmethod
    def cells(cls, size: int, virtual_size: float, window_size: float, position: float) -> list[str]:
        """An arrow at each end that hides more."""
        cells = [" "] * size
        if position + window_size < virtual_size:
            cells[-1:] = [BELOW]
        if position > 0:
            cells[:1] = [ABOVE]
        return cells

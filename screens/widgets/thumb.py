"""A scroll bar drawn with letters: Textual's is told apart by colour alone."""

from __future__ import annotations

from rich.color import Color
from rich.segment import Segment, Segments
from textual.scrollbar import ScrollBarRender

THUMB, TRACK = "█", "│"
BLACK = Color.parse("black")


class Thumb(ScrollBarRender):
    """What is in sight stands out of a line as long as the whole."""

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
        height = max(1, round(size * window_size / virtual_size)) if virtual_size else size
        hidden = max(1.0, virtual_size - window_size)
        top = round((size - height) * min(1.0, position / hidden))
        cells = [THUMB if top <= y < top + height else TRACK for y in range(size)]
        return Segments([Segment(cell) for cell in cells], new_lines=vertical)

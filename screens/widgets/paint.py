"""From styled text to the cells that a widget paints row by row."""

from __future__ import annotations

from rich.text import Text
from textual.app import App
from textual.strip import Strip

from tunewiz.text.wrapping import PAPER


def strip(text: Text, width: int) -> Strip:
    """One row of exactly this width; what does not fit is cut, visibly.

    The terminal's default colours are not named: naming them costs ten bytes for each change of style.
    """
    if text.cell_len > width > 0:
        text = text.copy()
        text.truncate(width, overflow="ellipsis")
    segments = [segment for segment in text.render(PAPER, end="") if segment.text]
    return Strip(segments).crop_extend(0, width, None)


def any_app() -> type[App[object]]:
    """For `getters.app` in widgets, which only know that it is an app."""
    return App

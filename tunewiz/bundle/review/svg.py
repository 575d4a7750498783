"""The few shapes of a review's pictures: inline SVG without script, style or anything from outside."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from tunewiz.bundle.review.markdown import visible

WIDTH = 640
"""Units of the drawing; it is scaled to the page."""
LABEL, BAR = 200, 18
"""Room for the names at the left, height of a bar."""
STEP = BAR + 8
NAMESPACE = "http://www.w3.org/2000/svg"
"""Browsers draw an SVG file only with this namespace."""


def bar(left: float, top: int, wide: float, shade: str, high: int = BAR) -> str:
    """A rectangle, a unit below the top of its row."""
    size = f'width="{wide:.1f}" height="{high}"'
    return f'<rect x="{left:.1f}" y="{top + 1}" {size} fill="{shade}" stroke="#000"/>'


def words(left: float, top: int, text: str) -> str:
    """Text with its baseline at `top`; its content is escaped."""
    return f'<text x="{left:.1f}" y="{top}">{escape(visible(text))}</text>'


def picture(about: str, height: int, parts: Iterable[str]) -> str:
    """The picture, to stand in a page."""
    return _svg("", about, height, parts)


def drawing(about: str, height: int, parts: Iterable[str]) -> str:
    """The same, to stand in a page or to be a file."""
    return _svg(f'xmlns="{NAMESPACE}" ', about, height, parts)


def _svg(namespace: str, about: str, height: int, parts: Iterable[str]) -> str:
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    head = f'<svg {namespace}role="img" aria-label="{about}" {size} font-family="sans-serif" font-size="12">'
    return "\n".join((head, *parts, "</svg>"))

"""Pictures of a review as inline SVG: shades with letters in them, so that black and white suffices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from tunewiz.bundle.review.blocks import Effect
from tunewiz.bundle.review.markdown import visible
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.values.units import Bytes
from tunewiz.core.words.memory import parts_in_brief

WIDTH = 640
"""Units of the drawing; it is scaled to the page."""
LABEL, BAR = 200, 18
"""Room for the names at the left, height of a bar."""
STEP = BAR + 8
SHADES = ("#bbb", "#ddd", "#eee", "#ccc", "#fff")
"""Of the parts of memory in their order; a letter says which is which."""
LEGEND = (
    "filled: measured on a system like this one; hollow: on another kind; of several systems the smallest"
)
LETTER_ROOM = 14
"""A narrower part has no room for its letter."""


def memory_in_bars(before: MemoryBudget, after: MemoryBudget) -> str:
    """Two bars of the whole memory (or of what is claimed, where that is more), before and after."""
    largest = max(before.total, before.claimed, after.total, after.claimed)
    parts = (
        *_stacked(0, "now", before, largest),
        *_stacked(STEP, "then", after, largest),
        _words(LABEL, 2 * STEP + 13, ", ".join(name for name, _ in parts_in_brief(after))),
    )
    return _svg("Where memory goes, now and then", 2 * STEP + 20, parts)


def _stacked(top: int, label: str, budget: MemoryBudget, largest: Bytes) -> Iterator[str]:
    yield _words(0, top + 13, label)
    at = float(LABEL)
    for (name, size), shade in zip(parts_in_brief(budget), SHADES, strict=True):
        wide = (WIDTH - LABEL - 2) * size.count / max(1, largest.count)
        yield _bar(at, top, wide, shade)
        if wide >= LETTER_ROOM:
            yield _words(at + 3, top + 13, name[0])
        at += wide


def effects_in_bars(bars: Sequence[Effect]) -> str:
    """A bar for each figure: filled if measured on a system like this one, else hollow."""
    largest = max((each.percent for each in bars), default=1.0)
    parts = (part for place, bar in enumerate(bars) for part in _effect(place * STEP, bar, largest))
    legend = _words(0, len(bars) * STEP + 13, LEGEND)
    return _svg("What was measured for the changes", len(bars) * STEP + 20, (*parts, legend))


def _effect(top: int, bar: Effect, largest: float) -> Iterator[str]:
    wide = (WIDTH - LABEL - 90) * bar.percent / largest
    yield _words(0, top + 13, bar.name)
    yield _bar(LABEL, top, wide, "#999" if bar.like else "#fff")
    yield _words(LABEL + wide + 6, top + 13, f"{bar.percent:g} %")


def _bar(left: float, top: int, wide: float, shade: str) -> str:
    return (
        f'<rect x="{left:.1f}" y="{top + 1}" width="{wide:.1f}" height="{BAR}" fill="{shade}" stroke="#000"/>'
    )


def _words(left: float, top: int, text: str) -> str:
    return f'<text x="{left:.1f}" y="{top}">{escape(visible(text))}</text>'


def _svg(about: str, height: int, parts: Sequence[str]) -> str:
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    head = f'<svg role="img" aria-label="{about}" {size} font-family="sans-serif" font-size="12">'
    return "\n".join((head, *parts, "</svg>"))

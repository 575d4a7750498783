"""Pictures of a review as inline SVG: shades with letters in them, so that black and white suffices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tunewiz.bundle.review.blocks import EffectBar
from tunewiz.bundle.review.svg import LABEL, STEP, WIDTH, bar, picture, words
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.values.units import Bytes
from tunewiz.core.words.memory import parts_in_brief

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
        words(LABEL, 2 * STEP + 13, ", ".join(name for name, _ in parts_in_brief(after))),
    )
    return picture("Where memory goes, now and then", 2 * STEP + 20, parts)


def _stacked(top: int, label: str, budget: MemoryBudget, largest: Bytes) -> Iterator[str]:
    yield words(0, top + 13, label)
    at = float(LABEL)
    for (name, size), shade in zip(parts_in_brief(budget), SHADES, strict=True):
        wide = (WIDTH - LABEL - 2) * size.count / max(1, largest.count)
        yield bar(at, top, wide, shade)
        if wide >= LETTER_ROOM:
            yield words(at + 3, top + 13, name[0])
        at += wide


def effects_in_bars(bars: Sequence[EffectBar]) -> str:
    """A bar for each figure: filled if measured on a system like this one, else hollow."""
    largest = max((effect_bar.percent for effect_bar in bars), default=1.0)
    parts = (part for place, effect in enumerate(bars) for part in _effect(place * STEP, effect, largest))
    legend = words(0, len(bars) * STEP + 13, LEGEND)
    return picture("What was measured for the changes", len(bars) * STEP + 20, (*parts, legend))


def _effect(top: int, effect: EffectBar, largest: float) -> Iterator[str]:
    wide = (WIDTH - LABEL - 90) * effect.percent / largest
    yield words(0, top + 13, effect.name)
    yield bar(LABEL, top, wide, "#999" if effect.like else "#fff")
    yield words(LABEL + wide + 6, top + 13, f"{effect.percent:g} %")

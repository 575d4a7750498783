"""Where the memory goes with a plan: a bar in which each part has a shade, with the numbers beside it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from rich.text import Text

from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Budget
from tunewiz.core.values.units import GIB, MIB
from tunewiz.core.words.memory import parts_in_brief
from tunewiz.text.colors import DANGER
from tunewiz.text.wrapping import wrapped

SHORTEST = 8
"""A bar with fewer cells shows nothing useful."""
MAX_LENGTH = 48
SHADES = "█▓▒░·"
"""One for each part: they differ without colour too, and each stands before the name of its part."""
COLORS = ("blue", "magenta", "cyan", "yellow", "")
"""The terminal's own, for the same parts; the rest is in its usual colour."""
BESIDE = 7
"""Cells of what stands around a bar that has a row of its own."""


def memory_line(budget: Budget, width: int) -> Text:
    """On one line: the bar, and each part after its shade in the bar."""
    if not isinstance(budget, MemoryBudget):
        return Text(f" memory   {budget.why}", no_wrap=True, overflow="ellipsis")
    result = legend(budget)
    room = min(MAX_LENGTH, width - len(result.plain) - 5)
    bar = ("[", bar_of(budget, room), "] ") if room >= SHORTEST else ("",)
    return Text.assemble(" ", *bar, result, no_wrap=True, overflow="ellipsis")


def memory_rows(before: Budget, after: Budget, width: int) -> tuple[Text, ...]:
    """In a column: the bars now and then, one above the other, and what the parts take then."""
    if not isinstance(before, MemoryBudget) or not isinstance(after, MemoryBudget):
        return (memory_line(after, width),)
    cells = min(MAX_LENGTH, width - BESIDE - 1)
    bars = [
        Text.assemble((f" {label:<5}", "dim"), "[", bar_of(budget, cells), "]", no_wrap=True)
        for label, budget in (("now", before), ("then", after))
    ]
    return (*bars, *(Text.assemble(" ", row) for row in wrapped(legend(after), width - 1)))


def legend(budget: MemoryBudget) -> Text:
    """Each part after its shade, with its size."""
    unit = "GiB" if budget.total.count >= GIB else "MiB"
    factor = GIB if unit == "GiB" else MIB
    claimed, total = budget.claimed.count / factor, budget.total.count / factor
    over = "" if budget.fits else f"! Over budget: {claimed:.0f} of {total:.0f} {unit}: "
    parts = [
        Text.assemble((shade, color), f"{label} {size.count / factor:.1f}")
        for shade, color, (label, size) in zip(SHADES, COLORS, parts_in_brief(budget), strict=True)
    ]
    return Text.assemble((over, DANGER), Text(" ").join(parts), f" {unit}")


def bar_of(budget: MemoryBudget, cells: int) -> Text:
    """A bar of that many cells, each in the shade of its part; the full width is all memory."""
    shaded = list(_shaded(budget, cells))
    left = cells - sum(len(part) for part, _ in shaded)
    return Text.assemble(*shaded, " " * left)


def _shaded(budget: MemoryBudget, cells: int) -> Iterator[tuple[str, str]]:
    parts = parts_in_brief(budget)
    ends = accumulate(size.count for _, size in parts)
    whole = max(budget.total.count, budget.claimed.count, 1)
    marks = [round(cells * end / whole) for end in ends]
    for shade, color, start, end in zip(SHADES, COLORS, [0, *marks[:-1]], marks, strict=True):
        yield shade * (end - start), color

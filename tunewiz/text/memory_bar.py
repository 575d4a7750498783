"""Where the memory goes with a plan: a bar of letters for its parts, with the numbers beside it."""

from __future__ import annotations

from itertools import accumulate

from rich.text import Text

from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Budget
from tunewiz.core.values.units import GIB, MIB
from tunewiz.core.words.memory import parts_in_brief

SHORTEST = 8
"""A bar with fewer cells shows nothing useful."""
MAX_LENGTH = 48


def memory_line(budget: Budget, width: int) -> Text:
    """On one line: the bar, and each part after its letter in the bar."""
    if not isinstance(budget, MemoryBudget):
        return Text(f" memory   {budget.why}", no_wrap=True, overflow="ellipsis")
    told = _told(budget)
    room = min(MAX_LENGTH, width - len(told) - 5)
    bar = f"[{bar_of(budget, room)}] " if room >= SHORTEST else ""
    return Text.assemble(" ", (bar, "bold"), told, no_wrap=True, overflow="ellipsis")


def _told(budget: MemoryBudget) -> str:
    unit = "GiB" if budget.total.count >= GIB else "MiB"
    factor = GIB if unit == "GiB" else MIB
    parts = " ".join(f"{label} {size.count / factor:.1f}" for label, size in parts_in_brief(budget))
    claimed, total = budget.claimed.count / factor, budget.total.count / factor
    over = "" if budget.fits else f"! Over budget: {claimed:.0f} of {total:.0f} {unit}: "
    return f"{over}{parts} {unit}"


def bar_of(budget: MemoryBudget, cells: int) -> str:
    """A bar of that many cells, each with the first letter of its part; the full width is all memory."""
    parts = parts_in_brief(budget)
    ends = accumulate(size.count for _, size in parts)
    whole = max(budget.total.count, budget.claimed.count, 1)
    marks = [round(cells * end / whole) for end in ends]
    starts = [0, *marks[:-1]]
    filled = "".join(
        label[0] * (end - start) for (label, _), start, end in zip(parts, starts, marks, strict=True)
    )
    return filled.ljust(cells)[:cells]

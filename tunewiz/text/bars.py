"""Bars, exact to an eighth of a cell: block letters, no colour needed."""

from __future__ import annotations

FULL = "█"
EIGHTHS = " ▏▎▍▌▋▊▉"
"""By eighths of a cell, from the left; the first is none."""
EIGHTH = 8


def bar(part: float, whole: float, cells: int) -> str:
    """How much of the whole that is; the whole is that many cells, and more than all of it is all."""
    if whole <= 0 or part <= 0:
        return ""
    eighths = round(EIGHTH * cells * min(1.0, part / whole))
    full, rest = divmod(eighths, EIGHTH)
    return FULL * full + (EIGHTHS[rest] if rest else "")

"""Bars and curves, exact to an eighth of a cell: block letters, no colour needed."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

FULL = "█"
EIGHTHS = " ▏▎▍▌▋▊▉"
"""By eighths of a cell, from the left; the first is none."""
EIGHTH = 8
LEVELS = "▁▂▃▄▅▆▇█"
"""By eighths of a row; the first is nothing at all."""


def bar(part: float, whole: float, cells: int) -> str:
    """How much of the whole that is; the whole is that many cells, and more than all of it is all."""
    if whole <= 0 or part <= 0:
        return ""
    eighths = round(EIGHTH * cells * min(1.0, part / whole))
    full, rest = divmod(eighths, EIGHTH)
    return FULL * full + (EIGHTHS[rest] if rest else "")


def sparkline(values: Sequence[int], cells: int) -> str:
    """The values in order, from 0 to the highest; of those that share a cell the highest counts."""
    parts = min(cells, len(values))
    highest = [
        max(values[part * len(values) // parts : (part + 1) * len(values) // parts]) for part in range(parts)
    ]
    top = max(highest, default=0)
    return "".join(LEVELS[ceil((len(LEVELS) - 1) * value / top) if top > 0 else 0] for value in highest)

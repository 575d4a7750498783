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


def sparkline(values: Sequence[int | None], cells: int) -> str:
    """The values in order, from 0 to the highest; of those that share a cell the highest counts.

    A value that is not known is a blank.
    """
    parts = min(cells, len(values))
    shared = [
        values[part * len(values) // parts : (part + 1) * len(values) // parts] for part in range(parts)
    ]
    highest = [max((number for number in some if number is not None), default=None) for some in shared]
    top = max((number for number in highest if number is not None), default=0)
    return "".join(" " if number is None else LEVELS[_level(number, top)] for number in highest)


def strip(values: Sequence[int], cells: int, top: int) -> str:
    """The values in order, from 0 to the top; a shared cell shows the lowest, so that stalls are visible."""
    parts = min(cells, len(values))
    shared = [
        values[part * len(values) // parts : (part + 1) * len(values) // parts] for part in range(parts)
    ]
    return "".join(LEVELS[min(len(LEVELS) - 1, _level(min(some), top))] for some in shared)


def _level(value: int, top: int) -> int:
    return ceil((len(LEVELS) - 1) * value / top) if top > 0 else 0

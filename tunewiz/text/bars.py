"""Bars, exact to an eighth of a cell, and curves with a cell for each value: block letters, no colour."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

FULL = "█"
EIGHTHS = " ▏▎▍▌▋▊▉"
"""By eighths of a cell, from the left; the first is none."""
EIGHTH = 8
STEPS = "▁▂▃▄▅▆▇█"
"""From the lowest to the highest value of a curve."""


def bar(part: float, whole: float, cells: int) -> str:
    """How much of the whole that is; the whole is that many cells, and more than all of it is all."""
    if whole <= 0 or part <= 0:
        return ""
    eighths = round(EIGHTH * cells * min(1.0, part / whole))
    full, rest = divmod(eighths, EIGHTH)
    return FULL * full + (EIGHTHS[rest] if rest else "")


def curve(values: Sequence[float], cells: int) -> str:
    """The values as steps, from 0 at the bottom to the highest; of more than that many, means are shown."""
    thinned = _thinned(values, cells)
    highest = max(thinned, default=0.0)
    if highest <= 0:
        return STEPS[0] * len(thinned)
    return "".join(STEPS[round((len(STEPS) - 1) * max(0.0, value) / highest)] for value in thinned)


def _thinned(values: Sequence[float], cells: int) -> Sequence[float]:
    """The means of that many runs of equal length, or the values themselves where they are fewer."""
    if len(values) <= cells:
        return values
    bounds = [len(values) * cell // cells for cell in range(cells + 1)]
    runs = [values[start:end] for start, end in pairwise(bounds)]
    return [sum(run) / len(run) for run in runs]

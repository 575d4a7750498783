"""Ratios as dots and intervals on one axis, in characters: readable without colour."""

from __future__ import annotations

from collections.abc import Iterable

from tunewiz.core.values.record import dataclass

CELLS = 41
"""Cells of the axis; odd, so that 'no difference' has a cell of its own."""
MIDDLE = CELLS // 2
LIMITS = (5, 10, 20, 50, 100, 200, 500, 1_000)
"""Percent at the ends of the axis: the smallest that holds everything."""
SAME, DOT, ZERO, LOW, HIGH, LINE = "○", "●", "│", "├", "┤", "─"
LESS, MORE = "<", ">"
"""At the ends, for what lies beyond them."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from minus to plus `limit` percent."""

    limit: int

    def cell(self, ratio: float) -> int:
        """The cell of a ratio; one beyond an end is at the end."""
        return max(0, min(CELLS - 1, MIDDLE + round(MIDDLE * _percent(ratio) / self.limit)))

    def head(self) -> str:
        """The ends and the middle, in words."""
        low, high = f"-{self.limit} %", f"+{self.limit} %"
        return f"{low}{'0'.center(CELLS - len(low) - len(high))}{high}"

    def dots(self, ratios: Iterable[float], dot: str = DOT) -> str:
        """Each ratio as a dot."""
        cells = [" "] * CELLS
        cells[MIDDLE] = ZERO
        for ratio in ratios:
            cells[self.cell(ratio)] = self._mark(ratio, dot)
        return "".join(cells)

    def interval(self, ratio: float, low: float, high: float, dot: str = DOT) -> str:
        """A ratio as a dot between its bounds."""
        first, last = self.cell(low), self.cell(high)
        cells = [LINE if first < place < last else " " for place in range(CELLS)]
        cells[MIDDLE] = "┼" if first < MIDDLE < last else ZERO
        cells[first], cells[last] = self._mark(low, LOW), self._mark(high, HIGH)
        cells[self.cell(ratio)] = self._mark(ratio, dot)
        return "".join(cells)

    def _mark(self, ratio: float, mark: str) -> str:
        percent = _percent(ratio)
        return LESS if percent < -self.limit else MORE if percent > self.limit else mark


def axis_of(ratios: Iterable[float]) -> Axis:
    """The shortest axis that fits all ratios, or the longest."""
    most = max((abs(_percent(ratio)) for ratio in ratios), default=0)
    return Axis(limit=next((limit for limit in LIMITS if most <= limit), LIMITS[-1]))


def _percent(ratio: float) -> float:
    return 100 * (ratio - 1)

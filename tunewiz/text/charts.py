"""Measurements as bars of characters: readable without colour, copied as text, at most 78 cells wide."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from rich.text import Text

from tunewiz.core.planning.measurement_series import Point, Series

LABEL, NUMBER = 24, 8
BAR = 40
"""Cells of the longest bar."""
FULL, EMPTY = "█", " "
START = 100


def chart(series: Series) -> Iterator[Text]:
    """Title, bars, a remark, and the place in the source."""
    yield Text(series.title, style="bold")
    match series.kind:
        case "steps":
            yield from _steps(series)
        case "pairs":
            yield from _pairs(series)
    yield Text(f"  {series.about}")
    yield Text(f"  {series.source}: {series.place}", style="dim")


def _steps(series: Series) -> Iterator[Text]:
    """A waterfall: each bar begins where the previous one ended."""
    reached = list(accumulate((1 + point.value / START for point in series.points), _compounded, initial=1.0))
    scale = BAR / (series.together - START)
    for point, before, after in zip(series.points, reached, reached[1:], strict=False):
        start, end = (round(scale * (START * each - START)) for each in (before, after))
        yield _row(point.label, f"+{point.value} {series.unit}", EMPTY * start + FULL * max(1, end - start))
    yield _row("everything together", f"+{series.together - START} {series.unit}", FULL * BAR)


def _compounded(reached: float, step: float) -> float:
    return reached * step


def _pairs(series: Series) -> Iterator[Text]:
    """Two bars a measurement, from zero."""
    most = max(max(point.value, point.tuned) for point in series.points)
    for point in series.points:
        yield _row(point.label, f"{point.value:,}", FULL * round(BAR * point.value / most))
        yield _row("  tuned", f"{point.tuned:,}", f"{FULL * round(BAR * point.tuned / most)} {_gain(point)}")


def _gain(point: Point) -> str:
    return f"{(point.tuned / point.value - 1) * 100:+.1f}%"


def _row(label: str, number: str, bar: str) -> Text:
    return Text(f"  {label.ljust(LABEL)}{number.rjust(NUMBER)}  {bar}", no_wrap=True, overflow="ellipsis")

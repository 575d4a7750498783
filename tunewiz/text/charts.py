"""Measurements as bars of characters: readable without colour, copied as text, at most 78 cells wide."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from tunewiz.core.planning.measurement_series import START, Bar, Point, Series, waterfall

LABEL, NUMBER = 24, 8
BAR = 40
"""Cells of the longest bar of steps."""
PAIR = 34
"""The same for pairs, whose gain follows the bar."""
FULL, EMPTY = "█", " "


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
    scale = BAR / (series.together - START)
    for bar in waterfall(series):
        start, end = (round(scale * (number - START)) for number in (bar.before, bar.after))
        yield _row(bar.label, _gained(bar, series.unit), EMPTY * start + FULL * max(1, end - start))
    yield _row("everything together", f"+{series.together - START} {series.unit}", FULL * BAR)


def _gained(bar: Bar, unit: str) -> str:
    return f"+{(bar.after / bar.before - 1) * START:.0f} {unit}"


def _pairs(series: Series) -> Iterator[Text]:
    """Two bars a measurement, from zero."""
    most = max(max(point.value, point.tuned) for point in series.points)
    for point in series.points:
        yield _row(point.label, f"{point.value:,}", FULL * round(PAIR * point.value / most))
        yield _row(
            f"  {series.second}",
            f"{point.tuned:,}",
            f"{FULL * round(PAIR * point.tuned / most)} {_gain(point)}",
        )


def _gain(point: Point) -> str:
    return f"{(point.tuned / point.value - 1) * 100:+.1f}%"


def _row(label: str, number: str, bar: str) -> Text:
    return Text(f"  {label.ljust(LABEL)}{number.rjust(NUMBER)}  {bar}", no_wrap=True, overflow="ellipsis")

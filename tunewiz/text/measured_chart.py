"""What was measured elsewhere on one axis: a row for each system, those like this one first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.text import Text

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import OTHER_QUANTITY, percent_of
from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.evidence import FITS
from tunewiz.text.bullets import cut, telling
from tunewiz.text.colors import ACCENT
from tunewiz.text.evidence_marks import mark_of
from tunewiz.text.ratio_chart import CELLS, Axis, axis_of
from tunewiz.text.wrapping import hanging

NAME = 31
"""Cells of a system's name."""
INDENT = 4
_PERCENTS = re.compile(r"([+-]\d+(?:\.\d+)?)(?: %)? to ([+-]\d+(?:\.\d+)?) %")
_RATIOS = re.compile(r"(?<![\d.])(\d\.\d+) .*?\(\d+(?:\.\d+)? %: (\d+\.\d+) to (\d+\.\d+)\)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """A ratio of throughput with and without a change, between its bounds where they are known."""

    ratio: float
    low: float
    high: float


def measured_of(fitted: Fitted) -> Measured | None:
    """What a figure says of throughput, if it can be drawn.

    Args:
        fitted: `0.99 (98.8 %: 0.94 to 1.03)`, `+1.5 to +2.5 %` and `+12 %` are drawn; words are not.
    """
    figure = fitted.figure
    if figure.startswith(OTHER_QUANTITY) or fitted.near:
        return None
    if match := _RATIOS.search(figure):
        return Measured(ratio=float(match[1]), low=float(match[2]), high=float(match[3]))
    percent = float(percent_of(figure))
    if not percent:
        return None
    between = _PERCENTS.search(figure)
    low, high = (float(between[1]), float(between[2])) if between else (percent, percent)
    return Measured(ratio=1 + (low + high) / 200, low=1 + low / 100, high=1 + high / 100)


def measured_rows(finding: Finding, width: int) -> Iterator[Text]:
    """The axis, and each system with its figure; what cannot be drawn is told in words."""
    rows = [fitted for fitted in telling(finding) if fitted.systems]
    drawn = [result for result in map(measured_of, rows) if result is not None]
    axis = axis_of(bound for result in drawn for bound in (result.low, result.high))
    if drawn and width >= NAME + CELLS + INDENT:
        yield Text(f"{'':<{NAME + INDENT}}{axis.head()}", style="dim", no_wrap=True)
    for fitted in rows:
        yield from _row(fitted, axis, width)


def _row(fitted: Fitted, axis: Axis, width: int) -> Iterator[Text]:
    result, mark = measured_of(fitted), mark_of(fitted)
    name = " and ".join(system.name for system in fitted.systems)
    style = ACCENT if fitted.fit == "like" else ""
    if result is not None and width >= NAME + CELLS + INDENT:
        if result.low == result.high:
            drawn = axis.dots([result.ratio], mark)
        else:
            drawn = axis.interval(result.ratio, result.low, result.high, mark)
        label = _fitted(name)
        yield cut(Text.assemble((mark, style), f" {label} ", (drawn, style), no_wrap=True), width)
        yield from (cut(row, width) for row in hanging(Text(f"    {fitted.figure}"), width - 2))
    else:
        opposed = f" ({FITS[fitted.fit]})" if fitted.fit == "opposite" else ""
        text = Text.assemble((mark, style), f" \t{name}: {fitted.figure}{opposed}")
        yield from (cut(row, width) for row in hanging(text, width - 2))


def _fitted(name: str) -> str:
    return name.ljust(NAME) if len(name) <= NAME else f"{name[: NAME - 1]}…"

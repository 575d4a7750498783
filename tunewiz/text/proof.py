"""A proof as characters: seconds as strips, comparisons as dots with their interval, the waterfall.

At most 80 cells wide, and read without colour.
"""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.proof.drawn import (
    Dot,
    Scale,
    WaterfallBar,
    dots_of,
    interval_of,
    scale_of,
    sides_in_words,
    steps_of_waterfall,
    strips_of,
)
from tunewiz.core.proof.metrics import METRICS
from tunewiz.core.proof.proof import MetricResult, Proof
from tunewiz.core.values.cut import cut
from tunewiz.text.bars import FULL, strip

WIDTH = 80
NAME, FIGURE, RATIO = 9, 10, 6
AXIS = WIDTH - NAME - 2 * FIGURE - RATIO - 1
"""Cells of the scale beside the dots."""
PART, RESULT = 24, 10
STEPS = WIDTH - PART - RATIO - RESULT - 2
STRIP_NAME, MOST = 27, 9
STRIP = WIDTH - STRIP_NAME - MOST - 1
DOT, SAME_DOT, MIDDLE, LEFT_END, RIGHT_END = "•", "○", "│", "├", "┤"
STRIPS_LEGEND = "Transactions in each second (in a shared cell the slowest), and the slowest:"


def drawings(proof: Proof) -> tuple[str, ...]:
    """The lines of all charts that the proof has figures for."""
    return (*_waterfall(proof), *_dots(proof), *_strips(proof))


def _dots(proof: Proof) -> Iterator[str]:
    dots, interval = dots_of(proof), interval_of(proof)
    if not dots:
        return
    bounds = (bound for metric in interval for bound in (metric.low, metric.high))
    scale = scale_of((*(dot.ratio for dot in dots), *bounds))
    yield ""
    metric = METRICS[proof.primary]
    yield f"{metric.title} ({metric.unit}), after divided by before:"
    head = f"{'':<{NAME}}{'before':>{FIGURE}}{'after':>{FIGURE}}{'ratio':>{RATIO}} "
    yield head + _ends(scale, AXIS)
    yield from (_dot(dot, scale) for dot in dots)
    yield from (_interval(metric, scale) for metric in interval)
    same = f", {SAME_DOT} A/A: both sides without it" if any(dot.kind == "A/A" for dot in dots) else ""
    yield f"{DOT} {sides_in_words(dots)}{same}; {MIDDLE} no difference"


def _ends(scale: Scale, cells: int) -> str:
    """The ratios at both ends of a scale, and 1 between them where it has room."""
    low, high = f"{scale.low:.2f}", f"{scale.high:.2f}"
    one = _cell(scale, 1, cells)
    blank = low.ljust(cells - len(high)) + high
    has_room = len(low) < one < cells - len(high) - 1
    return blank[:one] + "1" + blank[one + 1 :] if has_room else blank


def _cell(scale: Scale, ratio: float, cells: int) -> int:
    return round(scale.place(ratio) * (cells - 1))


def _row(scale: Scale, cells: int) -> list[str]:
    row = [" "] * cells
    row[_cell(scale, 1, cells)] = MIDDLE
    return row


def _dot(dot: Dot, scale: Scale) -> str:
    row = _row(scale, AXIS)
    row[_cell(scale, dot.ratio, AXIS)] = SAME_DOT if dot.kind == "A/A" else DOT
    return f"{_line(dot.label, dot.ratio, _short(dot.before), _short(dot.after))}{''.join(row)}".rstrip()


def _interval(metric: MetricResult, scale: Scale) -> str:
    row = _row(scale, AXIS)
    low, high = _cell(scale, metric.low, AXIS), _cell(scale, metric.high, AXIS)
    row[low : high + 1] = "─" * (high - low + 1)
    row[low], row[high] = LEFT_END, RIGHT_END
    row[_cell(scale, metric.ratio, AXIS)] = DOT
    return f"{_line('together', metric.ratio, '', f'{100 * metric.level:.3g} %')}{''.join(row)}".rstrip()


def _line(label: str, ratio: float, before: str, after: str) -> str:
    return f"{label:<{NAME}}{before:>{FIGURE}}{after:>{FIGURE}}{ratio:>{RATIO}.2f} "


def _short(figure: float) -> str:
    """In at most nine cells."""
    return f"{figure:,.1f}" if figure < 10_000 else f"{figure:.3g}" if figure >= 10**8 else f"{figure:.0f}"  # noqa: PLR2004 - what fits


def _waterfall(proof: Proof) -> Iterator[str]:
    steps = steps_of_waterfall(proof)
    if not steps:
        return
    scale = scale_of(step.end for step in steps)
    yield ""
    yield f"What each part contributes to {METRICS[proof.primary].title}, one after another:"
    yield f"{'':<{PART + RATIO + RESULT + 2}}{_ends(scale, STEPS)}"
    yield from (_step(step, scale) for step in steps)
    yield _step(
        WaterfallBar(name="the product", start=1.0, end=steps[-1].end, ratio=steps[-1].end, verdict="same"),
        scale,
        verdict="",
    )


def _step(step: WaterfallBar, scale: Scale, verdict: str | None = None) -> str:
    row = _row(scale, STEPS)
    start, end = sorted((_cell(scale, step.start, STEPS), _cell(scale, step.end, STEPS)))
    fill = FULL if step.ratio >= 1 else "▒"
    row[start : end + 1] = fill * (end - start + 1)
    result = step.verdict if verdict is None else verdict
    name = cut(step.name, PART - 1)
    return f"{name:<{PART}}{step.ratio:>{RATIO}.2f}  {result:<{RESULT}}{''.join(row)}".rstrip()


def _strips(proof: Proof) -> Iterator[str]:
    strips = strips_of(proof)
    if not strips:
        return
    top = max(max(item.seconds) for item in strips)
    yield ""
    yield STRIPS_LEGEND
    for entry in strips:
        name = cut(entry.label, STRIP_NAME - 1)
        row = strip(entry.seconds, STRIP, top)
        yield f"{name:<{STRIP_NAME}}{row:<{STRIP}} {min(entry.seconds):>{MOST},}"

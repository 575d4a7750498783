"""A proof as one inline SVG: comparisons as dots with their interval, the waterfall of an ablated plan."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.review.svg import BAR, LABEL, STEP, WIDTH, bar, drawing, words
from tunewiz.core.proof.drawn import (
    Dot,
    Scale,
    dots_of,
    interval_of,
    scale_of,
    sides_in_words,
    steps_of_waterfall,
)
from tunewiz.core.proof.drawn import WaterfallBar as PartStep
from tunewiz.core.proof.figures import ratio_in_words
from tunewiz.core.proof.metrics import METRICS
from tunewiz.core.proof.proof import MetricResult, Proof
from tunewiz.core.values.cut import cut
from tunewiz.core.words.proof import where_measured

LONGEST = 30
"""Characters of a name that fit at the left of the scale."""
RIGHT = 60
"""Room for a ratio at the right."""
RADIUS = 4
TEXT = 13
"""From the top of a row to the baseline of its text."""
HEAD = 2 * STEP
"""A title, and the ends of its scale."""
HAIR = 0.1
"""Width of a line: a rectangle of width 0 is not drawn."""
STEPS_LEGEND = "grey: faster with it; hollow: slower with it; each begins where the one before it ends"


def proof_svg(proof: Proof) -> str:
    """The whole picture, also valid as a file of its own; empty for a proof without figures."""
    steps = steps_of_waterfall(proof)
    dots = dots_of(proof)
    if not dots and not steps:
        return ""
    parts, height = list[str](), 0
    if steps:
        parts += _waterfall(steps, METRICS[proof.primary].title)
        height = HEAD + STEP * (len(steps) + 2)
    if dots:
        interval = interval_of(proof)
        parts += _dots(height, dots, interval, METRICS[proof.primary].title)
        height += HEAD + STEP * (len(dots) + len(interval) + 1)
    return drawing(f"What was measured on {where_measured(proof)}", height, parts)


def _waterfall(steps: tuple[PartStep, ...], metric: str) -> Iterator[str]:
    scale = scale_of(step.end for step in steps)
    yield words(0, TEXT, f"What each part contributes to {metric}")
    yield from _axis(0, len(steps), scale)
    for place, step in enumerate(steps):
        top = HEAD + place * STEP
        left, right = sorted((_across(scale, step.start), _across(scale, step.end)))
        yield words(0, top + TEXT, cut(step.name, LONGEST))
        yield bar(left, top, max(1.0, right - left), "#999" if step.ratio >= 1 else "#fff")
        yield words(WIDTH - RIGHT + 8, top + TEXT, f"{step.ratio:.2f}")
    yield words(0, HEAD + len(steps) * STEP + TEXT, STEPS_LEGEND)


def _dots(top: int, dots: tuple[Dot, ...], interval: tuple[MetricResult, ...], metric: str) -> Iterator[str]:
    bounds = (bound for metric in interval for bound in (metric.low, metric.high))
    scale = scale_of((*(dot.ratio for dot in dots), *bounds))
    yield words(0, top + TEXT, f"{metric}, after divided by before".capitalize())
    yield from _axis(top, len(dots) + len(interval), scale)
    first = top + HEAD
    for place, dot in enumerate(dots):
        yield from _row(first + place * STEP, dot.label, dot.ratio)
        shade = "#fff" if dot.kind == "A/A" else "#000"
        yield _circle(_across(scale, dot.ratio), first + place * STEP, shade)
    for place, metric_result in enumerate(interval, start=len(dots)):
        yield from _interval(first + place * STEP, metric_result, scale)
    yield words(0, first + (len(dots) + len(interval)) * STEP + TEXT, _legend(dots))


def _legend(dots: tuple[Dot, ...]) -> str:
    same = "hollow: A/A, both sides without it; " if any(dot.kind == "A/A" for dot in dots) else ""
    return f"filled: {sides_in_words(dots)}; {same}line: no difference"


def _interval(top: int, metric: MetricResult, scale: Scale) -> Iterator[str]:
    yield words(0, top + TEXT, f"together: {ratio_in_words(metric)}")
    low, high = _across(scale, metric.low), _across(scale, metric.high)
    yield bar(low, top + BAR // 2 - 2, high - low, "#ccc", high=4)
    yield _circle(_across(scale, metric.ratio), top, "#000")


def _row(top: int, label: str, ratio: float) -> Iterator[str]:
    yield words(0, top + TEXT, label)
    yield words(WIDTH - RIGHT + 8, top + TEXT, f"{ratio:.2f}")


def _axis(top: int, rows: int, scale: Scale) -> Iterator[str]:
    """The ends of the scale, and a line where nothing differs."""
    yield words(LABEL, top + STEP + TEXT, f"{scale.low:.2f}")
    yield words(WIDTH - RIGHT - 26, top + STEP + TEXT, f"{scale.high:.2f}")
    yield bar(_across(scale, 1), top + HEAD, HAIR, "#000", high=STEP * rows)


def _across(scale: Scale, ratio: float) -> float:
    return LABEL + (WIDTH - RIGHT - LABEL) * scale.place(ratio)


def _circle(across: float, top: int, shade: str) -> str:
    middle = top + 1 + BAR // 2
    return f'<circle cx="{across:.1f}" cy="{middle}" r="{RADIUS}" fill="{shade}" stroke="#000"/>'

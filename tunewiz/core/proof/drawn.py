"""What the charts of a proof show, whether in characters or as SVG: dots, a waterfall, a scale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import exp, log
from typing import Literal

from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.proof import Arm, ClaimVerdict, Cycle, MetricResult, Pair, Proof
from tunewiz.core.proof.staircase import MeasuredCycle, totals
from tunewiz.core.values.record import dataclass

NARROWEST = 1.02
"""A scale reaches at least this far on both sides of 1, so that noise is not magnified."""


DotKind = Literal["pair", "A/A", "cycle", "day"]
"""`day` is for a live server."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dot:
    """One comparison of both sides."""

    label: str
    kind: DotKind
    before: float
    after: float

    @property
    def ratio(self) -> float:
        """After divided by before."""
        return self.after / self.before


@dataclass(frozen=True, kw_only=True, slots=True)
class WaterfallBar:
    """One part of a plan in a waterfall: a bar from the end of the previous one."""

    name: str
    start: float
    end: float
    """Where the bar begins and ends, as ratios to the state without the plan."""
    ratio: float
    verdict: ClaimVerdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Strip:
    """Transactions completed in each second of one run."""

    label: str
    seconds: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """Ratios from low to high, by their logarithm: half as fast is as far from 1 as twice as fast."""

    low: float
    high: float

    def place(self, ratio: float) -> float:
        """From 0 at the low end to 1 at the high one."""
        return (log(ratio) - log(self.low)) / (log(self.high) - log(self.low))


def scale_of(ratios: Iterable[float]) -> Scale:
    """A scale that includes 1 and all the ratios."""
    result = (1 / NARROWEST, NARROWEST, *ratios)
    return Scale(low=min(result), high=max(result))


def dots_of(proof: Proof) -> tuple[Dot, ...]:
    """The comparisons by the primary metric, the A/A pairs first."""
    return (
        *pair_dots(proof.same_pairs, proof.primary, "A/A"),
        *pair_dots(proof.pairs, proof.primary, "day" if proof.kind == "compare" else "pair"),
        *_of_cycles(proof.cycles, proof.primary),
    )


def pair_dots(pairs: Iterable[Pair], metric: MetricName, kind: DotKind) -> Iterator[Dot]:
    """The pairs that have the metric on both sides, each with its number."""
    for number, pair in enumerate(pairs, start=1):
        before, after = (side.figures.get(metric, 0.0) for side in (pair.before, pair.after))
        if before > 0 and after > 0:
            yield Dot(label=f"{kind} {number}", kind=kind, before=before, after=after)


def _of_cycles(cycles: Iterable[Cycle], metric: MetricName) -> Iterator[Dot]:
    """The whole plan against none of it, from the cycles of a plan measured part by part."""
    for number, cycle in enumerate(cycles, start=1):
        figures = tuple(run.figures.get(metric, 0.0) for run in cycle.runs)
        if min(figures) > 0:
            (total,) = totals([MeasuredCycle(order=cycle.order, figures=figures)])
            yield Dot(label=f"cycle {number}", kind="cycle", before=figures[0], after=figures[0] * exp(total))


def interval_of(proof: Proof) -> tuple[MetricResult, ...]:
    """The primary metric's interval; none before the first planned look or for a single observation."""
    metric = proof.metrics.get(proof.primary)
    return () if metric is None or not metric.level else (metric,)


def sides_in_words(dots: Iterable[Dot]) -> str:
    """What each dot compares; a live server is not switched back and forth."""
    is_live = any(dot.kind == "day" for dot in dots)
    return "before and after the change" if is_live else "with and without the plan"


def steps_of_waterfall(proof: Proof) -> tuple[WaterfallBar, ...]:
    """The parts of a plan measured part by part, in order."""
    return tuple(_steps(proof))


def _steps(proof: Proof) -> Iterator[WaterfallBar]:
    at = 1.0
    for group in proof.groups:
        yield WaterfallBar(
            name=group.name, start=at, end=at * group.ratio, ratio=group.ratio, verdict=group.verdict
        )
        at *= group.ratio


def strips_of(proof: Proof) -> tuple[Strip, ...]:
    """The seconds of every measured run that recorded them, in the proof's order."""
    return tuple(strip for strip in _strips(proof) if strip.seconds)


def _strips(proof: Proof) -> Iterator[Strip]:
    for number, pair in enumerate(proof.pairs, start=1):
        yield _strip(f"{number} before", pair.before)
        yield _strip(f"{number} after", pair.after)
    for number, cycle in enumerate(proof.cycles, start=1):
        for label, run in zip(_labels(cycle.order), cycle.runs, strict=True):
            yield _strip(f"{number} {label}", run)


def _labels(order: tuple[str, ...]) -> tuple[str, ...]:
    """Labels for the runs of a cycle: what was added or removed before each."""
    return ("nothing", *(f"+ {name}" for name in order), *(f"- {name}" for name in order))


def _strip(label: str, run: Arm) -> Strip:
    return Strip(label=label, seconds=run.series)

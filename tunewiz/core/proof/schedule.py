"""What fits into a budget: the parts of a measurement in seconds, planned before anything runs.

First as many pairs as find a change that halves a figure, up to the first planned look; then longer runs,
up to those that include a checkpoint; then more pairs. A longer budget never has fewer pairs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from typing import Literal, TypeAlias

from tunewiz.core.proof.lengths import Lengths
from tunewiz.core.proof.looks import FIRST, SAME_PAIRS
from tunewiz.core.proof.pace import SLACK, ServerPace
from tunewiz.core.proof.ratios import LEAST_PAIRS
from tunewiz.core.proof.remaining import ARMS, runs_each
from tunewiz.core.proof.resolution import shown_by_cycles, shown_by_pairs

PUT_BACK_SHARE, PUT_BACK_MOST = 0.1, 120
"""Of the budget is kept to put everything back; in seconds at most."""
SPREAD_LEAST, SPREAD_MOST = 0.02, 0.31
"""Standard deviation of a pair's log ratio, recorded with runs of 5 s (docs/decisions/0043)."""
HALVED = 2.0
"""A change of this ratio is found by every schedule that chose its own number of pairs."""
LEAST_RUN = 5
"""Seconds: that noise is known of no shorter runs."""
CACHED_SHARE, CACHED_LEAST = 0.1, 2
"""Of a run warms it up where the caches are warm already; seconds at least, by convention."""
COLD_SHARE, COLD_LEAST = 0.2, 10
LEAST_FIXED_RATE = 5
"""Seconds: a shorter stretch at a fixed rate has too few transactions for a 99th percentile."""
SCRIPTS_A_PAIR, SCRIPTS_A_STEP, SCRIPTS_A_TRIAL = 4, 4, 2
"""Most scripts that bring the server to its states: of a pair, on average of pairs in whatever order; of a
run in a cycle; of the trial that tells the pace."""
FOREVER = 2**31
"""Seconds: any schedule fits."""
STEP = 10
"""The smallest budget is named in steps of so many seconds."""

PartName: TypeAlias = Literal["data", "trial", "peak", "A/A pairs", "pairs", "cycles", "end"]


@dataclass(frozen=True, kw_only=True, slots=True)
class BenchRequest:
    """What the options leave to the schedule, and what they settle."""

    usual: Lengths
    """Of a run without a budget."""
    is_run_fixed: bool
    """Whether the length of a run was given."""
    pairs: int
    """As given; 0 leaves it to the schedule."""
    same_pairs: int
    """As given; 0 leaves it to the schedule."""
    most: int
    """Pairs, or cycles, that are never exceeded."""
    groups: int
    """Parts of the plan; 0 if it is measured as a whole."""
    is_latency: bool
    """Whether the verdict rests on a latency, which is measured at a fixed rate."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SchedulePart:
    """A part of a schedule."""

    name: PartName
    count: int
    seconds: float
    """Of all of them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BenchSchedule:
    """All parts of a measurement within a budget."""

    request: BenchRequest
    pace: ServerPace
    budget: int
    """Seconds."""
    lengths: Lengths
    same_pairs: int
    pairs: int
    """The most pairs, or cycles."""

    @property
    def each_seconds(self) -> float:
        """Of a pair, or of a cycle."""
        runs = runs_each(self.request.groups)
        if self.request.groups:
            # Every step may be as slow as the whole plan.
            slower = max(self.pace.copy, self.pace.copy_changed)
            return runs * (self.lengths.arm + SLACK * (SCRIPTS_A_STEP * self.pace.switch + slower))
        return runs * self.lengths.arm + self.pace.around(SCRIPTS_A_PAIR, unchanged=1, changed=1)

    @property
    def around_seconds(self) -> float:
        """What a run takes besides its parts, on average."""
        return self.each_seconds / runs_each(self.request.groups) - self.lengths.arm

    @property
    def parts(self) -> tuple[SchedulePart, ...]:
        """In order."""
        pace, warm_up = self.pace, self.lengths.warm_up
        trial = pace.around(SCRIPTS_A_TRIAL, unchanged=1, changed=1) + ARMS * warm_up
        peak = pace.around(SCRIPTS_A_TRIAL, unchanged=1) + 2 * warm_up
        same = ARMS * self.lengths.arm + pace.around(SCRIPTS_A_PAIR, unchanged=ARMS)
        parts = (
            SchedulePart(name="data", count=1, seconds=pace.create),
            SchedulePart(name="trial", count=1, seconds=0.0 if pace.is_measured else trial),
            SchedulePart(name="peak", count=1, seconds=peak if self.lengths.fixed_rate else 0.0),
            SchedulePart(name="A/A pairs", count=self.same_pairs, seconds=self.same_pairs * same),
            SchedulePart(
                name="cycles" if self.request.groups else "pairs",
                count=self.pairs,
                seconds=self.pairs * self.each_seconds,
            ),
            SchedulePart(
                name="end", count=1, seconds=max(put_back_seconds(self.budget), self._restore_seconds)
            ),
        )
        return tuple(part for part in parts if part.seconds)

    @property
    def _restore_seconds(self) -> float:
        return self.pace.around(SCRIPTS_A_TRIAL, unchanged=1)

    @property
    def seconds(self) -> float:
        """Of all parts: never more than the budget."""
        return sum(part.seconds for part in self.parts)

    def shows(self, spread: float) -> float:
        """The smallest ratio that it will probably show where a pair's log ratio deviates by this."""
        if self.request.groups:
            return shown_by_cycles(spread, self.pairs, self.request.groups)
        return shown_by_pairs(spread, self.pairs)


@dataclass(frozen=True, kw_only=True, slots=True)
class TooShort:
    """Nothing useful fits into the budget."""

    budget: int
    smallest: BenchSchedule
    """That of the smallest budget into which something useful fits."""


def round_up(seconds: float) -> int:
    """As budgets are named."""
    return STEP * ceil(seconds / STEP)


def put_back_seconds(budget: int) -> float:
    """What is kept of a budget to put everything back."""
    return min(PUT_BACK_MOST, PUT_BACK_SHARE * budget)


def plan_schedule(
    request: BenchRequest, pace_within: Callable[[int], ServerPace], budget: int
) -> BenchSchedule | TooShort:
    """The schedule of a budget, or the smallest one.

    Args:
        request: What is to be measured.
        pace_within: The pace with a budget: its data may depend on it.
        budget: Seconds.
    """
    if (schedule := schedule_within(request, pace_within(budget), budget)) is not None:
        return schedule
    smallest = _smallest(request, pace_within)
    return TooShort(budget=budget, smallest=smallest)


def schedule_within(request: BenchRequest, pace: ServerPace, budget: int) -> BenchSchedule | None:
    """The schedule with this pace; None if nothing useful fits."""
    if (least := _least(request, pace, budget)) is None:
        return None
    pairs, run = least.pairs, least.lengths.full_speed

    def fits(pairs: int, seconds: int) -> bool:
        return _made(request, pace, budget, pairs, seconds).seconds <= budget

    def pairs_fit(count: int) -> bool:
        return fits(count, run)

    pairs = _most(pairs, max(pairs, _first(request)), pairs_fit)
    run = _most(run, request.usual.full_speed, lambda seconds: fits(pairs, seconds))
    if run == request.usual.full_speed and not request.pairs:
        pairs = _most(pairs, max(pairs, request.most), pairs_fit)
    return _made(request, pace, budget, pairs, run)


def _least(request: BenchRequest, pace: ServerPace, budget: int) -> BenchSchedule | None:
    """The shortest schedule that is useful; None if it does not fit."""
    usual = request.usual.full_speed
    run = usual if request.is_run_fixed else min(LEAST_RUN, usual)
    schedule = _made(request, pace, budget, least_pairs(request), run)
    return schedule if schedule.seconds <= budget else None


def least_pairs(request: BenchRequest) -> int:
    """The fewest pairs, or cycles, that are worth measuring: they find what halves a figure."""
    if request.pairs:
        return request.pairs
    groups = request.groups
    return next(
        count
        for count in range(LEAST_PAIRS, FOREVER)
        if (shown_by_cycles(SPREAD_MOST, count, groups) if groups else shown_by_pairs(SPREAD_MOST, count))
        <= HALVED
    )


def _first(request: BenchRequest) -> int:
    """The pairs, or cycles, beyond which longer runs are worth more."""
    return request.pairs or min(FIRST, request.most)


def runs_reckoned_with(request: BenchRequest) -> int:
    """The runs for which data of an affordable size are copied."""
    pairs = max(least_pairs(request), _first(request))
    return (request.same_pairs or SAME_PAIRS) * ARMS + pairs * runs_each(request.groups)


def _made(request: BenchRequest, pace: ServerPace, budget: int, pairs: int, seconds: int) -> BenchSchedule:
    few = LEAST_PAIRS if pairs < _first(request) else SAME_PAIRS
    return BenchSchedule(
        request=request,
        pace=pace,
        budget=budget,
        lengths=_lengths(request, pace, seconds),
        same_pairs=request.same_pairs or few,
        pairs=pairs,
    )


def _lengths(request: BenchRequest, pace: ServerPace, seconds: int) -> Lengths:
    usual = request.usual
    if seconds >= usual.full_speed:
        return usual
    share, least = (CACHED_SHARE, CACHED_LEAST) if pace.is_cached else (COLD_SHARE, COLD_LEAST)
    third = min(usual.fixed_rate, seconds // 3)
    return replace(
        usual,
        warm_up=min(usual.warm_up, max(least, int(share * seconds))),
        full_speed=seconds,
        fixed_rate=seconds if request.is_latency else third if third >= LEAST_FIXED_RATE else 0,
    )


def _most(least: int, most: int, fits: Callable[[int], bool]) -> int:
    """The largest number that fits; less than `least` if none does. What fits is known to end once."""
    return least - 1 + bisect_left(range(least, most + 1), x=True, key=lambda number: not fits(number))


def _smallest(request: BenchRequest, pace_within: Callable[[int], ServerPace]) -> BenchSchedule:
    budgets = range(0, FOREVER, STEP)
    at = bisect_left(
        budgets, x=True, key=lambda budget: _least(request, pace_within(budget), budget) is not None
    )
    schedule = schedule_within(request, pace_within(budgets[at]), budgets[at])
    if schedule is None:
        raise ValueError("no budget is long enough")
    return schedule

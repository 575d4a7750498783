"""How a server's numbers went while it was watched, from the samples: bounded, and no peak is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from tunewiz.collect.postgres.samples import Sample
from tunewiz.core.facts.server import Curve, Curved

MAX_VALUES = 60
"""Of one curve: as many as a row of a terminal shows beside a name and a number."""
MIN_STEP = 0.5
"""Seconds between two samples: over less, counts that servers report late would look like a peak.

Statistics are brought up to date once a second at most (PGSTAT_MIN_INTERVAL).
"""
Step = Callable[[Sample, Sample], int]
"""The value between two samples; raises KeyError where one of them has no such number."""


def curves_of(samples: Sequence[Sample]) -> tuple[Curve, ...]:
    """The curves of which every sample has the number, and none was reset meanwhile."""
    return tuple(_curves(_apart(samples)))


def _apart(samples: Sequence[Sample]) -> Sequence[Sample]:
    """Without those that come too soon, as the last one may where somebody has seen enough."""
    kept = list(samples[:1])
    for sample in samples[1:]:
        if sample.seconds - kept[-1].seconds >= MIN_STEP:
            kept.append(sample)
    return kept


def _curves(samples: Sequence[Sample]) -> Iterator[Curve]:
    if len(samples) <= 2:  # noqa: PLR2004 - one step is no curve
        return
    for counted, step in STEPS.items():
        try:
            steps = [step(one, next_one) for one, next_one in pairwise(samples)]
        except KeyError:
            continue
        if min(steps) >= 0:
            yield Curve(counted=counted, values=_in_parts(samples, steps))


def _in_parts(samples: Sequence[Sample], steps: Sequence[int]) -> tuple[int, ...]:
    """The highest step of each of the equal parts that the time is cut into."""
    parts = min(MAX_VALUES, len(steps))
    begin, end = samples[0].seconds, samples[-1].seconds
    passed = [(sample.seconds - begin) / (end - begin) for sample in samples[:-1]]
    places = [min(int(parts * number), parts - 1) for number in passed]
    highest = [0] * parts
    for (first, after), step in zip(pairwise((*places, parts)), steps, strict=True):
        for part in range(first, max(first + 1, after)):
            highest[part] = max(highest[part], step)
    return tuple(highest)


def _a_second(name: str) -> Step:
    def step(one: Sample, next_one: Sample) -> int:
        return round((next_one.numbers[name] - one.numbers[name]) / (next_one.seconds - one.seconds))

    return step


def _at_most(name: str) -> Step:
    return lambda one, next_one: max(one.numbers[name], next_one.numbers[name])


def _in_all(*names: str) -> Step:
    return lambda one, next_one: sum(next_one.numbers[name] - one.numbers[name] for name in names)


STEPS: dict[Curved, Step] = {
    "commits": _a_second("commits"),
    "rollbacks": _a_second("rollbacks"),
    "rows_written": _a_second("rows_written"),
    "temp_bytes": _a_second("temp_bytes"),
    "wal_bytes": _a_second("wal_position"),
    "checkpoints": _in_all("checkpoints_timed", "checkpoints_requested"),
    "connections": _at_most("connections"),
}

"""Finds the busiest hour of the samples, all kinds of work together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tunewiz.collect.postgres.samples import Sample
from tunewiz.collect.ring.kept_waits import SAMPLES, waits_from
from tunewiz.collect.ring.stretches import stretches
from tunewiz.core.facts.look import ServerSample

HOUR = 3_600
WORK = ("commits", "rows_written", "rows_read", "blocks_read", "wal_position", "temp_bytes")
"""Counters of work. Each is compared with its own highest hour, and all weigh the same: a server of reports
commits little, one of short transactions reads little."""
_MILLISECONDS = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class _Hour:
    """A part of a stretch, which is not copied: there are as many hours as looks."""

    part: Sequence[ServerSample]
    begin: int
    end: int

    def grown(self, name: str) -> int:
        """By how much a counter grew; 0 where it was not told."""
        first, last = self.part[self.begin].numbers, self.part[self.end].numbers
        return last[name] - first[name] if name in first and name in last else 0


def busiest(looks: Sequence[ServerSample], every: int) -> Sequence[ServerSample]:
    """The busiest hour; it is shorter where a restart or reset ended it and more was done until then.

    Args:
        looks: In the order in which they were taken.
        every: Seconds between two of them.

    Returns:
        Its looks; none where there were no two without a break between them.
    """
    hours = [hour for part in stretches(looks, every) for hour in _hours(part)]
    if not hours:
        return ()
    most = {name: max(hour.grown(name) for hour in hours) for name in WORK}

    def score(hour: _Hour) -> float:
        return sum(hour.grown(name) / highest for name, highest in most.items() if highest > 0)

    best = max(hours, key=score)
    return best.part[best.begin : best.end + 1]


def _hours(part: Sequence[ServerSample]) -> Iterator[_Hour]:
    """For each look the longest time that ends with it, of an hour at most."""
    begin = 0
    for end in range(1, len(part)):
        while part[end].passed - part[begin].passed > HOUR * _MILLISECONDS and begin < end - 1:
            begin += 1
        if part[end].passed - part[begin].passed <= HOUR * _MILLISECONDS:
            yield _Hour(part=part, begin=begin, end=end)


def samples(looks: Sequence[ServerSample], how: str) -> tuple[Sample, ...]:
    """As they are counted where a server is watched."""
    begun = looks[0].passed
    return tuple(
        Sample(
            seconds=(sample.passed - begun) / _MILLISECONDS,
            at=sample.at / _MILLISECONDS,
            how=how,
            numbers=sample.numbers,
            refused={},
            # Those of the first were counted before it.
            wait_samples=sample.numbers.get(SAMPLES, 0) if number else 0,
            waits=waits_from(sample.numbers) if number else (),
        )
        for number, sample in enumerate(looks)
    )

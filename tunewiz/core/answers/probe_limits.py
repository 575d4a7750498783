"""Limits of what a probe can have measured."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.answers.bounds import ImpossibleValue, count_outside, size_outside
from tunewiz.core.facts.probe import Probe, Reads, SpaceProbe
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import GIB, MIB, Bytes, Duration

MIN_PROBE = Duration.parse("5s")
"""In less time hardly a read is made between its pauses."""
MAX_PROBE = Duration.parse("1h")
"""The longest budget that a probe takes."""
MAX_MICROSECONDS = 3_600e6
"""No single request outlasts the probe."""
MAX_BLOCK = Bytes(16 * MIB)
MAX_RATE = Bytes(1024 * GIB)
"""A second; more than the memory of any machine delivers."""
MAX_READS = 2**40


def impossible_probe(key: str, probe: Probe) -> Iterator[ImpossibleValue]:
    """Every impossible value in it, in the order of the file."""
    yield from count_outside(f"{key}.seconds", probe.seconds, 0, MAX_PROBE.seconds)
    yield from _both(key, probe)
    for place, method in enumerate(known_or(probe.syncs, ())):
        yield from _time(f"{key}.syncs.{place}.each_us", method.each_us)
    if isinstance(probe.clock, Known):
        yield from _time(f"{key}.clock.each_ns", probe.clock.value.each_ns)
    for place, space in enumerate(probe.tablespaces):
        yield from _both(f"{key}.tablespaces.{place}", space)


def _both(key: str, probe: Probe | SpaceProbe) -> Iterator[ImpossibleValue]:
    for name, reads in (("random", probe.random), ("sequential", probe.sequential)):
        if isinstance(reads, Known):
            yield from _reads(f"{key}.{name}", reads.value)


def _reads(key: str, reads: Reads) -> Iterator[ImpossibleValue]:
    yield from size_outside(f"{key}.block", reads.block, Bytes(1), MAX_BLOCK)
    yield from count_outside(f"{key}.count", reads.count, 1, MAX_READS)
    least = 0.0
    for name, time in (("median_us", reads.median_us), ("p95_us", reads.p95_us), ("p99_us", reads.p99_us)):
        yield from _time(f"{key}.{name}", time, least)
        least = time
    yield from size_outside(f"{key}.bytes_a_second", reads.bytes_a_second, Bytes(0), MAX_RATE)


def _time(key: str, time: float, least: float = 0.0) -> Iterator[ImpossibleValue]:
    if not least <= time <= MAX_MICROSECONDS:
        yield ImpossibleValue(key=key, found=f"{time:g}", expected=f"{least:g} to {MAX_MICROSECONDS:g}")

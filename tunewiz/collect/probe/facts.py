"""Facts of what was measured; what no device can do was not measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from tunewiz.collect.probe.protocol import MeasuredReads, MeasuredSpace, ProbeResults
from tunewiz.core.answers.probe_limits import impossible_probe
from tunewiz.core.facts.machine import Storage, StorageKind
from tunewiz.core.facts.probe import ClockReads, Probe, Reads, SpaceProbe
from tunewiz.core.facts.storage_latency import storage_by_latency
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown, known_or
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.latency import latency_rules

T = TypeVar("T")
_PROGRAMS = {"syncs": "pg_test_fsync", "clock": "pg_test_timing"}
NOT_INSTALLED = "it is not installed"
"""What the process says of a program that is not there."""


def probe_of(
    measured: ProbeResults, storage: Storage | None, spaces: Mapping[str, Storage | None], how: str
) -> Fact[Probe]:
    """The facts, each with how it was learned.

    Args:
        measured: What the process said.
        storage: The file system of the data; None if unknown.
        spaces: The file systems of the requested tablespaces, by directory.
        how: Where it was measured, and what else ran.
    """
    at_random, in_order = _both(measured, how)
    probe = Probe(
        seconds=round(measured.seconds),
        reading=_unless(measured, "random", measured.reading, how),
        random=at_random,
        sequential=in_order,
        syncs=_by_program(measured, "syncs", measured.syncs or None),
        clock=_by_program(measured, "clock", _clock(measured.clock_ns)),
        storage=_kind(at_random, measured.random, storage),
        tablespaces=tuple(
            _space(space, spaces[space.directory], how)
            for space in measured.spaces
            if space.directory in spaces
        ),
    )
    for wrong in impossible_probe("probe", probe):
        return Unknown(f"{wrong.key}: measured was {wrong.found}, expected {wrong.expected}")
    return Known(probe, how)


def _space(measured: MeasuredSpace, storage: Storage | None, how: str) -> SpaceProbe:
    where = f"{how}; in the tablespace {measured.directory}"
    at_random, in_order = _both(measured, where)
    return SpaceProbe(
        directory=measured.directory,
        reading=_unless(measured, "random", measured.reading, where),
        random=at_random,
        sequential=in_order,
        storage=_kind(at_random, measured.random, storage),
    )


def _both(measured: ProbeResults | MeasuredSpace, how: str) -> tuple[Fact[Reads], Fact[Reads]]:
    """Random and sequential reads."""
    by = "with O_DIRECT" if measured.reading == "direct" else "after the page cache was told to forget them"
    return (
        _reads(measured, "random", measured.random, f"pages at random places {by}, {how}"),
        _reads(measured, "sequential", measured.sequential, f"one after the other {by}, {how}"),
    )


def _why(measured: ProbeResults | MeasuredSpace, name: str) -> str:
    """A message of the process, on one line and printable."""
    text = measured.why.get(name, "it was not measured")
    return "".join(name if name.isprintable() else " " for name in text)


def _unless(measured: ProbeResults | MeasuredSpace, name: str, value: T | None, how: str) -> Fact[T]:
    return Unknown(_why(measured, name)) if value is None else Known(value, how)


def _reads(
    measured: ProbeResults | MeasuredSpace, name: str, reads: MeasuredReads | None, how: str
) -> Fact[Reads]:
    if reads is None:
        return Unknown(_why(measured, name))
    return Known(
        Reads(
            block=Bytes(reads.block),
            count=reads.count,
            median_us=reads.median_us,
            p95_us=reads.p95_us,
            p99_us=reads.p99_us,
            bytes_a_second=Bytes(reads.bytes_a_second),
        ),
        how,
    )


def _by_program(measured: ProbeResults, name: str, value: T | None) -> MaybeFact[T]:
    if value is not None:
        return Known(value, _PROGRAMS[name])
    why = _why(measured, name)
    return Absent(f"{_PROGRAMS[name]} is not installed") if why == NOT_INSTALLED else Unknown(why)


def _clock(number: float | None) -> ClockReads | None:
    return None if number is None else ClockReads(each_ns=number)


def _kind(reads: Fact[Reads], measured: MeasuredReads | None, storage: Storage | None) -> Fact[StorageKind]:
    if isinstance(reads, Unknown) or measured is None:
        return Unknown("no reads were timed")
    if storage is None:
        return Unknown("its file system is unknown")
    rules = latency_rules()
    if measured.span < rules.least_span.count:
        return Unknown(f"the tables hold {Bytes(measured.span).human()}, which fits in the cache of any disk")
    filesystem = known_or(storage.filesystem, "")
    if filesystem not in rules.file_systems:
        return Unknown(f"{filesystem or 'the file system'} may answer from a cache of its own")
    return storage_by_latency(reads.value, storage.disks, rules)

"""Text about the measured storage and the log of a server: for its page and `--plain`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.probe import Probe, Reading, Reads, SpaceProbe
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.plural import how_many, with_share
from tunewiz.core.values.units import Duration, in_words

PROBE_SECONDS = 60
PROBES = "reads of its own files and syncs; the storage is busy for a tenth of the time at most"
_MILLISECOND = 1_000.0
"""Microseconds."""
_USUAL_SYNC = "fdatasync"
"""The default wal_sync_method on Linux."""
_PAST_THE_CACHE: Mapping[Reading, str] = MappingProxyType(
    {"direct": "with O_DIRECT", "dropped": "after the page cache was told to forget them"}
)


def can_be_probed(server: PostgresServer) -> bool:
    """Whether it is known where its data is."""
    return isinstance(server.data_directory, Known)


def probed_in_words(fact: Fact[Probe]) -> str:
    """What was measured, in a line, or why nothing was."""
    match fact:
        case Known(value=probe):
            return f"Measured in {probe.seconds} s: {'; '.join(_measured(probe))}."
        case Unknown(why=why):
            return f"Its storage could not be measured: {why}."


def _measured(probe: Probe) -> Iterator[str]:
    match probe.random:
        case Known(value=reads):
            yield f"8 kB reads {_reads(reads, probe)}"
        case Unknown(why=why):
            yield why
    if isinstance(probe.sequential, Known):
        reads = probe.sequential.value
        yield f"sequential reads of {reads.block.human()} {reads.bytes_a_second.human()}/s"
    if isinstance(probe.syncs, Known):
        usual = [sync_method for sync_method in probe.syncs.value if sync_method.name == _USUAL_SYNC]
        yield from (f"{sync_method.name} {_time(sync_method.each_us)}" for sync_method in usual)
    if isinstance(probe.clock, Known):
        yield f"reading the clock {probe.clock.value.each_ns:.0f} ns"
    if isinstance(probe.storage, Unknown) and isinstance(probe.random, Known):
        yield f"the kind of storage remains unknown: {probe.storage.why}"
    for space in probe.tablespaces:
        match space.random:
            case Known(value=reads):
                yield f"in the tablespace {space.directory} 8 kB reads {_reads(reads, space)}"
            case Unknown(why=why):
                yield f"the tablespace {space.directory}: {why}"


def _reads(reads: Reads, measured: Probe | SpaceProbe) -> str:
    """`600 µs (95 % within 1.5 ms, 99 % within 3.0 ms; 900 reads with O_DIRECT)`."""
    by = f" {_PAST_THE_CACHE[measured.reading.value]}" if isinstance(measured.reading, Known) else ""
    within = f"95 % within {_time(reads.p95_us)}, 99 % within {_time(reads.p99_us)}"
    return f"{_time(reads.median_us)} ({within}; {how_many(reads.count, 'read')}{by})"


def _time(microseconds: float) -> str:
    if microseconds < _MILLISECOND:
        return f"{microseconds:.0f} µs"
    return f"{microseconds / _MILLISECOND:.1f} ms"


def log_in_words(fact: Fact[LogSeen]) -> str:
    """What the log shows, in a line, or why it was not read."""
    match fact:
        case Known(value=log):
            return f"Its log ({how_many(log.files, 'file')}, {log.size.human()}): {', '.join(_told(log))}."
        case Unknown(why=why):
            return f"Its log was not read: {why}."


def _told(log: LogSeen) -> Iterator[str]:
    checkpoints = log.checkpoints_timed + log.checkpoints_by_wal + log.checkpoints_otherwise
    yield how_many(sum(temp_file.files for temp_file in log.temp_files), "temporary file")
    yield with_share(checkpoints, "checkpoint", log.checkpoints_by_wal, "forced by WAL")
    yield f"{how_many(log.autovacuums, 'autovacuum')}{_autovacuums(log) if log.autovacuums else ''}"
    yield how_many(log.lock_waits, "long lock wait")
    yield "1 crash recovery" if log.recoveries == 1 else f"{log.recoveries:,} crash recoveries"
    if log.damaged:
        yield f"{how_many(log.damaged, 'damaged message')} left out"


def _autovacuums(log: LogSeen) -> str:
    longest = f"the longest {in_words(Duration(1_000 * log.longest_autovacuum))}"
    if not log.repeated_index_scans:
        return f" ({longest})"
    most = how_many(log.most_index_scans, "time")
    return f" ({longest}; {log.repeated_index_scans:,} scanned indexes more than once, up to {most})"

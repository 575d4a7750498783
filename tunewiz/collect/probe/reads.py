"""Times reads of table files that bypass the page cache, one at a time and with pauses."""

from __future__ import annotations

import errno
import mmap
import os
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from tunewiz.collect.probe.pace import Pace, ProbeEndedError
from tunewiz.collect.probe.protocol import MeasuredReads
from tunewiz.collect.probe.table_files import TableFile, opened_file
from tunewiz.core.facts.probe import Reading

PAGE = 8192
"""PostgreSQL reads tables by pages of this size (BLCKSZ)."""
RUN = 1 << 20
"""Bytes of one sequential read."""
ENOUGH = {PAGE: 5_000, RUN: 500}
"""Reads: the 99th percentile of 5,000 has 50 beyond it."""
FEWEST = 20
"""Of fewer reads no percentile says anything."""
_MOST_MISSES = 20_000
"""Pages that are in the cache and stay there, after which the search for others ends."""
_MICROSECONDS = 1e6


class NoReadsError(Exception):
    """Nothing could be timed, and why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadTarget:
    """Files to read from, opened with O_DIRECT where the file system has it."""

    descriptors: tuple[int, ...]
    sizes: tuple[int, ...]
    reading: Reading


def opened_source(stack: ExitStack, directory: int, files: list[TableFile]) -> ReadTarget:
    """Every file that can be opened; raises NoReadsError without one."""
    for reading, flags in (("direct", os.O_DIRECT), ("dropped", 0)):
        opened = [(file.size, number) for file in files for number in _opened(stack, directory, file, flags)]
        works = bool(opened) and (reading == "dropped" or _reads_directly(opened[0][1]))
        if works:
            return ReadTarget(
                descriptors=tuple(actual for _, actual in opened),
                sizes=tuple(size for size, _ in opened),
                reading="direct" if reading == "direct" else "dropped",
            )
    raise NoReadsError("no table file could be opened")


def _opened(stack: ExitStack, directory: int, file: TableFile, flags: int) -> Iterator[int]:
    """Its descriptor, or nothing: a table may have been dropped, O_DIRECT may be refused (EINVAL)."""
    with suppress(OSError):
        descriptor = stack.enter_context(opened_file(directory, file, flags))
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
        yield descriptor


def _reads_directly(descriptor: int) -> bool:
    """Some file systems take the flag and refuse the reads (open(2), O_DIRECT)."""
    try:
        return os.preadv(descriptor, [mmap.mmap(-1, PAGE)], 0) >= 0
    except OSError as error:
        if error.errno == errno.EINVAL:
            return False
        raise


def random_reads(source: ReadTarget, pace: Pace, allowed: float) -> MeasuredReads:
    """Pages at random places, each at most once, until there are enough or the device worked so long."""
    return _timed(source, _random_places(source), PAGE, pace, allowed)


def sequential_reads(source: ReadTarget, pace: Pace, allowed: float) -> MeasuredReads:
    """Long reads one after the other."""
    return _timed(source, _places_in_order(source), RUN, pace, allowed)


def _random_places(source: ReadTarget) -> Iterator[tuple[int, int]]:
    """Every page of all files is as likely as any other."""
    chance = random.Random()  # noqa: S311 - places to read
    pages = [size // PAGE for size in source.sizes]
    random_places = set[tuple[int, int]]()
    total = sum(pages)
    while len(random_places) < total:
        (file,) = chance.choices(range(len(pages)), pages)
        place = (file, chance.randrange(pages[file]))
        if place not in random_places:
            random_places.add(place)
            yield source.descriptors[file], place[1] * PAGE


def _places_in_order(source: ReadTarget) -> Iterator[tuple[int, int]]:
    for descriptor, size in zip(source.descriptors, source.sizes, strict=True):
        for run in range(size // RUN):
            yield descriptor, run * RUN


def _timed(
    source: ReadTarget, places: Iterator[tuple[int, int]], block: int, pace: Pace, allowed: float
) -> MeasuredReads:
    times, until, misses = list[float](), pace.busy + allowed, 0
    buffer = mmap.mmap(-1, block)
    try:
        for descriptor, offset in places:
            if pace.busy >= until or len(times) >= ENOUGH[block] or misses >= _MOST_MISSES:
                break
            pace.rest()
            if source.reading == "dropped" and _stays_cached(descriptor, offset, block):
                misses += 1
                continue
            if (took := _read(descriptor, offset, buffer)) is not None:
                times.append(took)
                pace.busy += took
    except ProbeEndedError:
        if len(times) < FEWEST:
            raise
    return measured(times, block, sum(source.sizes))


def _read(descriptor: int, offset: int, buffer: mmap.mmap) -> float | None:
    """Seconds of one whole read; None where the file has become shorter."""
    begun = time.perf_counter()
    came = os.preadv(descriptor, [buffer], offset)
    took = time.perf_counter() - begun
    return took if came == len(buffer) else None


def _stays_cached(descriptor: int, offset: int, block: int) -> bool:
    """Whether the kernel keeps a part in its cache though told to forget it: what is unwritten, or mapped."""
    os.posix_fadvise(descriptor, offset, block, os.POSIX_FADV_DONTNEED)
    try:
        return os.preadv(descriptor, [bytearray(block)], offset, os.RWF_NOWAIT) > 0
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno == errno.EOPNOTSUPP:
            raise NoReadsError("the file system has neither O_DIRECT nor RWF_NOWAIT") from error
        raise


def measured(times: list[float], block: int, span: int) -> MeasuredReads:
    """What single reads of one size took, in seconds; raises NoReadsError where they are too few."""
    if len(times) < FEWEST:
        raise NoReadsError(f"only {len(times)} reads could be timed, expected {FEWEST} or more")
    times.sort()
    return MeasuredReads(
        block=block,
        count=len(times),
        median_us=_percentile(times, 50),
        p95_us=_percentile(times, 95),
        p99_us=_percentile(times, 99),
        bytes_a_second=round(block * len(times) / sum(times)),
        span=span,
    )


def _percentile(times: list[float], percent: int) -> float:
    """The smallest that so many percent do not exceed, in microseconds."""
    return round(_MICROSECONDS * times[max(0, -(-len(times) * percent // 100) - 1)], 1)

"""What the storage showed: how long reads take in normal operation, and what a probe measured."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.statistics import Counted, first_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, Seen, Witness, enough_seen, too_little
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.rounding import shortly
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import V18

_PER_PAGE = ("blocks_read", "read_us")
"""Before 18: pages, and how long sessions waited for them."""
_PER_CALL = ("read_calls", "read_call_us", "read_call_bytes")
"""From 18 on, where one read takes up to io_combine_limit: the mean time of a page would be too low."""

MOSTLY_SINGLE = 2
"""Pages in a read, on average: more come from reads ahead of a scan, whose waits are no random read's."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MeanRead:
    """How long sessions waited for a read, on average."""

    microseconds: Fraction
    words: str
    decides_fast: bool
    """Whether a short mean shows fast storage: all reads were timed, and hardly any was of several pages."""


def _read_needs(situation: Situation) -> Needs:
    calls = any(enough_seen(situation, Needs(names=_PER_CALL, enough=0, unit="", weigh=first_of)))
    return Needs(
        names=_PER_CALL if calls else _PER_PAGE,
        enough=situation.thresholds.pages // 100,
        unit="timed reads",
        weigh=first_of,
    )


def mean_read(situation: Situation) -> Iterator[MeanRead]:
    """By the server's own counters, in the first period in which enough was read.

    If track_io_timing was turned on since the counters were reset, the mean is too low, and only a slow
    result counts; so it is with the mean of a page from 18 on, of which a read takes several.
    """
    needs = _read_needs(situation)
    for statistics in enough_seen(situation, needs):
        of_call = needs.names == _PER_CALL
        yield _of_call(situation, statistics) if of_call else _of_page(situation, statistics)


def _of_page(situation: Situation, statistics: Counted) -> MeanRead:
    read, microseconds = statistics.values
    mean = Fraction(microseconds, read)
    return MeanRead(
        microseconds=mean,
        words=f"reading a page takes {shortly(mean / 1_000)} ms, from the page cache or the disk, "
        f"{statistics.when}",
        decides_fast=statistics.period == "watched" and situation.major < V18,
    )


def _of_call(situation: Situation, statistics: Counted) -> MeanRead:
    calls, microseconds, read = statistics.values
    mean, size = Fraction(microseconds, calls), Fraction(read, calls)
    page = int(situation.will_be("block_size"))
    return MeanRead(
        microseconds=mean,
        words=f"a read of {Bytes(round(size)).human()} on average takes {shortly(mean / 1_000)} ms, from the "
        f"page cache or the disk, without large scans and vacuum, {statistics.when}",
        decides_fast=statistics.period == "watched" and size <= MOSTLY_SINGLE * page,
    )


def reads_fast(situation: Situation) -> Iterator[str]:
    """Evidence that a read is as fast as from flash or the page cache."""
    for mean in mean_read(situation):
        if mean.decides_fast and mean.microseconds <= situation.thresholds.fast_read_us:
            yield mean.words


def reads_slowly(situation: Situation) -> Iterator[str]:
    """Evidence that a read is as slow as from rotating disks."""
    for mean in mean_read(situation):
        if mean.microseconds >= situation.thresholds.slow_read_us:
            yield mean.words


def _reads_told(situation: Situation) -> Iterator[Seen]:
    for mean in mean_read(situation):
        yield Seen(words=mean.words)
        return
    yield from too_little(situation, _read_needs(situation))


READS = Witness(of="time of a read (track_io_timing)", look=_reads_told)


def _probe_told(situation: Situation) -> Iterator[Seen]:
    if situation.answers.server.storage is not None:
        return
    match situation.server:
        case PostgresServer(probe=Known(value=Probe(storage=Known(value=kind)) as probe, how=how)):
            yield Seen(words=f"the storage is {kind} by a probe{_random_read(probe)} ({how})")
        case PostgresServer(probe=Known(value=Probe(storage=Unknown(why=why)))):
            yield Seen(words=f"a probe could not tell the kind of storage: {why}", enough=False)
        case _:
            pass


def _random_read(probe: Probe) -> str:
    match probe.random:
        case Known(value=reads):
            return f": a random read takes {shortly(reads.median_us / 1_000)} ms"
        case _:
            return ""


PROBED = Witness(of="kind of storage, by a probe (tunewiz facts --probe)", look=_probe_told)

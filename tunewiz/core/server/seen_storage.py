"""What the storage showed: how long reads take in normal operation, and what a probe measured."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.statistics import first_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, Seen, Witness, enough_seen, too_little
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.rounding import shortly


def _read_needs(situation: Situation) -> Needs:
    return Needs(
        names=("blocks_read", "read_us"),
        enough=situation.thresholds.pages // 100,
        unit="timed reads",
        weigh=first_of,
    )


def mean_read(situation: Situation) -> Iterator[tuple[Fraction, str, bool]]:
    """Microseconds per page, the same in words, and whether reads were timed throughout.

    If track_io_timing was turned on since the counters were reset, the mean is too low, and only a slow
    result counts.
    """
    for statistics in enough_seen(situation, _read_needs(situation)):
        read, microseconds = statistics.values
        fraction = Fraction(microseconds, read)
        words = (
            f"reading a page takes {shortly(fraction / 1_000)} ms, from the page "
            f"cache or the disk, {statistics.when}"
        )
        yield fraction, words, statistics.period == "watched"


def reads_fast(situation: Situation) -> Iterator[str]:
    """Evidence that pages are read as fast as from flash or the page cache."""
    for share, words, throughout in mean_read(situation):
        if throughout and share <= situation.thresholds.fast_read_us:
            yield words


def reads_slowly(situation: Situation) -> Iterator[str]:
    """Evidence that pages are read as slowly as from rotating disks."""
    for share, words, _ in mean_read(situation):
        if share >= situation.thresholds.slow_read_us:
            yield words


def _reads_told(situation: Situation) -> Iterator[Seen]:
    for _, words, _ in mean_read(situation):
        yield Seen(words=words)
        return
    yield from too_little(situation, _read_needs(situation))


READS = Witness(of="time to read a page (track_io_timing)", look=_reads_told)


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

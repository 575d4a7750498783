"""What was seen of memory: tasks that waited for it, what stays free, and private memory of processes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.machine import Memory
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.statistics import watched
from tunewiz.core.facts.strain import Strain
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.values.known import Fact, Known
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import shortly
from tunewiz.core.values.units import MIB, Bytes, Duration, in_words

PER_CONNECTION = Bytes(5 * MIB)
"""A backend's private memory: catalog and plan caches, stack; commonly 5 to 10 MB."""

_MICROSECONDS = 1_000_000


def stalls(situation: Situation) -> Iterator[tuple[Fraction, str]]:
    """The share of time in which some task waited for memory: while watched, otherwise since boot."""
    for strain, when in _strains(situation):
        match strain:
            case Strain(seconds=Known(value=seconds), stalled_us=Known(value=stalled)) if (
                seconds >= situation.thresholds.memory_time.seconds
            ):
                share = Fraction(stalled, seconds * _MICROSECONDS)
                yield share, f"tasks waited for memory {shortly(100 * share)} % of the time {when}"
                return
            case _:
                pass


def _strains(situation: Situation) -> Iterator[tuple[Strain, str]]:
    match situation.server:
        case PostgresServer(window=Known(value=window)):
            yield window.strain, watched(window)
        case _:
            pass
    yield situation.facts.memory.strain, "since the machine was booted"


def memory_is_short(situation: Situation) -> Iterator[str]:
    """Evidence that memory is short: pressure stalls, or swap-ins if the kernel does not count stalls."""
    result = tuple(stalls(situation))
    if result:
        yield from (words for share, words in result if share >= situation.thresholds.stalled)
        return
    for rate, words in from_swap(situation):
        if rate >= situation.thresholds.swapped_in:
            yield words


def from_swap(situation: Situation) -> Iterator[tuple[Fraction, str]]:
    """Pages a second read back from swap: while watched, otherwise since boot."""
    for strain, when in _strains(situation):
        for rate in _a_second(strain.seconds, strain.swapped_in, situation):
            yield rate, f"pages read back from swap: {shortly(rate)} a second {when}"
            return


def read_again(situation: Situation) -> Iterator[str]:
    """Pages a second that were read again soon after eviction from the page cache (refaults)."""
    for strain, when in _strains(situation):
        for rate in _a_second(strain.seconds, strain.refaults, situation):
            yield f"pages read again soon after they left the page cache: {shortly(rate)} a second {when}"
            return


def _a_second(seconds: Fact[int], count: Fact[int], situation: Situation) -> Iterator[Fraction]:
    match seconds, count:
        case Known(value=long), Known(value=pages) if long >= situation.thresholds.memory_time.seconds:
            yield Fraction(pages, long)
        case _:
            pass


def could_be_cached(situation: Situation) -> Iterator[tuple[Bytes, str]]:
    """The server's buffers and what else is free or cached, once it has been up for long."""
    match situation.facts.memory:
        case Memory(available=Known(value=available), strain=Strain(seconds=Known(value=seconds))) if (
            seconds >= situation.thresholds.checkpoint_time.seconds and _runs(situation)
        ):
            buffers = situation.size_in_force("shared_buffers")
            both = f"{buffers.short()} of buffers and {available.short()} free or cached"
            up = in_words(Duration(seconds * 1_000))
            yield buffers + available, f"{both} {up} after the start: {(buffers + available).short()}"
        case _:
            pass


def _runs(situation: Situation) -> bool:
    return isinstance(situation.server, PostgresServer) and situation.server.running


def per_connection(situation: Situation) -> Bytes:
    """A session's private memory: as seen on this server if that is more than the usual 5 MB."""
    return max((PER_CONNECTION, *(size for size, _ in each_process(situation))))


def each_process(situation: Situation) -> Iterator[tuple[Bytes, str]]:
    """The mean private memory of the server's processes, if enough of them were looked at."""
    match situation.server:
        case PostgresServer(process_memory=Known(value=process_memory)) if (
            process_memory.processes >= situation.thresholds.processes
        ):
            size = process_memory.own // process_memory.processes
            yield (
                size,
                f"{size.short()} for each of {how_many(process_memory.processes, 'process')} of the server",
            )
        case _:
            pass


def _told(situation: Situation) -> Iterator[Seen]:
    result = (
        *(words for _, words in stalls(situation)),
        *(words for _, words in from_swap(situation)),
        *read_again(situation),
    )
    if result:
        yield from (Seen(words=words) for words in result)
        return
    match situation.facts.memory.strain:
        case Strain(seconds=Known(value=seconds), stalled_us=Known()):
            enough = in_words(situation.thresholds.memory_time)
            booted = in_words(Duration(seconds * 1_000))
            yield Seen(words=f"too little was seen: booted {booted} ago, {enough} needed", enough=False)
        case _:
            pass


MEMORY = Witness(
    of="share of time that tasks waited for memory (pressure stall information); pages read back from swap",
    look=_told,
)


def _cached_told(situation: Situation) -> Iterator[Seen]:
    yield from (Seen(words=words) for _, words in could_be_cached(situation))


CACHED = Witness(of="memory free or cached a day after the server started", look=_cached_told)

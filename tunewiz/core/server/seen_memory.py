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
from tunewiz.core.server.own_numbers import while_counting
from tunewiz.core.values.known import Fact, Known
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import shortly
from tunewiz.core.values.units import MIB, Bytes, Duration, in_words

PER_CONNECTION = Bytes(5 * MIB)
"""A backend's private memory: catalog and plan caches, stack; commonly 5 to 10 MB."""

_MICROSECONDS = 1_000_000


def stalls(now: Situation) -> Iterator[tuple[Fraction, str]]:
    """The share of time in which some task waited for memory: while watched, otherwise since boot."""
    for strain, when in _strains(now):
        match strain:
            case Strain(seconds=Known(value=seconds), stalled_us=Known(value=stalled)) if (
                seconds >= now.seen.memory_time.seconds
            ):
                share = Fraction(stalled, seconds * _MICROSECONDS)
                yield share, f"tasks waited for memory {shortly(100 * share)} % of the time {when}"
                return
            case _:
                pass


def _strains(now: Situation) -> Iterator[tuple[Strain, str]]:
    match now.server:
        case PostgresServer(window=Known(value=window)):
            yield window.strain, watched(window)
        case _:
            pass
    yield now.facts.memory.strain, "since the machine was booted"


def memory_is_short(now: Situation) -> Iterator[str]:
    """Evidence that memory is short: pressure stalls, or swap-ins if the kernel does not count stalls."""
    found = tuple(stalls(now))
    if found:
        yield from (words for share, words in found if share >= now.seen.stalled)
        return
    for rate, words in from_swap(now):
        if rate >= now.seen.swapped_in:
            yield words


def from_swap(now: Situation) -> Iterator[tuple[Fraction, str]]:
    """Pages a second read back from swap: while watched, otherwise since boot."""
    for strain, when in _strains(now):
        for rate in _a_second(strain.seconds, strain.swapped_in, now):
            yield rate, f"pages read back from swap: {shortly(rate)} a second {when}"
            return


def read_again(now: Situation) -> Iterator[str]:
    """Pages a second that were read again soon after eviction from the page cache (refaults)."""
    for strain, when in _strains(now):
        for rate in _a_second(strain.seconds, strain.refaults, now):
            yield f"pages read again soon after they left the page cache: {shortly(rate)} a second {when}"
            return


def _a_second(seconds: Fact[int], count: Fact[int], now: Situation) -> Iterator[Fraction]:
    match seconds, count:
        case Known(value=long), Known(value=pages) if long >= now.seen.memory_time.seconds:
            yield Fraction(pages, long)
        case _:
            pass


def could_be_cached(now: Situation) -> Iterator[tuple[Bytes, str]]:
    """The server's buffers and what else is free or cached, once it has been up for long."""
    match now.facts.memory:
        case Memory(available=Known(value=available), strain=Strain(seconds=Known(value=seconds))) if (
            seconds >= now.seen.checkpoint_time.seconds and _runs(now)
        ):
            buffers = now.settings["shared_buffers"].size(while_counting(now, "shared_buffers"))
            both = f"{buffers.short()} of buffers and {available.short()} free or cached"
            up = in_words(Duration(seconds * 1_000))
            yield buffers + available, f"{both} {up} after the start: {(buffers + available).short()}"
        case _:
            pass


def _runs(now: Situation) -> bool:
    return isinstance(now.server, PostgresServer) and now.server.running


def per_connection(now: Situation) -> Bytes:
    """A session's private memory: as seen on this server if that is more than the usual 5 MB."""
    return max((PER_CONNECTION, *(each for each, _ in each_process(now))))


def each_process(now: Situation) -> Iterator[tuple[Bytes, str]]:
    """The mean private memory of the server's processes, if enough of them were looked at."""
    match now.server:
        case PostgresServer(process_memory=Known(value=seen)) if seen.processes >= now.seen.processes:
            each = seen.own // seen.processes
            yield each, f"{each.short()} for each of {how_many(seen.processes, 'process')} of the server"
        case _:
            pass


def _told(now: Situation) -> Iterator[Seen]:
    found = (*(words for _, words in stalls(now)), *(words for _, words in from_swap(now)), *read_again(now))
    if found:
        yield from (Seen(words=words) for words in found)
        return
    match now.facts.memory.strain:
        case Strain(seconds=Known(value=seconds), stalled_us=Known()):
            enough = in_words(now.seen.memory_time)
            booted = in_words(Duration(seconds * 1_000))
            yield Seen(words=f"too little was seen: booted {booted} ago, {enough} needed", enough=False)
        case _:
            pass


MEMORY = Witness(
    of="share of time that tasks waited for memory (pressure stall information); pages read back from swap",
    look=_told,
)


def _cached_told(now: Situation) -> Iterator[Seen]:
    yield from (Seen(words=words) for _, words in could_be_cached(now))


CACHED = Witness(of="memory free or cached a day after the server started", look=_cached_told)

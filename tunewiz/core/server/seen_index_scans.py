"""Whether the dead rows of a table fit in the memory of an autovacuum worker on this server.

If they do not, the run scans all indexes of the table again and again, which the server's log tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.core.facts.log import LogSeen
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.server.own_numbers import while_counting
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.core.values.versions import V17

MOST_BEFORE_17 = Bytes(GIB)
"""Vacuum never uses more before 17 (PostgreSQL, documentation of maintenance_work_mem, 16)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexScans:
    """What repeated index scans say about the memory of an autovacuum worker."""

    words: str
    worth: Bytes
    """Memory in which every run's dead rows would have fitted; before 17, what vacuum can use of it."""


def repeated_index_scans(now: Situation) -> Iterator[IndexScans]:
    """What many repeated scans are worth in memory; none if there are few, or vacuum can use no more."""
    memory = _memory_of_a_worker(now)
    for seen, how in _enough_runs(now):
        worth = _usable(now, memory * seen.most_index_scans)
        if _are_many(now, seen) and worth > memory:
            words = f"{_repeated(seen, how)}: {memory.short()} hold too few dead rows"
            yield IndexScans(words=words, worth=worth)


def index_scans_suffice(now: Situation) -> Iterator[str]:
    """That the dead rows of nearly all runs fitted in memory."""
    for seen, how in _enough_runs(now):
        if not _are_many(now, seen):
            yield _repeated(seen, how)


def _enough_runs(now: Situation) -> Iterator[tuple[LogSeen, str]]:
    for seen, how in server_log(now):
        if seen.autovacuums >= now.seen.autovacuums:
            yield seen, how


def _are_many(now: Situation, seen: LogSeen) -> bool:
    return seen.repeated_index_scans >= seen.autovacuums * now.seen.repeated_index_scans


def _memory_of_a_worker(now: Situation) -> Bytes:
    """While the server wrote its log, unless its settings have changed since."""
    own = while_counting(now, "autovacuum_work_mem")
    name = "maintenance_work_mem" if own == "-1" else "autovacuum_work_mem"
    return _usable(now, now.settings[name].size(while_counting(now, name)))


def _usable(now: Situation, memory: Bytes) -> Bytes:
    return memory if now.major >= V17 else min(memory, MOST_BEFORE_17)


def _repeated(seen: LogSeen, how: str) -> str:
    runs = how_many(seen.autovacuums, "autovacuum run")
    if not seen.repeated_index_scans:
        return f"none of {runs} in {how} scanned the indexes more than once"
    most = how_many(seen.most_index_scans, "time")
    return (
        f"{seen.repeated_index_scans:,} of {runs} in {how} scanned the indexes more than once, up to {most}"
    )


def _told(now: Situation) -> Iterator[Seen]:
    for seen, how in server_log(now):
        if seen.autovacuums < now.seen.autovacuums:
            runs = how_many(seen.autovacuums, "autovacuum run")
            words = f"too little was seen: {runs} in {how}, {now.seen.autovacuums} needed"
            yield Seen(words=words, enough=False)
            return
    found = tuple(each.words for each in repeated_index_scans(now))
    if found:
        yield from (Seen(words=words) for words in found)
        return
    yield from (Seen(words=_repeated(seen, how)) for seen, how in _enough_runs(now))


INDEX_SCANS = Witness(of="autovacuum runs that scanned the indexes more than once, from the log", look=_told)

"""Whether the dead rows of a table fit in the memory of an autovacuum worker on this server.

If they do not, the run scans all indexes of the table again and again, which the server's log tells.
"""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.log import LogSeen
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass
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


def repeated_index_scans(situation: Situation) -> Iterator[IndexScans]:
    """What many repeated scans are worth in memory; none if there are few, or vacuum can use no more."""
    memory = _memory_of_a_worker(situation)
    for log, how in _enough_runs(situation):
        worth = _usable(situation, memory * log.most_index_scans)
        if _are_many(situation, log) and worth > memory:
            words = f"{_repeated(log, how)}: {memory.short()} hold too few dead rows"
            yield IndexScans(words=words, worth=worth)


def index_scans_suffice(situation: Situation) -> Iterator[str]:
    """That the dead rows of nearly all runs fitted in memory."""
    for log, how in _enough_runs(situation):
        if not _are_many(situation, log):
            yield _repeated(log, how)


def _enough_runs(situation: Situation) -> Iterator[tuple[LogSeen, str]]:
    for log, how in server_log(situation):
        if log.autovacuums >= situation.thresholds.autovacuums:
            yield log, how


def _are_many(situation: Situation, log: LogSeen) -> bool:
    return log.repeated_index_scans >= log.autovacuums * situation.thresholds.repeated_index_scans


def _memory_of_a_worker(situation: Situation) -> Bytes:
    """While the server wrote its log, unless its settings have changed since."""
    own = situation.in_force("autovacuum_work_mem")
    name = "maintenance_work_mem" if own == "-1" else "autovacuum_work_mem"
    return _usable(situation, situation.size_in_force(name))


def _usable(situation: Situation, memory: Bytes) -> Bytes:
    return memory if situation.major >= V17 else min(memory, MOST_BEFORE_17)


def _repeated(log: LogSeen, how: str) -> str:
    runs = how_many(log.autovacuums, "autovacuum run")
    if not log.repeated_index_scans:
        return f"none of {runs} in {how} scanned the indexes more than once"
    most = how_many(log.most_index_scans, "time")
    return f"{log.repeated_index_scans:,} of {runs} in {how} scanned the indexes more than once, up to {most}"


def _told(situation: Situation) -> Iterator[Seen]:
    for log, how in server_log(situation):
        if log.autovacuums < situation.thresholds.autovacuums:
            runs = how_many(log.autovacuums, "autovacuum run")
            words = f"too little was seen: {runs} in {how}, {situation.thresholds.autovacuums} needed"
            yield Seen(words=words, enough=False)
            return
    result = tuple(repeated_index_scan.words for repeated_index_scan in repeated_index_scans(situation))
    if result:
        yield from (Seen(words=words) for words in result)
        return
    yield from (Seen(words=_repeated(observation, how)) for observation, how in _enough_runs(situation))


INDEX_SCANS = Witness(of="autovacuum runs that scanned the indexes more than once, from the log", look=_told)

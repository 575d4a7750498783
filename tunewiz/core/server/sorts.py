"""How many sorts and hashes run at once: with the sessions that are at work, and at the very worst."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.seen_work import most_at_work
from tunewiz.core.server.sessions import PER_THREAD, hardware_threads
from tunewiz.core.values.known import Fact, Known, MissingFact, Unknown
from tunewiz.core.values.plural import how_many

HASHES = Fraction(1, 2)
"""Of what runs at once: the rest are sorts, which take work_mem without the multiplier. An assumption; at the
very worst all are hashes."""


def sessions_at_work(situation: Situation) -> int:
    """Sessions that run a query at the peak: as many as the processors serve well, and a part of the rest."""
    return min((_by_processors(situation), *(observation for observation, _ in most_at_work(situation))))


def _by_processors(situation: Situation) -> int:
    try:
        threads = hardware_threads(situation)
    except MissingFact:
        return situation.connections
    return _working(situation.connections, threads, situation.posture.waiting_share)


# Each is needed some twenty times in a plan, and fractions are slow.


@lru_cache(maxsize=1024)
def _working(connections: int, threads: int, waiting_share: Fraction) -> int:
    served = PER_THREAD * threads
    return connections if connections <= served else ceil(served + (connections - served) * waiting_share)


@lru_cache(maxsize=1024)
def _in_use(sessions: int, share: Fraction, workers: int, times: Fraction) -> Fraction:
    return (sessions * share + workers) * (1 - HASHES + HASHES * times)


@lru_cache(maxsize=256)
def _times(multiplier: str) -> Fraction:
    return max(Fraction(1), Fraction(multiplier))


def at_work_in_words(situation: Situation) -> str:
    """The same for a computation."""
    for observation, words in most_at_work(situation):
        if observation < _by_processors(situation):
            return f"{observation} of {situation.connections:,} sessions active ({words})"
    served, working = _served(situation), sessions_at_work(situation)
    if not isinstance(served, Known) or situation.connections <= served.value:
        return f"{working:,} sessions at work"
    threads = how_many(hardware_threads(situation), "hardware thread")
    counted = f"{float(PER_THREAD):g} for each of {threads}, as assumed"
    rest = f"{situation.posture.waiting_share} of the rest"
    return f"{working:,} of {situation.connections:,} sessions at work ({counted}, and {rest})"


def _served(situation: Situation) -> Fact[Fraction]:
    try:
        return Known(PER_THREAD * hardware_threads(situation), "sessions per hardware thread, assumed")
    except MissingFact as missing:
        return Unknown(str(missing))


def sorts_at_once(situation: Situation) -> Fraction:
    """How many times work_mem is in use at the peak; a parallel worker takes part in one sort or hash."""
    sessions, sorts = sessions_at_work(situation), situation.workload.sorts_per_connection
    return _in_use(sessions, sorts, parallel_workers(situation), multiplier(situation))


def sorts_of(situation: Situation, sessions: int) -> Fraction:
    """The same of so many sessions, all at work."""
    sorts = situation.workload.sorts_per_connection
    return _in_use(sessions, sorts, parallel_workers(situation), multiplier(situation))


def sorts_at_worst(situation: Situation) -> Fraction:
    """The same if every session that is expected and every worker runs all of its hashes at its limit."""
    processes = situation.connections + parallel_workers(situation)
    return processes * situation.workload.sorts_per_connection * multiplier(situation)


def multiplier(situation: Situation) -> Fraction:
    """How many times work_mem a hash may take: hash_mem_multiplier, from 13 on."""
    if situation.settings.has("hash_mem_multiplier"):
        return _times(situation.will_be("hash_mem_multiplier"))
    return Fraction(1)


def workers_of_a_query(situation: Situation) -> int:
    """Parallel workers that one query may ask for: none in 9.5, which has no parallel queries."""
    name = "max_parallel_workers_per_gather"
    return int(situation.will_be(name)) if situation.settings.has(name) else 0


def parallel_workers(situation: Situation) -> int:
    """Parallel workers that may run at once over all queries."""
    allowed = int(situation.will_be("max_worker_processes"))
    if workers_of_a_query(situation) == 0:
        return 0
    if situation.settings.has("max_parallel_workers"):
        return min(allowed, int(situation.will_be("max_parallel_workers")))
    return allowed

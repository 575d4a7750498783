"""A warning about sessions that wait for each other's locks, which no setting shortens."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.statistics import first_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, enough_seen
from tunewiz.core.server.seen_work import watched_sessions
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import shortly

SOME = 2
"""One waiting session is not a queue."""


def lock_waits(situation: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of the warning, if there were many waits."""
    long_waits = _by_the_server if any(enough_seen(situation, _waits(0))) else _in_the_log
    observation = "; ".join((*_at_once(situation), *long_waits(situation)))
    if observation:
        text = (
            f"Sessions wait for each other's locks: {observation}. No setting shortens these waits: "
            "pg_blocking_pids() names who holds them up. End transactions sooner; take locks in one order."
        )
        yield "lock_waits", text


def _at_once(situation: Situation) -> Iterator[str]:
    for most, when in watched_sessions(situation):
        if most.waiting >= SOME and most.waiting >= most.active * situation.thresholds.waiting:
            yield f"up to {most.waiting:,} at once, with up to {most.active:,} sessions active, {when}"


def _waits(enough: int) -> Needs:
    """Where the server counts them (19 and newer), the log is not asked: it may lack log_lock_waits."""
    names = ("lock_waits", "lock_wait_ms", "active_ms")
    return Needs(names=names, enough=enough, unit="waits", weigh=first_of)


def _by_the_server(situation: Situation) -> Iterator[str]:
    """Many waits, and a share of the sessions' time at work that somebody notices."""
    for statistics in enough_seen(situation, _waits(situation.thresholds.lock_waits)):
        waits, waited, active = statistics.values
        share = Fraction(waited, max(active, waited, 1))
        if share >= situation.thresholds.lock_wait_share:
            took = f"which took {shortly(100 * share)} % of the time at work of all sessions"
            yield f"{how_many(waits, 'wait')} longer than deadlock_timeout {statistics.when}, {took}"


def _in_the_log(situation: Situation) -> Iterator[str]:
    for log, how in server_log(situation):
        if log.lock_waits >= situation.thresholds.lock_waits:
            yield f"{how_many(log.lock_waits, 'wait')} longer than deadlock_timeout in {how}"

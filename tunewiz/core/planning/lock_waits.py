"""A warning about sessions that wait for each other's locks, which no setting shortens."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.seen_work import watched_sessions
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.plural import how_many

SOME = 2
"""One waiting session is not a queue."""


def lock_waits(situation: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of the warning, if there were many waits."""
    observation = "; ".join((*_at_once(situation), *_in_the_log(situation)))
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


def _in_the_log(situation: Situation) -> Iterator[str]:
    for log, how in server_log(situation):
        if log.lock_waits >= situation.thresholds.lock_waits:
            yield f"{how_many(log.lock_waits, 'wait')} longer than deadlock_timeout in {how}"

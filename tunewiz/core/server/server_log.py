"""What this server's own log told."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.values.known import Known
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import MIB, Bytes

ENOUGH_REPLAYED = Bytes(256 * MIB)
"""Less is replayed in a second or two, which says little."""
ENOUGH_SECONDS = 1.0
"""The log counts hundredths of a second; a shorter time says nothing of the pace."""


def server_log(situation: Situation) -> Iterator[tuple[LogSeen, str]]:
    """What was read, and from which files; nothing if no log was named."""
    match situation.server:
        case PostgresServer(log=Known(value=log, how=how)):
            yield log, how
        case _:
            pass


def replay_seen(situation: Situation) -> Iterator[tuple[Bytes, str]]:
    """WAL replayed in a second by this server's crash recoveries, and where that was seen."""
    for log, how in server_log(situation):
        if log.replayed >= ENOUGH_REPLAYED and ENOUGH_SECONDS <= log.replay_seconds <= log.replayed.count:
            rate = Bytes(int(log.replayed.count / log.replay_seconds))
            yield rate, f"{how_many(log.recoveries, 'replay')} in {how}"


def _replay_told(situation: Situation) -> Iterator[Seen]:
    yield from (
        Seen(words=f"{rate.short()}/s of WAL replayed in {where}") for rate, where in replay_seen(situation)
    )


REPLAY = Witness(of="WAL replayed per second in crash recoveries, from the log", look=_replay_told)

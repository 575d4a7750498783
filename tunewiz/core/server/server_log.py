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


def server_log(now: Situation) -> Iterator[tuple[LogSeen, str]]:
    """What was read, and from which files; nothing if no log was named."""
    match now.server:
        case PostgresServer(log=Known(value=seen, how=how)):
            yield seen, how
        case _:
            pass


def replay_seen(now: Situation) -> Iterator[tuple[Bytes, str]]:
    """WAL replayed in a second by this server's crash recoveries, and where that was seen."""
    for seen, how in server_log(now):
        if seen.replayed >= ENOUGH_REPLAYED and ENOUGH_SECONDS <= seen.replay_seconds <= seen.replayed.count:
            rate = Bytes(int(seen.replayed.count / seen.replay_seconds))
            yield rate, f"{how_many(seen.recoveries, 'replay')} in {how}"


def _replay_told(now: Situation) -> Iterator[Seen]:
    yield from (
        Seen(words=f"{rate.short()}/s of WAL replayed in {where}") for rate, where in replay_seen(now)
    )


REPLAY = Witness(of="WAL replayed per second in crash recoveries, from the log", look=_replay_told)

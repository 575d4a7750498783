"""What a standby showed of its replay: paused, or far behind what it has received."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.health import Health, Replay
from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import GIB, Bytes, Duration, in_words

FAR_BEHIND = Bytes(GIB)
"""Received and not replayed: the default of max_wal_size. An assumption, like the next one."""

LONG_SECONDS = 600
"""A standby that had not caught up for so long is not just in the middle of a load."""

NOT_PAUSED = "not paused"


def replay_of(situation: Situation) -> Replay | None:
    """As the look at its health showed it; None for a primary."""
    match situation.server:
        case PostgresServer(health=Known(value=Health(replay=replay))):
            return replay
        case _:
            return None


def falls_behind(situation: Situation) -> str | None:
    """That replay is far behind, and for long; not where it waits by intent, or was paused."""
    replay = replay_of(situation)
    if replay is None or replay.pause != NOT_PAUSED or is_delayed(situation):
        return None
    seconds = replay.commit_seconds if replay.caught_up_seconds is None else replay.caught_up_seconds
    is_far = (replay.behind or 0) >= FAR_BEHIND.count and (seconds or 0) >= LONG_SECONDS
    return _in_words(replay) if is_far else None


def is_delayed(situation: Situation) -> bool:
    """Whether this standby replays later by intent (recovery_min_apply_delay)."""
    match situation.server:
        case PostgresServer(settings=settings):
            delay = known_or(settings, NO_SETTINGS).get("recovery_min_apply_delay")
            return delay is not None and delay.value not in ("0", "")
        case _:
            return False


def _in_words(replay: Replay) -> str:
    behind = f"{Bytes(replay.behind or 0).human()} of WAL are received and not replayed"
    if replay.caught_up_seconds is not None:
        return f"{behind}; replay last had caught up {_ago(replay.caught_up_seconds)} (pg_stat_recovery)"
    if replay.commit_seconds is not None:
        return f"{behind}; the newest commit that was replayed is {_age(replay.commit_seconds)} old"
    return behind


def _ago(seconds: int) -> str:
    return f"{_age(seconds)} ago"


def _age(seconds: int) -> str:
    return in_words(Duration(seconds * 1_000))


def _replay_told(situation: Situation) -> Iterator[Seen]:
    replay = replay_of(situation)
    if replay is None:
        return
    if replay.pause != NOT_PAUSED:
        yield Seen(words=f"replay: {replay.pause}", decides=False)
    elif replay.behind is not None:
        yield Seen(words=_in_words(replay), decides=falls_behind(situation) is not None)


REPLAY = Witness(of="WAL that a standby has received and not replayed", look=_replay_told)

"""A standby whose replay is paused, or falls behind what it receives."""

from __future__ import annotations

from tunewiz.core.facts.health import Replay
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.seen_replay import NOT_PAUSED, falls_behind, replay_of
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import V10

WAITS_FOR = "SELECT wait_event_type, wait_event FROM pg_stat_activity WHERE backend_type = 'startup';"


def trouble_of_replay(situation: Situation) -> Trouble | None:
    """That a standby replays nothing, or too slowly; None where it does, and for a primary."""
    replay = replay_of(situation)
    if replay is not None and replay.pause != NOT_PAUSED:
        return _paused(replay, situation)
    behind = falls_behind(situation)
    return None if behind is None else _behind(behind, situation)


def _behind(lag: str, situation: Situation) -> Trouble:
    return Trouble(
        kind="replay falls behind",
        who="administrator",
        what="",
        because=f"{lag}. Queries here read old rows, and a promotion waits until all of it is replayed. "
        "The statement tells what replay waits for: a query in its way, reads of data, or nothing, if one "
        "process cannot do more.",
        do=(WAITS_FOR,) if situation.major >= V10 else (),
    )


def _paused(replay: Replay, situation: Situation) -> Trouble:
    kept = f", {Bytes(replay.behind).human()} of WAL by now" if replay.behind else ""
    what = "wal" if situation.major >= V10 else "xlog"
    return Trouble(
        kind="replay is paused",
        who="administrator",
        what="",
        because=f"this standby receives WAL and replays none of it{kept}: its disk fills up, and queries "
        "read old rows. Somebody paused it, or it paused itself, because a setting is lower here than on the "
        "primary: the log says so, and then resuming would stop the server; raise the setting and restart it "
        "instead.",
        do=(f"SELECT pg_{what}_replay_resume();",),
        undo=(f"SELECT pg_{what}_replay_pause();",),
        extent=replay.behind or 0,
    )

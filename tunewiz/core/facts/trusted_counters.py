"""A server's counters without those that do not count: switched off, just reset, or a standby's own.

What nobody counted is zero in the views, and a zero reads as good news: no dead row, no scan of an index.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from tunewiz.core.facts.server import NO_SETTINGS, Activity, PostgresServer, Window
from tunewiz.core.values.known import Fact, Known, Unknown, known_or
from tunewiz.core.values.plural import how_many

HOUR = 3_600
DAY = 24 * HOUR
"""Seconds since a reset that include the busiest hour."""

_TRACKED = (
    *("commits", "rollbacks", "rows_read", "rows_written", "blocks_hit", "blocks_read"),
    *("temp_files", "temp_bytes", "live_rows", "dead_rows"),
)
"""What track_counts governs (PostgreSQL's manual, version 15, runtime-config-statistics)."""
_OF_WRITERS = ("rows_written", "live_rows", "dead_rows")
"""What a server in recovery never counts: it replays what others wrote."""
_SINCE_THE_RESET = (*_TRACKED, "checkpoints_timed", "checkpoints_requested")

NOT_COUNTING = "track_counts is off: nothing is counted"
ON_A_STANDBY = "a standby counts no writes: its primary does"


def not_counting(server: PostgresServer) -> str:
    """Why the counters of tables and indexes say nothing; empty if they count."""
    setting = known_or(server.settings, NO_SETTINGS).get("track_counts")
    if setting is not None and setting.value in ("off", "false"):
        return NOT_COUNTING
    return ON_A_STANDBY if known_or(server.role, "primary") == "standby" else ""


def with_trusted_counters(server: PostgresServer) -> PostgresServer:
    """The server; what does not count is unknown, with the reason."""
    why = not_counting(server)
    names = {"": (), NOT_COUNTING: _TRACKED, ON_A_STANDBY: _OF_WRITERS}[why]
    activity, window = _without(server.activity, names, why), _without(server.window, names, why)
    tables = server.tables
    if why and isinstance(tables, Known):
        unread = tuple(dataclasses.replace(database, tables=Unknown(why)) for database in tables.value)
        tables = Known(unread, tables.how)
    return dataclasses.replace(server, activity=_old_enough(activity), window=window, tables=tables)


def _old_enough(activity: Fact[Activity]) -> Fact[Activity]:
    """Counters of less than a day are not taken for the server's usual work."""
    match activity:
        case Known(value=Activity(counters=counters)):
            seconds = known_or(counters.seconds, DAY)
            if seconds < DAY:
                age = how_many(seconds // HOUR, "hour") if seconds >= HOUR else "less than an hour"
                why = f"the statistics were reset {age} ago: a day of counting is needed"
                return _without(activity, _SINCE_THE_RESET, why)
            return activity
        case _:
            return activity


_T = TypeVar("_T", Activity, Window)


def _without(period: Fact[_T], names: tuple[str, ...], why: str) -> Fact[_T]:
    if not isinstance(period, Known):
        return period
    fields = {field.name for field in dataclasses.fields(period.value)}
    unknown: Mapping[str, Any] = {name: Unknown(why) for name in names if name in fields}
    return Known(dataclasses.replace(period.value, **unknown), period.how) if unknown else period

"""A server's counters by name, and their period: while it was watched, or since a reset."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tunewiz.core.facts.counters import Counters
from tunewiz.core.facts.server import Activity, PostgresServer, Window
from tunewiz.core.values.known import Fact, Known, known_or
from tunewiz.core.values.units import Duration, in_words

Period: TypeAlias = Literal["watched", "since the reset"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """Counters of one period."""

    values: tuple[int, ...]
    when: str
    """`since 2026-10-01`, `in this window of 10 min`."""
    how: str
    period: Period


def of_window(window: Window) -> Mapping[str, Fact[int]]:
    """The differences, by name."""
    return {
        **of_counters(window.counters),
        "commits": window.commits,
        "rollbacks": window.rollbacks,
        "rows_read": window.rows_read,
        "rows_written": window.rows_written,
        "blocks_hit": window.blocks_hit,
        "blocks_read": window.blocks_read,
        "temp_files": window.temp_files,
        "temp_bytes": window.temp_bytes,
        "checkpoints_timed": window.checkpoints_timed,
        "checkpoints_requested": window.checkpoints_requested,
        "wal_bytes": window.wal_bytes,
    }


def of_activity(activity: Activity) -> Mapping[str, Fact[int]]:
    """The counters since the last reset, and current values, by name."""
    return {
        **of_counters(activity.counters),
        "commits": activity.commits,
        "rollbacks": activity.rollbacks,
        "rows_read": activity.rows_read,
        "rows_written": activity.rows_written,
        "blocks_hit": activity.blocks_hit,
        "blocks_read": activity.blocks_read,
        "temp_files": activity.temp_files,
        "temp_bytes": activity.temp_bytes,
        "checkpoints_timed": activity.checkpoints_timed,
        "checkpoints_requested": activity.checkpoints_requested,
        "live_rows": activity.live_rows,
        "dead_rows": activity.dead_rows,
        "transaction_age": activity.transaction_age,
    }


def of_counters(counters: Counters) -> Mapping[str, Fact[int]]:
    """What newer views count, by name."""
    return {each.name: getattr(counters, each.name) for each in dataclasses.fields(counters)}


Weigh: TypeAlias = Callable[[tuple[int, ...]], int]


def first_of(values: tuple[int, ...]) -> int:
    """The first counter, if it shows how much was seen."""
    return values[0]


def counted(server: PostgresServer, *names: str, enough: int, weigh: Weigh = sum) -> Iterator[Counted]:
    """The counters of the first period in which enough was seen, the watched one first.

    Args:
        server: What is known of it.
        names: Keys of `of_activity` and `of_window`; all must be known.
        enough: The least that must have been seen.
        weigh: Computes how much was seen; by default the sum of the counters.
    """
    for time in _times(server):
        values = tuple(_values(time.facts, names))
        if len(values) == len(names) and weigh(values) >= enough:
            yield Counted(values=values, when=time.when, how=time.how, period=time.period)
            return


def most_counted(server: PostgresServer, *names: str, weigh: Weigh = sum) -> Iterator[tuple[int, str]]:
    """How much was seen in the period in which most was, and which; nothing where none has all counters."""
    seen = [
        (weigh(values), time.when)
        for time in _times(server)
        if len(values := tuple(_values(time.facts, names))) == len(names)
    ]
    if seen:
        yield max(seen, key=lambda each: each[0])


def _values(facts: Mapping[str, Fact[int]], names: tuple[str, ...]) -> Iterator[int]:
    for name in names:
        match facts.get(name):
            case Known(value=value):
                yield value
            case _:
                pass


@dataclass(frozen=True, kw_only=True, slots=True)
class _Time:
    facts: Mapping[str, Fact[int]]
    when: str
    how: str
    period: Period


def _times(server: PostgresServer) -> Iterator[_Time]:
    if isinstance(server.window, Known):
        window = server.window.value
        yield _Time(facts=of_window(window), when=watched(window), how=server.window.how, period="watched")
    if isinstance(server.activity, Known):
        since = known_or(server.activity.value.since, "")
        when = f"since {since[:10] or 'the statistics were reset'}"
        counters = of_activity(server.activity.value)
        yield _Time(facts=counters, when=when, how=server.activity.how, period="since the reset")


def watched(window: Window) -> str:
    """The time in words."""
    return f"in this window of {in_words(Duration(1_000 * window.seconds))}"

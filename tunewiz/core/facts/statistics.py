"""A server's counters by name, and their period: while it was watched, or since a reset."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Literal, TypeAlias

from tunewiz.core.facts.counters import Counters
from tunewiz.core.facts.server import Activity, PostgresServer, Window
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact, Known, known_or
from tunewiz.core.values.record import dataclass
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


_ALWAYS = (
    *("commits", "rollbacks", "rows_read", "rows_written", "blocks_hit", "blocks_read"),
    *("temp_files", "temp_bytes", "checkpoints_timed", "checkpoints_requested"),
)
_OF_WINDOW = (*_ALWAYS, "wal_bytes")
_OF_ACTIVITY = (*_ALWAYS, "live_rows", "dead_rows", "transaction_age")
"""Fields of the record itself; other values are in its `counters`."""


def of_window(window: Window) -> Mapping[str, Fact[int]]:
    """The differences, by name."""
    return {name: in_window(window, name) for name in (*_counter_names(), *_OF_WINDOW)}


def of_activity(activity: Activity) -> Mapping[str, Fact[int]]:
    """The counters since the last reset, and current values, by name."""
    return {name: in_activity(activity, name) for name in (*_counter_names(), *_OF_ACTIVITY)}


def in_window(window: Window, name: str) -> Fact[int]:
    """One of the window's values, by name."""
    return getattr(window if name in _OF_WINDOW else window.counters, name, NOT_LOOKED_FOR)


def in_activity(activity: Activity, name: str) -> Fact[int]:
    """One of the activity's values, by name."""
    return getattr(activity if name in _OF_ACTIVITY else activity.counters, name, NOT_LOOKED_FOR)


def _counter_names() -> tuple[str, ...]:
    """Names of counters from newer views."""
    return tuple(field.name for field in dataclasses.fields(Counters))


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
        values = tuple(_values(time, names))
        if len(values) == len(names) and weigh(values) >= enough:
            yield Counted(values=values, when=time.when, how=time.how, period=time.period)
            return


def in_same_period(server: PostgresServer, statistics: Counted, name: str) -> Fact[int]:
    """One more counter of the period in which others were counted."""
    for time in _times(server):
        if time.period == statistics.period:
            return time.fact(name)
    return NOT_LOOKED_FOR


def most_counted(server: PostgresServer, *names: str, weigh: Weigh = sum) -> Iterator[tuple[int, str]]:
    """How much was seen in the period in which most was, and which; nothing where none has all counters."""
    observation = [
        (weigh(values), time.when)
        for time in _times(server)
        if len(values := tuple(_values(time, names))) == len(names)
    ]
    if observation:
        yield max(observation, key=lambda results: results[0])


def _values(time: _Time, names: tuple[str, ...]) -> Iterator[int]:
    for name in names:
        match time.fact(name):
            case Known(value=value):
                yield value
            case _:
                pass


@dataclass(frozen=True, kw_only=True, slots=True)
class _Time:
    fact: Callable[[str], Fact[int]]
    when: str
    how: str
    period: Period


def _times(server: PostgresServer) -> Iterator[_Time]:
    if isinstance(server.window, Known):
        window = server.window.value
        fact, how = partial(in_window, window), server.window.how
        yield _Time(fact=fact, when=watched(window), how=how, period="watched")
    if isinstance(server.activity, Known):
        activity, how = server.activity.value, server.activity.how
        since = known_or(activity.since, "")
        when = f"since {since[:10] or 'the statistics were reset'}"
        fact = partial(in_activity, activity)
        yield _Time(fact=fact, when=when, how=how, period="since the reset")


def watched(window: Window) -> str:
    """The time in words: how long, and when it began."""
    began = known_or(window.began, "")
    since = f" from {began[:10]} {began[11:16]} UTC" if began else ""
    return f"in this window of {in_words(Duration(1_000 * window.seconds))}{since}"

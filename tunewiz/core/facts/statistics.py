"""A server's counters by name, and their period: while it was watched, or since a reset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from tunewiz.core.facts.counters import Counters
from tunewiz.core.facts.server import Activity, PostgresServer, Window
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact, Known, known_or
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


_OF_BOTH = (
    *("commits", "rollbacks", "rows_read", "rows_written", "blocks_hit", "blocks_read"),
    *("temp_files", "temp_bytes", "checkpoints_timed", "checkpoints_requested"),
)
_OF_A_WINDOW = (*_OF_BOTH, "wal_bytes")
_OF_ACTIVITY = (*_OF_BOTH, "live_rows", "dead_rows", "transaction_age")
_OF_COUNTERS = tuple(each.name for each in fields(Counters))


def of_window(window: Window) -> Mapping[str, Fact[int]]:
    """The differences, by name."""
    return {**of_counters(window.counters), **{name: getattr(window, name) for name in _OF_A_WINDOW}}


def of_activity(activity: Activity) -> Mapping[str, Fact[int]]:
    """The counters since the last reset, and current values, by name."""
    return {**of_counters(activity.counters), **{name: getattr(activity, name) for name in _OF_ACTIVITY}}


def of_counters(counters: Counters) -> Mapping[str, Fact[int]]:
    """What newer views count, by name."""
    return {name: getattr(counters, name) for name in _OF_COUNTERS}


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


def most_counted(server: PostgresServer, *names: str, weigh: Weigh = sum) -> Iterator[tuple[int, str]]:
    """How much was seen in the period in which most was, and which; nothing where none has all counters."""
    seen = [
        (weigh(values), time.when)
        for time in _times(server)
        if len(values := tuple(_values(time, names))) == len(names)
    ]
    if seen:
        yield max(seen, key=lambda each: each[0])


def _values(time: _Time, names: tuple[str, ...]) -> Iterator[int]:
    for name in names:
        fact = time.fact(name)
        if isinstance(fact, Known):
            yield fact.value


@dataclass(frozen=True, kw_only=True, slots=True)
class _Time:
    of: Activity | Window
    own: tuple[str, ...]
    """Names that the record itself has; the others are its counters'."""
    when: str
    how: str
    period: Period

    def fact(self, name: str) -> Fact[int]:
        """As in `of_activity` and `of_window`, of which a decision needs two or three."""
        found: Fact[int] = getattr(self.of if name in self.own else self.of.counters, name, NOT_LOOKED_FOR)
        return found


def _times(server: PostgresServer) -> Iterator[_Time]:
    if isinstance(server.window, Known):
        window = server.window.value
        yield _Time(
            of=window,
            own=_OF_A_WINDOW,
            when=watched(window),
            how=server.window.how,
            period="watched",
        )
    if isinstance(server.activity, Known):
        since = known_or(server.activity.value.since, "")
        when = f"since {since[:10] or 'the statistics were reset'}"
        yield _Time(
            of=server.activity.value,
            own=_OF_ACTIVITY,
            when=when,
            how=server.activity.how,
            period="since the reset",
        )


def watched(window: Window) -> str:
    """The time in words."""
    return f"in this window of {in_words(Duration(1_000 * window.seconds))}"

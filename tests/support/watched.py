"""Servers with statistics, for tests of what these speak for."""

import dataclasses
from collections.abc import Mapping

from situations import situation
from small_tables import table
from tunewiz.core.facts.counters import Counters
from tunewiz.core.facts.server import Activity, PostgresServer, Window
from tunewiz.core.facts.strain import Strain
from tunewiz.core.facts.tables import DatabaseTables
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.units import Bytes

NOT_READ = Unknown("not part of the test")
NOT_COUNTED = (
    *("seconds", "samples", "since", "databases_size", "curves", "counters", "sessions", "strain"),
    *("began", "days", "server_started", "statements", "waits"),
)


def activity(**counted: int) -> Known[Activity]:
    """What the server counted since its statistics were reset; the rest is not known."""
    names = {field.name for field in dataclasses.fields(Activity)} - {*NOT_COUNTED}
    facts: dict[str, Fact[int]] = {name: _fact(counted, name) for name in names}
    more = counters(**counted)
    size: Fact[Bytes] = NOT_READ
    return Known(
        Activity(since=Known("2026-10-01T00:00:00Z", "test"), databases_size=size, counters=more, **facts),
        "the view",
    )


def window(seconds: int = 600, **counted: int) -> Known[Window]:
    """What it did while it was watched; the rest is not known."""
    names = {field.name for field in dataclasses.fields(Window)} - {*NOT_COUNTED}
    facts: dict[str, Fact[int]] = {name: _fact(counted, name) for name in names}
    more = counters(**counted)
    return Known(
        Window(
            seconds=seconds,
            samples=10,
            curves=(),
            counters=more,
            sessions=NOT_READ,
            strain=Strain(),
            began=NOT_READ,
            days=Known(7, "test"),
            server_started=NOT_READ,
            statements=NOT_READ,
            waits=NOT_READ,
            **facts,
        ),
        "watched as postgres",
    )


def counters(**counted: int) -> Counters:
    """What newer views count; the rest is not known."""
    names = {field.name for field in dataclasses.fields(Counters)}
    return Counters(**{name: _fact(counted, name) for name in names})


def _fact(counted: Mapping[str, int], name: str) -> Fact[int]:
    return Known(counted[name], "test") if name in counted else NOT_READ


def with_statistics(
    given: Given, *, since: Known[Activity] | Unknown = NOT_READ, watched: Known[Window] | Unknown = NOT_READ
) -> Situation:
    """The situation of a server that counted this; all of its rows are in one table."""
    result = situation(given)
    assert isinstance(result.server, PostgresServer)
    server = dataclasses.replace(result.server, activity=since, window=watched, tables=_one_table(since))
    facts = dataclasses.replace(result.facts, postgres=(server,))
    return dataclasses.replace(result, facts=facts, server=server)


def _one_table(since: Known[Activity] | Unknown) -> Known[tuple[DatabaseTables, ...]] | Unknown:
    match since:
        case Known(value=Activity(live_rows=Known(value=live), dead_rows=Known(value=dead))):
            database_tables = DatabaseTables(
                database="shop",
                since=NOT_READ,
                counted_seconds=NOT_READ,
                tables=Known((table(live_rows=live, dead_rows=dead),), "test"),
                unused_indexes=NOT_READ,
                bare_foreign_keys=NOT_READ,
            )
            return Known((database_tables,), "test")
        case _:
            return NOT_READ

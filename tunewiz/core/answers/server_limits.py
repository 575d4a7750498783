"""Limits of what the facts of a PostgreSQL server can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache as cached
from typing import TYPE_CHECKING

from tunewiz.core.answers.bounds import (
    MAX_COUNT,
    MAX_DISK,
    ImpossibleValue,
    count_outside,
    known_count_outside,
    known_size_outside,
    size_outside,
)
from tunewiz.core.answers.probe_limits import impossible_probe
from tunewiz.core.answers.work_limits import impossible_meanwhile, impossible_work
from tunewiz.core.facts.deep_look import DeepDatabase, DeepLook
from tunewiz.core.facts.health import Health
from tunewiz.core.facts.replication import Replication
from tunewiz.core.facts.server import Activity, Curve, PostgresServer, Window
from tunewiz.core.facts.statistics import of_activity, of_window
from tunewiz.core.facts.tables import DatabaseTables
from tunewiz.core.facts.waits import Waits
from tunewiz.core.values.known import Fact, Known, known_or
from tunewiz.core.values.units import Bytes, Duration
from tunewiz.core.values.versions import Major, MajorError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_CONNECTIONS = 262_143
"""MAX_BACKENDS: the largest max_connections that any server accepts."""
HIGHEST_PORT = 65_535
MIN_WINDOW = Duration.parse("2s")
"""A shorter time shows nothing: some versions update their counters only twice a second."""
MAX_WINDOW = Duration.parse("1d")
"""The longest time to watch a server: it includes the busiest hours of a day."""
MAX_WAITS = Duration.parse("1min")
"""The longest time to sample waits: 240 samples tell shares to a few percent."""
MAX_DEEP = Duration.parse("1h")
"""The longest deep look: while one relation is read, its table cannot be altered."""
FEWEST_SAMPLES = 2
FEWEST_IN_A_CURVE = 2
"""One value is no curve."""
_NAMES = frozenset({"schema", "name", "table", "referenced_schema", "referenced"})
"""Names of things in a database: one is never empty, and PostgreSQL has no null byte in it."""


def impossible_server(key: str, server: PostgresServer) -> Iterator[ImpossibleValue]:
    """Every impossible value in the facts of a server, whose keys begin with `key`."""
    for name, fact in (("version", server.version), ("major", server.major)):
        if isinstance(fact, Known):
            yield from _major(f"{key}.{name}", fact.value)
    yield from known_count_outside(f"{key}.port", server.port, 1, HIGHEST_PORT)
    yield from known_count_outside(f"{key}.os_uid", server.os_uid, 0, MAX_COUNT)
    yield from known_count_outside(f"{key}.open_files", server.open_files, 0, MAX_COUNT)
    yield from known_count_outside(f"{key}.shared_memory_pages", server.shared_memory_pages, 0, MAX_COUNT)
    if isinstance(server.activity, Known):
        yield from _activity(f"{key}.activity", server.activity.value)
    if isinstance(server.window, Known):
        yield from _window(f"{key}.window", server.window.value)
    if isinstance(server.log, Known):
        yield from _counts_and_names(f"{key}.log", server.log.value)
    yield from impossible_work(key, server)
    if isinstance(server.probe, Known):
        yield from impossible_probe(f"{key}.probe", server.probe.value)
    if isinstance(server.replication, Known):
        yield from _replication(f"{key}.replication", server.replication.value)
    yield from _health(f"{key}.health", server.health)
    yield from _waits(f"{key}.waits", server.waits)
    yield from impossible_deep_look(f"{key}.deep", server.deep)
    for place, cache in enumerate(known_or(server.slru, ())):
        yield from _counts_and_names(f"{key}.slru.{place}", cache)
    for place, database in enumerate(known_or(server.tables, ())):
        yield from _tables(f"{key}.tables.{place}", database)


def _replication(key: str, kept: Replication) -> Iterator[ImpossibleValue]:
    yield from _counts_and_names(key, kept)
    yield from known_size_outside(f"{key}.archive_behind", kept.archive_behind, Bytes(0), MAX_DISK)
    if isinstance(kept.conflicts, Known):
        yield from _counts_and_names(f"{key}.conflicts", kept.conflicts.value)
    for place, slot in enumerate(kept.slots):
        yield from _counts_and_names(f"{key}.slots.{place}", slot)
        yield from size_outside(f"{key}.slots.{place}.held", slot.held, Bytes(0), MAX_DISK)
        yield from known_count_outside(f"{key}.slots.{place}.spills", slot.spills, 0, MAX_COUNT)
        yield from known_size_outside(
            f"{key}.slots.{place}.spilled", slot.spilled, Bytes(0), Bytes(MAX_COUNT)
        )


def _health(key: str, fact: Fact[Health]) -> Iterator[ImpossibleValue]:
    if not isinstance(fact, Known):
        return
    health = fact.value
    yield from _counts_and_names(key, health)
    for number, transaction in enumerate(health.transactions):
        yield from _counts_and_names(f"{key}.transactions.{number}", transaction)
    for number, database in enumerate(health.databases):
        yield from _named(f"{key}.databases.{number}.database", database.database)
        yield from _counts_and_names(f"{key}.databases.{number}", database)


def _waits(key: str, fact: Fact[Waits]) -> Iterator[ImpossibleValue]:
    if not isinstance(fact, Known):
        return
    waits = fact.value
    yield from count_outside(f"{key}.samples", waits.samples, FEWEST_SAMPLES, MAX_COUNT)
    yield from _counts_and_names(key, waits)
    for number, count in enumerate(waits.counts):
        yield from _counts_and_names(f"{key}.counts.{number}", count)
    for number, session in enumerate(waits.blocked):
        yield from _counts_and_names(f"{key}.blocked.{number}", session)


def impossible_deep_look(key: str, fact: Fact[DeepLook]) -> Iterator[ImpossibleValue]:
    """Every impossible value in a deep look."""
    if not isinstance(fact, Known):
        return
    yield from count_outside(f"{key}.seconds", fact.value.seconds, 0, MAX_COUNT)
    for number, database in enumerate(fact.value.databases):
        yield from _deep_database(f"{key}.databases.{number}", database)


def _deep_database(key: str, database: DeepDatabase) -> Iterator[ImpossibleValue]:
    yield from _named(f"{key}.database", database.database)
    parts: Mapping[str, DataclassInstance | None] = {
        "indexes": known_or(database.indexes, None),
        "tables": known_or(database.tables, None),
        "orphans": known_or(database.orphans, None),
        "cut_off": database.cut_off,
    }
    for name, record in parts.items():
        if record is not None:
            yield from _counts_and_names(f"{key}.{name}", record)
    for number, damaged in enumerate(database.damaged):
        yield from _counts_and_names(f"{key}.damaged.{number}", damaged)


def _tables(key: str, database: DatabaseTables) -> Iterator[ImpossibleValue]:
    yield from _named(f"{key}.database", database.database)
    yield from known_count_outside(f"{key}.counted_seconds", database.counted_seconds, 0, MAX_COUNT)
    lists: Mapping[str, Sequence[DataclassInstance]] = {
        "tables": known_or(database.tables, ()),
        "unused_indexes": known_or(database.unused_indexes, ()),
        "bare_foreign_keys": known_or(database.bare_foreign_keys, ()),
        "invalid_indexes": known_or(database.invalid_indexes, ()),
        "duplicate_indexes": known_or(database.duplicate_indexes, ()),
        "ending_sequences": known_or(database.ending_sequences, ()),
        "redundant_indexes": known_or(database.redundant_indexes, ()),
        "design_flaws": known_or(database.design_flaws, ()),
        "outdated_indexes": known_or(database.outdated_indexes, ()),
    }
    for name, records in lists.items():
        for place, record in enumerate(records):
            yield from _counts_and_names(f"{key}.{name}.{place}", record)


def _counts_and_names(key: str, record: DataclassInstance) -> Iterator[ImpossibleValue]:
    for name in _field_names(type(record)):
        value = getattr(record, name)
        if isinstance(value, int):
            if not 0 <= value <= MAX_COUNT:
                yield from count_outside(f"{key}.{name}", value, 0, MAX_COUNT)
        elif name in _NAMES:
            yield from _named(f"{key}.{name}", value)


@cached
def _field_names(of: type[DataclassInstance]) -> tuple[str, ...]:
    """A server has thousands of tables."""
    return tuple(field.name for field in fields(of))


def _named(key: str, name: str) -> Iterator[ImpossibleValue]:
    if not name or "\0" in name:
        yield ImpossibleValue(key=key, found=repr(name), expected="a name without null bytes")


def _major(key: str, text: str) -> Iterator[ImpossibleValue]:
    try:
        Major.parse(text)
    except MajorError:
        yield ImpossibleValue(key=key, found=repr(text), expected="a version such as 9.6 or 15")


def _activity(key: str, activity: Activity) -> Iterator[ImpossibleValue]:
    for name, fact in of_activity(activity).items():
        yield from known_count_outside(f"{key}.{name}", fact, 0, MAX_COUNT)
    yield from known_count_outside(f"{key}.connections", activity.connections, 0, MAX_CONNECTIONS)
    yield from known_size_outside(f"{key}.databases_size", activity.databases_size, Bytes(0), MAX_DISK)


def _window(key: str, window: Window) -> Iterator[ImpossibleValue]:
    yield from count_outside(f"{key}.seconds", window.seconds, 1, MAX_WINDOW.seconds)
    yield from count_outside(f"{key}.samples", window.samples, FEWEST_SAMPLES, MAX_WINDOW.seconds)
    for name, fact in of_window(window).items():
        yield from known_count_outside(f"{key}.{name}", fact, 0, MAX_COUNT)
    yield from known_count_outside(f"{key}.connections_peak", window.connections_peak, 0, MAX_CONNECTIONS)
    yield from impossible_meanwhile(key, window)
    for place, curve in enumerate(window.curves):
        yield from _curve(f"{key}.curves.{place}.values", curve)


def _curve(key: str, curve: Curve) -> Iterator[ImpossibleValue]:
    count, most = len(curve.values), MAX_WINDOW.seconds
    if not FEWEST_IN_A_CURVE <= count <= most:
        expected = f"{FEWEST_IN_A_CURVE} to {most} values"
        yield ImpossibleValue(key=key, found=str(count), expected=expected)
    highest = MAX_CONNECTIONS if curve.counted == "connections" else MAX_COUNT
    for place, value in enumerate(curve.values):
        yield from count_outside(f"{key}.{place}", value, 0, highest)

"""Troubles that are made on a real server and mended again, each with the name that it should get."""

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TypeAlias

import pytest

from real_postgres import Cluster
from sessions_at_work import session
from tunewiz.core.health.trouble import TroubleKind
from waiting import until

Maker: TypeAlias = Callable[[Cluster], AbstractContextManager[None]]
SETTINGS = {
    "archive_mode": "on",
    "archive_command": "true",
    "wal_level": "logical",
    "max_prepared_transactions": "5",
    "max_replication_slots": "5",
    "autovacuum": "off",
}
WAITING = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeTrouble:
    """One of them."""

    name: str
    kind: TroubleKind
    what: str
    """A part of the name of the culprit; it may be told in the reason instead."""
    maker: Maker
    is_old: bool = False
    """Whether it becomes a trouble only with time."""
    is_sampled: bool = False
    """Whether sampled waits show it."""


def _by_statements(do: tuple[str, ...], undo: tuple[str, ...]) -> Maker:
    @contextmanager
    def made(cluster: Cluster) -> Generator[None]:
        cluster.query(*do)
        try:
            yield
        finally:
            for statement in undo:
                cluster.query(statement)

    return made


@contextmanager
def _idle(cluster: Cluster) -> Generator[None]:
    with session(cluster, "select txid_current()"):
        yield


@contextmanager
def _queue(cluster: Cluster) -> Generator[None]:
    cluster.query("create table queue as select 1 as n")
    with (
        session(cluster, "lock queue"),
        session(cluster, "select * from queue", waits_for=""),
        session(cluster, "select * from queue", waits_for=""),
        session(cluster, "select * from queue", waits_for=""),
    ):
        until(lambda: cluster.query(WAITING) == "3")
        yield
    until(lambda: cluster.query(WAITING) == "0")
    cluster.query("drop table queue")


@contextmanager
def _invalid(cluster: Cluster) -> Generator[None]:
    cluster.query("create table twice as select n % 3 as n from generate_series(1, 9) as n")
    with pytest.raises(AssertionError, match="could not create unique index"):
        cluster.query("create unique index concurrently twice_key on twice (n)")
    yield
    cluster.query("drop table twice")


@contextmanager
def _archive(cluster: Cluster) -> Generator[None]:
    command = "alter system set archive_command = "
    cluster.query(f"{command}'false'", "select pg_reload_conf()")
    cluster.query("create table written as select 1", "select pg_switch_wal()")
    until(lambda: cluster.query("select last_failed_time is not null from pg_stat_archiver") == "t")
    yield
    cluster.query(
        f"{command}'true'", "select pg_reload_conf()", "drop table written", "select pg_switch_wal()"
    )
    until(lambda: cluster.query("select last_archived_time > last_failed_time from pg_stat_archiver") == "t")


MADE = (
    MadeTrouble(
        name="collation",
        kind="collation has changed",
        what="database sorted",
        maker=_by_statements(
            (
                "create database sorted template template0 locale_provider icu icu_locale 'en'",
                "update pg_database set datcollversion = '0.1' where datname = 'sorted'",
            ),
            ("drop database sorted",),
        ),
    ),
    MadeTrouble(name="archive", kind="archiving fails", what="Archiving fails", maker=_archive),
    MadeTrouble(
        name="sequence",
        kind="sequence runs out",
        what="seats_id_seq",
        maker=_by_statements(
            ("create table seats (id serial primary key)", "select setval('seats_id_seq', 2100000000)"),
            ("drop table seats",),
        ),
    ),
    MadeTrouble(
        name="identity",
        kind="no replica identity",
        what="public.published",
        maker=_by_statements(
            ("create table published (n int)", "create publication p for table published"),
            ("drop table published", "drop publication p"),
        ),
    ),
    MadeTrouble(name="idle", kind="vacuum is held back", what="(batch)", maker=_idle, is_old=True),
    MadeTrouble(
        name="prepared",
        kind="vacuum is held back",
        what="prepared transaction left",
        maker=_by_statements(
            ("create table held as select 1 as n; begin; update held set n = 2; prepare transaction 'left'",),
            ("rollback prepared 'left'",),
        ),
        is_old=True,
    ),
    MadeTrouble(
        name="locks",
        kind="sessions wait for locks",
        what="blocks others",
        maker=_queue,
        is_sampled=True,
    ),
    MadeTrouble(
        name="slot",
        kind="WAL is kept for nobody",
        what="slot gone",
        maker=_by_statements(
            ("select pg_create_physical_replication_slot('gone', true)",),
            ("select pg_drop_replication_slot('gone')",),
        ),
    ),
    MadeTrouble(name="invalid", kind="invalid index", what="twice_key", maker=_invalid),
    MadeTrouble(
        name="duplicate",
        kind="duplicate index",
        what="doubled_again",
        maker=_by_statements(
            (
                "create table doubled (n int)",
                "create index doubled_n on doubled (n)",
                "create index doubled_again on doubled (n)",
            ),
            ("drop table doubled",),
        ),
    ),
)
"""By what they cost, the costliest first, as a person would order them."""

PREPARES = "create table h as select 1 as n; begin; update h set n = 2; prepare transaction 'young'"
HEALTHY: tuple[tuple[str, Maker], ...] = (
    ("nothing", _by_statements((), ())),
    ("a transaction that began a moment ago", _idle),
    (
        "a sequence that begins anew",
        _by_statements(("create sequence r maxvalue 9 cycle", "select setval('r', 9)"), ("drop sequence r",)),
    ),
    ("a young sequence", _by_statements(("create table y (id serial primary key)",), ("drop table y",))),
    (
        "indexes that only look alike",
        _by_statements(
            (
                "create table a (n int)",
                "create index on a (n)",
                "create index on a (n desc)",
                "create index on a (n) where n > 5",
                "create index on a using hash (n)",
            ),
            ("drop table a",),
        ),
    ),
    ("statistics that were reset", _by_statements(("select pg_stat_reset()",), ())),
    (
        "a published table with a key",
        _by_statements(
            ("create table k (n int primary key)", "create publication p for table k"),
            ("drop table k", "drop publication p"),
        ),
    ),
    (
        "a publication of inserts",
        _by_statements(
            (
                "create table k (n int)",
                "create publication p for table k with (publish = 'insert')",
            ),
            ("drop table k", "drop publication p"),
        ),
    ),
    (
        "an unlogged table without standbys",
        _by_statements(("create unlogged table u (n int)",), ("drop table u",)),
    ),
    (
        "a prepared transaction of this moment",
        _by_statements((PREPARES,), ("rollback prepared 'young'",)),
    ),
)


def sick_cases() -> Iterator[tuple[MadeTrouble, ...]]:
    """Forty: each alone, and thirty pairs of two that are as far apart as they can be."""
    yield from ((made,) for made in MADE)
    for distance in range(len(MADE) // 2, len(MADE) // 2 - 3, -1):
        for place in range(len(MADE)):
            other = (place + distance) % len(MADE)
            pair = tuple(sorted({place, other}))
            if distance != len(MADE) // 2 or place < other:
                yield tuple(MADE[number] for number in pair)
    for place in range(5):
        yield (MADE[place], MADE[place + 1])

"""Real servers of which something is damaged or left behind: named, and nothing else is."""

import os
import signal
import struct
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fixtures_postgres import MakeCluster, configure
from live_servers import the_server_alone, value, why
from real_postgres import Cluster
from sessions_at_work import session
from tunewiz.collect.postgres.deep_look import look_at_server
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.deep_look import DeepDatabase, DeepLook
from tunewiz.core.health.deep import of_deep_look
from tunewiz.core.values.versions import Major

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]
V96, V10, V14 = Major(906), Major(1000), Major(1400)
MANY = 50
"""Indexes that a new database has."""
LONG_AGO = 1_700_000_000
PAGE = 8192
FIRST_LEAF = 1
READER = """$$ declare reading int; begin
    loop
        perform pg_stat_clear_snapshot();
        select min(a.pid) into reading from pg_stat_activity as a join pg_locks as l using (pid)
        where l.relation = 'large_n_idx'::regclass and a.query like '%bt_index_check%';
        exit when reading is not null;
        perform pg_sleep(0.01);
    end loop;
    return reading;
end $$"""
"""Waits until amcheck reads the large index, and returns the process that does."""


def looked(cluster: Cluster, seconds: int = 60) -> DeepLook:
    server = the_server_alone(cluster)
    return value(look_at_server(LiveSystem(), server, seconds, lambda _, __: None, lambda: False))


def inside(look: DeepLook, name: str = "postgres") -> DeepDatabase:
    (result,) = (database for database in look.databases if database.database == name)
    return result


def file_of(cluster: Cluster, relation: str) -> Path:
    return cluster.data_directory / cluster.query(f"select pg_relation_filepath('{relation}')")


def damage(path: Path, block: int) -> None:
    """Other digits in a part of a page's entries: they are out of order then."""
    begin, end = block * PAGE + PAGE // 2, block * PAGE + PAGE // 4 * 3
    data = bytearray(path.read_bytes())
    assert b"1" in data[begin:end]
    data[begin:end] = data[begin:end].translate(bytes.maketrans(b"1", b"9"))
    path.write_bytes(data)


def age(path: Path) -> None:
    os.utime(path, (LONG_AGO, LONG_AGO))


def make_table(cluster: Cluster) -> None:
    cluster.query("create table t (id int primary key, note text)")
    cluster.query("insert into t select n, n::text from generate_series(1, 20000) as n")
    cluster.query("create index on t (note)", "checkpoint")


def test_a_damaged_index_is_named_and_the_statement_mends_it(matrix_cluster: Cluster, major: str) -> None:
    matrix_cluster.start()
    make_table(matrix_cluster)
    if Major.parse(major) < V10:
        database = inside(looked(matrix_cluster))
        assert "came with 10" in why(database.indexes)
        assert database.damaged == ()
        return
    matrix_cluster.query("create extension amcheck")
    path = file_of(matrix_cluster, "t_note_idx")
    matrix_cluster.stop()
    damage(path, FIRST_LEAF)
    matrix_cluster.start()
    look = looked(matrix_cluster)
    database = inside(look)
    assert [(entry.kind, entry.name, entry.table) for entry in database.damaged] == [
        ("index", "t_note_idx", "t")
    ]
    counts = value(database.indexes)
    assert counts.checked == counts.total > MANY
    assert (counts.locked, counts.failed) == (0, 0)
    (trouble,) = of_deep_look(look, Major.parse(major))
    for statement in trouble.do:
        matrix_cluster.query(statement)
    assert inside(looked(matrix_cluster)).damaged == ()


def test_a_damaged_table_is_named_where_the_server_can_read_tables(server: Cluster) -> None:
    server.start()
    make_table(server)
    server.query("create extension amcheck")
    if Major.parse(server.programs.major) < V14:
        assert "from 14 on" in why(inside(looked(server)).tables)
        return
    path = file_of(server, "t")
    server.stop()
    with path.open("r+b") as file:
        file.seek(5 * PAGE + 24)
        file.write(struct.pack("<I", 0x1FFF | 1 << 15 | 40 << 17))  # a row at an odd offset
    server.start()
    database = inside(looked(server))
    assert [(entry.kind, entry.name) for entry in database.damaged] == [("table", "t")]
    assert database.damaged[0].message.startswith("block 5: ")


def test_files_of_no_table_are_counted_and_those_of_live_ones_never(
    matrix_cluster: Cluster, major: str
) -> None:
    matrix_cluster.start()
    make_table(matrix_cluster)
    matrix_cluster.run("mkdir", matrix_cluster.directory / "other")
    other = matrix_cluster.directory / "other"
    matrix_cluster.query(f"create tablespace other location '{other}'")
    matrix_cluster.query("create unlogged table u as select 1 as n", "create sequence s")
    matrix_cluster.query("create table elsewhere tablespace other as select 1 as n", "vacuum t", "checkpoint")
    base = file_of(matrix_cluster, "t").parent
    elsewhere = file_of(matrix_cluster, "elsewhere").parent
    for path in (*base.iterdir(), *elsewhere.iterdir()):
        age(path)
    database = inside(looked(matrix_cluster, 10))
    if Major.parse(major) < V96:
        assert "9.6" in why(database.orphans)
        return
    assert value(database.orphans).files == 0
    for directory in (base, elsewhere):
        for name in ("999999", "999999.1", "999999_fsm", "t3_888888", "888888"):
            leave(directory / name, name != "888888")
    matrix_cluster.query("checkpoint")
    orphans = value(inside(looked(matrix_cluster, 10)).orphans)
    assert (orphans.files, orphans.bytes) == (6, 6 * PAGE)
    assert {path.rpartition("/")[2] for path in orphans.paths} <= {"999999", "999999.1", "999999_fsm"}


def leave(path: Path, has_bytes: bool) -> None:  # noqa: FBT001 - one of two kinds
    """A file as a crash leaves it, from long ago."""
    path.write_bytes(b"\0" * PAGE if has_bytes else b"")
    age(path)


def test_files_of_open_and_prepared_transactions_are_not_accused(server: Cluster) -> None:
    configure(server, {"max_prepared_transactions": "2"})
    server.start()
    with session(server, "create table later as select 1 as n"):
        base = file_of(server, "pg_class").parent
        newest = max(int(path.name) for path in base.iterdir() if path.name.isdigit())
        assert server.query(f"select pg_filenode_relation(0, {newest})") == ""
        # Older than the last checkpoint by its own time, but not than the transaction that made it.
        moment = server.data_directory.joinpath("postmaster.pid").stat().st_mtime
        os.utime(base / str(newest), (moment, moment))
        server.query("checkpoint")
        assert value(inside(looked(server, 10)).orphans).files == 0
    server.query("begin", "create table later as select 1 as n", "prepare transaction 'p'")
    assert "prepared transaction" in why(inside(looked(server, 10)).orphans)


def test_a_role_with_few_rights_is_told_what_it_lacks(
    server: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.start()
    server.query("create role few login", "create database shop")
    server.query("create extension amcheck", database="shop")
    monkeypatch.setenv("PGUSER", "few")
    look = looked(server, 10)
    assert "CREATE EXTENSION amcheck" in why(inside(look).indexes)
    assert "may not run bt_index_check" in why(inside(look, "shop").indexes)
    assert "may not list files" in why(inside(look).orphans)


def test_a_table_held_exclusively_is_left_alone(server: Cluster) -> None:
    server.start()
    make_table(server)
    server.query("create extension amcheck")
    with session(server, "lock t in access exclusive mode"):
        began = time.monotonic()
        counts = value(inside(looked(server, 30)).indexes)
        assert time.monotonic() - began < 20
    assert (counts.locked, counts.total - counts.checked) == (2, 2)


def test_a_budget_that_is_used_up_ends_the_look(server: Cluster) -> None:
    server.start()
    # A quick machine reads the index of six million rows in two seconds.
    server.query("create unlogged table large as select n from generate_series(1, 16000000) as n")
    server.query("create index on large (n)", "create extension amcheck", "create database shop")
    server.query("create extension amcheck", database="shop")
    look = looked(server, 1)
    counts = value(inside(look).indexes)
    assert 0 < counts.checked < counts.total
    assert look.seconds <= 3
    assert inside(look).damaged == ()
    stopped = looked_until(server, lambda: True)
    assert stopped.ended == "it was stopped early"


def looked_until(cluster: Cluster, enough: Callable[[], bool]) -> DeepLook:
    server = the_server_alone(cluster)
    return value(look_at_server(LiveSystem(), server, 60, lambda _, __: None, enough))


@pytest.fixture
def server(make_cluster: MakeCluster) -> Cluster:
    return make_cluster()


def test_a_process_that_ends_while_it_reads_ends_the_look_and_names_the_index(
    server: Cluster,
) -> None:
    server.start()
    server.query("create table large as select n from generate_series(1, 4000000) as n")
    server.query("create index on large (n)", "create extension amcheck", "create database shop")
    server.query(f"create function reader() returns int language plpgsql as {READER}")
    with ThreadPoolExecutor(1) as pool:
        look = pool.submit(looked, server)
        os.kill(int(server.query("select reader()")), signal.SIGKILL)
        result = look.result()
    cut_off = inside(result).cut_off
    assert cut_off is not None
    assert (cut_off.name, [database.database for database in result.databases]) == (
        "large_n_idx",
        ["postgres"],
    )
    assert "large_n_idx" in result.ended

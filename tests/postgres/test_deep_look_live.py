"""Real servers of which something is damaged or left behind: named, and nothing else is."""

import os
from pathlib import Path

import pytest

from live_servers import the_server_alone, value, why
from real_postgres import Cluster
from sessions_at_work import session
from small_plans import small_facts, small_plan
from tunewiz.collect.postgres.deep_look import look_at_server
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.deep_look import DeepDatabase, DeepLook
from tunewiz.core.values.versions import Major

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]
V10, V14 = Major(1000), Major(1400)
LONG_AGO = 1_700_000_000
PAGE = 8192


def looked(cluster: Cluster, seconds: int = 60) -> DeepLook:
    server = the_server_alone(cluster)
    return value(look_at_server(LiveSystem(), server, seconds, lambda *_: None, lambda: False))


def inside(look: DeepLook, name: str = "postgres") -> DeepDatabase:
    (found,) = (database for database in look.databases if database.database == name)
    return found


def file_of(cluster: Cluster, relation: str) -> Path:
    return cluster.data_directory / cluster.query(f"select pg_relation_filepath('{relation}')")  # noqa: S608 - ours


def damage(path: Path, block: int) -> None:
    """Other digits in a part of a page's entries: they are out of order then."""
    begin, end = block * PAGE + PAGE // 2, block * PAGE + PAGE // 4 * 3
    data = bytearray(path.read_bytes())
    assert b"1" in data[begin:end]
    data[begin:end] = data[begin:end].translate(bytes.maketrans(b"1", b"9"))
    path.write_bytes(data)


def age(path: Path) -> None:
    os.utime(path, (LONG_AGO, LONG_AGO))


def test_a_damaged_index_is_named_and_the_statement_mends_it(matrix_cluster: Cluster, major: str) -> None:
    matrix_cluster.start()
    if Major.parse(major) < V10:
        assert "came with 10" in why(inside(looked(matrix_cluster)).indexes)
        return
    matrix_cluster.query("create table t (id int primary key, note text)")
    matrix_cluster.query("insert into t select n, n::text from generate_series(1, 20000) as n")
    matrix_cluster.query("create index on t (note)", "create extension amcheck", "checkpoint")
    path = file_of(matrix_cluster, "t_note_idx")
    matrix_cluster.stop()
    damage(path, 3)
    matrix_cluster.start()
    found = inside(looked(matrix_cluster))
    assert [(entry.kind, entry.name, entry.table) for entry in found.damaged] == [("index", "t_note_idx", "t")]
    counts = value(found.indexes)
    assert counts.checked == counts.total > 50
    assert (counts.locked, counts.failed) == (0, 0)
    matrix_cluster.query("reindex index t_note_idx")
    assert inside(looked(matrix_cluster)).damaged == ()

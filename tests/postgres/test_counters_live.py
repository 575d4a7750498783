"""Servers of every major tell their newer counters, sessions and extensions, each as far as it has them."""

import subprocess
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from live_servers import the_server_alone, value, why
from real_postgres import Cluster
from tools_here import need
from tunewiz.collect.postgres.watching import watch_server
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.counters import Counters
from tunewiz.core.values.known import Known
from tunewiz.core.values.versions import V10, V14, Major
from waiting import until

TEST_SECONDS = 300
pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(TEST_SECONDS)]

IDS = 40
WORK = """create table if not exists w (n int);
do $$ begin for n in 1..40 loop
    begin insert into w values (n); exception when others then null; end;
end loop; end $$; select pg_sleep(2)"""
"""Each block with an exception takes a transaction id of its own; then a session is at work for a while."""
IDLE_FOR_A_SECOND = """select count(*) > 0 from pg_stat_activity
where state = 'idle in transaction' and now() - state_change >= '1 second'"""
BLOCKS = "create table t as select n, md5(n::text) as word from generate_series(1, 30000) as n"


def counters(server: Cluster) -> Counters:
    return value(the_server_alone(server).activity).counters


def prepared(cluster: Cluster) -> Cluster:
    cluster.start()
    cluster.query("alter system set shared_preload_libraries = 'pg_stat_statements'")
    cluster.query("alter system set track_io_timing = on")
    cluster.restart()
    return cluster


def test_each_major_counts_what_it_has(matrix_cluster: Cluster, major: str) -> None:
    server, is_new = prepared(matrix_cluster), Major.parse(major) >= V14
    server.query(BLOCKS)
    server.restart()
    server.query("select count(*) from t")
    observation = counters(server)
    assert 0 <= value(observation.seconds) < TEST_SECONDS
    assert 0 < value(observation.read_us) < TEST_SECONDS * 1_000_000
    for fact in (
        observation.session_ms,
        observation.active_ms,
        observation.full_pages,
        observation.wal_buffers_full,
        observation.wal_syncs,
    ):
        assert isinstance(fact, Known) == is_new, fact
    assert "watched" in why(observation.transaction_ids)
    if is_new:
        assert value(observation.full_pages) > 0
        assert 0 <= value(observation.active_ms) <= value(observation.session_ms)
    postgres_server = the_server_alone(server)
    with ThreadPoolExecutor(1) as others:
        work = list[Future[str]]()

        def begin(_: float) -> None:
            if not work:
                work.append(others.submit(server.query, WORK))

        window = value(watch_server(LiveSystem(), postgres_server, 6, begin, lambda: False))
        work.pop().result()
    assert IDS <= value(window.counters.transaction_ids) < 10 * IDS
    assert value(window.counters.seconds) == window.seconds
    assert value(window.sessions).active >= 1
    assert value(window.sessions).longest_idle_in_transaction == 0
    assert window.seconds - 1 <= value(window.strain.seconds) < TEST_SECONDS


def test_extensions_are_found_in_any_schema_and_database(matrix_cluster: Cluster, major: str) -> None:
    server = prepared(matrix_cluster)
    assert "in none of the databases" in why(the_server_alone(server).statements)
    server.query("create database apart")
    server.query(f'{BLOCKS}; create schema "o\'dd"', database="apart")
    for name in ("pg_stat_statements", "pg_buffercache"):
        server.query(f'create extension {name} schema "o\'dd"', database="apart")
    server.query(
        "set work_mem = '64kB'; select count(*) from (select word from t order by word) as s",
        database="apart",
    )
    postgres_server = the_server_alone(server)
    statements = value(postgres_server.statements)
    assert statements.calls > 0
    assert sum(spill.files for spill in statements.spills) >= 1
    if Major.parse(major) < V10:
        assert "holds up" in why(postgres_server.buffers)
    else:
        buffers = value(postgres_server.buffers)
        assert buffers.popular <= buffers.used <= buffers.pages == 16384
    assert value(postgres_server.process_memory).processes >= 4


def test_what_building_an_index_spills_is_not_counted_as_spilled_by_queries(matrix_cluster: Cluster) -> None:
    server = prepared(matrix_cluster)
    server.query(f"{BLOCKS}; create extension pg_stat_statements")
    server.query("alter role all set maintenance_work_mem = '1MB'")
    words = "select md5(i::text) as word from generate_series(1, 200000) as i"
    server.query(f"create table wide as {words}")
    server.query("select pg_stat_statements_reset()")
    server.query("create index on wide (word)")
    assert value(the_server_alone(server).statements).spills == ()
    server.query(
        "set work_mem = '64kB'; select count(*) from (select word from wide order by word || 'x') as s"
    )
    assert sum(spill.files for spill in value(the_server_alone(server).statements).spills) >= 1


def test_what_calls_spill_is_told_by_role(matrix_cluster: Cluster) -> None:
    server = prepared(matrix_cluster)
    server.query(
        f"{BLOCKS}; create extension pg_stat_statements; create role reports login connection limit 3;"
        " create role shop login; create role staff; grant select on t to reports, shop, staff"
    )
    server.query("select pg_stat_statements_reset()")
    spilling = "select count(*) from (select word from t order by word || 'x') as s"
    for role in ("reports", "shop", "staff"):
        size = "64kB" if role == "reports" else "64MB"
        server.query(f"set work_mem = '{size}'; set role {role}; {spilling}")
    statements = value(the_server_alone(server).statements)
    assert statements.roles[0].role == "reports"
    roles = {role.role: role for role in statements.roles}
    assert {"reports", "shop", "staff", "postgres"} <= roles.keys()
    assert roles["reports"].spills == statements.spills != ()
    assert all(roles[role].spills == () for role in ("shop", "staff", "postgres"))
    assert (roles["reports"].connection_limit, roles["shop"].connection_limit) == (3, -1)
    assert [roles[role].is_superuser for role in ("reports", "postgres")] == [False, True]
    assert [roles[role].can_log_in for role in ("reports", "staff")] == [True, False]
    assert sum(role.calls for role in statements.roles) == statements.calls


def test_sessions_are_told_by_what_they_do(matrix_cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    server = matrix_cluster
    server.start()
    server.query(f"{BLOCKS}; create role few login")
    command = [
        str(server.programs.psql),
        "-h",
        str(server.socket_directory),
        "-p",
        str(server.port),
        "postgres",
    ]
    need("runuser")
    with subprocess.Popen(
        ["runuser", "-u", server.os_user, "--", *command], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as idle:
        assert idle.stdin is not None
        idle.stdin.write(b"begin; lock table t;\n")
        idle.stdin.flush()
        until(lambda: server.query(IDLE_FOR_A_SECOND) == "t")
        sessions = value(the_server_alone(server).sessions)
        assert sessions.idle_in_transaction >= 1
        assert sessions.longest_idle_in_transaction >= 1
        monkeypatch.setenv("PGUSER", "few")
        assert "pg_read_all_stats" in why(the_server_alone(server).sessions)
        idle.stdin.close()

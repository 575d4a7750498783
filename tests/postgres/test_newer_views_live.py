"""What 19 tells better than its forerunners is read where it is, and older majors are judged as before."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from live_servers import the_server_alone, value
from real_postgres import Cluster
from tunewiz.core.facts.counters import Counters
from tunewiz.core.facts.tables import Table
from tunewiz.core.values.known import Known
from tunewiz.core.values.versions import V19, Major
from waiting import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.timeout(300),
    pytest.mark.parametrize("major", ["18", "19"]),
]

MADE = """
create table busy (n int primary key, word text) with (autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_scale_factor = 0, autovacuum_analyze_threshold = 100,
    autovacuum_analyze_scale_factor = 0);
create table bare (n int);
create table later (n int primary key deferrable);
create table apart (n int not null unique);
create unlogged table unlogged (n int primary key);
alter table apart replica identity using index apart_n_key;
insert into busy select n, md5(n::text) from generate_series(1, 10000) as n;
vacuum analyze busy;
delete from busy where n <= 2000
"""


def tables(cluster: Cluster) -> dict[str, Table]:
    """Those of the database that tests use."""
    (database,) = value(the_server_alone(cluster).tables)
    return {table.name: table for table in value(database.tables)}


def made(cluster: Cluster) -> dict[str, Table]:
    """Tables of every kind, one of them far beyond what calls autovacuum."""
    cluster.start()
    cluster.query("alter system set autovacuum_naptime = '1h'", "select pg_reload_conf()")
    # A session of its own each: what one counted is seen at its end.
    for statement in MADE.strip().split(";\n"):
        cluster.query(statement)
    return tables(cluster)


def test_the_server_says_how_far_a_table_is_from_its_autovacuum(matrix_cluster: Cluster, major: str) -> None:
    busy = made(matrix_cluster)["busy"]
    if Major.parse(major) < V19:
        assert (busy.vacuum_due, busy.analyze_due, busy.repackable) == (None, None, None)
        return
    assert (busy.dead_rows, busy.changed_since_analyze) == (2000, 2000)
    assert 390 <= (busy.vacuum_due or 0) <= 400
    assert 1950 <= (busy.analyze_due or 0) <= 2000
    matrix_cluster.query("alter system set autovacuum_vacuum_score_weight = 5", "select pg_reload_conf()")
    assert tables(matrix_cluster)["busy"].vacuum_due == busy.vacuum_due
    matrix_cluster.query("alter system set autovacuum_vacuum_score_weight = 0", "select pg_reload_conf()")
    assert tables(matrix_cluster)["busy"].vacuum_due is None


def test_repack_takes_the_tables_that_it_was_said_to_take(matrix_cluster: Cluster, major: str) -> None:
    result = made(matrix_cluster)
    if Major.parse(major) < V19:
        assert {table.repackable for table in result.values()} == {None}
        return
    assert {name for name, table in result.items() if table.repackable} == {"busy", "apart"}
    for name, table in result.items():
        assert table.repackable is repacks(matrix_cluster, name), name


def repacks(cluster: Cluster, name: str) -> bool:
    """Whether the server repacks it while it is used."""
    try:
        cluster.query(f"repack (concurrently, analyze) {name}")
    except AssertionError:
        return False
    return True


MANY_LOCKS = """do $$ begin
    for n in 1 .. 200 loop
        execute format('create table if not exists part_%s (n int)', n);
    end loop;
end $$"""
LOCKS_ALL = """do $$ begin
    for n in 1 .. 200 loop
        execute format('lock table part_%s in access share mode', n);
    end loop;
end $$"""
FLUSHED = "select pg_stat_force_next_flush()"
EXCEEDED = "select sum(fastpath_exceeded) from pg_stat_lock"


def test_locks_that_found_no_slot_of_their_session_are_counted_by_the_server(
    matrix_cluster: Cluster, major: str
) -> None:
    matrix_cluster.start()
    matrix_cluster.query(MANY_LOCKS)
    if Major.parse(major) < V19:
        counters = value(the_server_alone(matrix_cluster).activity).counters
        assert not isinstance(counters.fast_path_exceeded, Known)
        return
    few = grown_by_locks(matrix_cluster)
    assert few >= 50
    counted = int(matrix_cluster.query(EXCEEDED))
    assert value(value(the_server_alone(matrix_cluster).activity).counters.fast_path_exceeded) >= counted
    matrix_cluster.query("alter system set max_locks_per_transaction = 1024")
    matrix_cluster.restart()
    # Slots are in groups by a hash of the table: one group may still be full.
    assert grown_by_locks(matrix_cluster) <= few // 10


def grown_by_locks(cluster: Cluster) -> int:
    """How many locks of a session that locks 200 tables found no slot."""
    before = int(cluster.query(EXCEEDED))
    cluster.query(LOCKS_ALL, FLUSHED)
    return int(cluster.query(EXCEEDED)) - before


def test_reads_are_counted_with_the_bytes_that_each_took(matrix_cluster: Cluster) -> None:
    matrix_cluster.start()
    matrix_cluster.query(
        "alter system set track_io_timing = on",
        "alter system set shared_buffers = '16MB'",
        "create table read (n int, word text)",
        "insert into read select n, repeat('x', 500) from generate_series(1, 40000) as n",
        "create index on read (n)",
        "vacuum analyze read",
    )
    matrix_cluster.restart()
    matrix_cluster.query("select pg_stat_reset_shared('io')")
    # Larger than a quarter of shared_buffers: a scan of it has a context of its own, and is not counted.
    matrix_cluster.query("select count(word) from read", FLUSHED)
    assert int(matrix_cluster.query("select sum(reads) from pg_stat_io where context = 'bulkread'")) > 100
    assert value(counters_of(matrix_cluster).read_calls) < 1_000
    matrix_cluster.query("select pg_stat_reset_shared('io')")
    # By the index, whose order is the table's: a page a read.
    matrix_cluster.query(BY_INDEX, FLUSHED)
    counted = counters_of(matrix_cluster)
    calls, size = value(counted.read_calls), value(counted.read_call_bytes)
    assert calls > 2_000
    assert 8192 * calls <= size <= 2 * 8192 * calls
    assert value(counted.read_call_us) > 0


BY_INDEX = """set enable_seqscan = off; set enable_bitmapscan = off; set max_parallel_workers_per_gather = 0;
select count(word) from read where n > 0"""


def counters_of(cluster: Cluster) -> Counters:
    return value(the_server_alone(cluster).activity).counters


def test_no_function_switches_checksums_on_while_the_server_runs(matrix_cluster: Cluster) -> None:
    """Betas of 19 had one: where a release has it, the advice on checksums is to name it."""
    matrix_cluster.start()
    functions = "select count(*) from pg_proc where proname like 'pg_enable_data_checksums%'"
    assert matrix_cluster.query(functions) == "0"


HOLDS = """do $$ begin
    lock table held in access exclusive mode;
    while not exists (select from pg_locks where relation = 'held'::regclass and not granted) loop
        perform pg_sleep(0.05);
    end loop;
    perform pg_sleep(0.2);
end $$"""
"""Until somebody has waited for it for longer than deadlock_timeout."""
IS_HELD = """select count(*) > 0 from pg_locks
where relation = 'held'::regclass and mode = 'AccessExclusiveLock' and granted"""


def test_long_waits_for_locks_are_counted_by_the_server(matrix_cluster: Cluster, major: str) -> None:
    matrix_cluster.start()
    matrix_cluster.query(
        "create table held (n int)", "alter system set deadlock_timeout = '10ms'", "select pg_reload_conf()"
    )
    with ThreadPoolExecutor(1) as others:
        holder = others.submit(matrix_cluster.query, HOLDS)
        until(lambda: matrix_cluster.query(IS_HELD) == "t")
        matrix_cluster.query("select count(*) from held")
        holder.result()
    counters = value(the_server_alone(matrix_cluster).activity).counters
    if Major.parse(major) < V19:
        assert not isinstance(counters.lock_waits, Known)
        return
    assert value(counters.lock_waits) == 1
    assert value(counters.lock_wait_ms) >= 100

"""A server at work is watched without being disturbed, for as long as the administrator wants."""

import os
import signal
from collections.abc import Callable

import pytest

from real_postgres import Cluster
from sessions_at_work import session
from tunewiz.collect.postgres.servers import find_servers
from tunewiz.collect.postgres.watching import watch_all, watch_server
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.health.waits import verdict_on
from tunewiz.core.values.known import Fact, Known, T, Unknown
from waiting import until

THE_WATCHING_PROCESS = """select pid from pg_stat_activity where application_name = 'tunewiz'
order by backend_start limit 1"""
"""Other tests look at every server of this machine meanwhile, each for a moment."""


def the_server(cluster: Cluster) -> PostgresServer:
    (postgres_server,) = (
        server
        for server in find_servers(LiveSystem())
        if isinstance(server.data_directory, Known)
        and server.data_directory.value == str(cluster.data_directory)
    )
    return postgres_server


def value(fact: Fact[T]) -> T:
    assert isinstance(fact, Known), fact
    return fact.value


def never() -> bool:
    return False


def watched(cluster: Cluster, seconds: int, at_first: Callable[[], object]) -> Fact[Window]:
    """What is seen when something happens after the first look."""
    heard = list[float]()

    def report_progress(passed: float) -> None:
        if not heard:
            at_first()
        heard.append(passed)

    window = watch_server(LiveSystem(), the_server(cluster), seconds, report_progress, never)
    assert heard == sorted(heard)
    return window


@pytest.mark.slow
def test_what_happens_in_the_window_is_counted(running_cluster: Cluster) -> None:
    def work() -> None:
        running_cluster.query(
            "set work_mem = '64kB'; create table t as select generate_series(1, 50000) as n"
        )
        running_cluster.query("set work_mem = '64kB'; select count(*) from (select n from t order by n) as s")
        running_cluster.query("checkpoint")

    window = value(watched(running_cluster, 4, work))
    assert (window.seconds, window.samples) == (4, 5)
    assert value(window.commits) >= 3
    assert value(window.rows_written) >= 50_000
    assert value(window.rows_read) >= 50_000
    assert value(window.temp_files) >= 1
    assert value(window.checkpoints_requested) == 1
    assert value(window.wal_bytes) > 100_000
    curves = {curve.counted: curve.values for curve in window.curves}
    assert {len(values) for values in curves.values()} == {4}
    assert sum(curves["checkpoints"]) == 1
    assert max(curves["wal_bytes"]) > 0
    assert max(curves["connections"]) == value(window.connections_peak)


@pytest.mark.slow
def test_a_quiet_server_is_seen_to_be_quiet(running_cluster: Cluster) -> None:
    window = value(watched(running_cluster, 3, lambda: None))
    assert value(window.rows_written) == 0
    assert value(window.temp_bytes) == 0
    # A worker of autovacuum counts, and the test's own psql while it leaves.
    assert value(window.connections_peak) <= 3


@pytest.mark.slow
def test_what_sessions_wait_for_meanwhile_is_sampled(
    running_cluster: Cluster,
) -> None:
    running_cluster.query("create table held as select 1 as n")
    with (
        session(running_cluster, "lock held"),
        session(running_cluster, "select * from held", waits_for=""),
    ):
        until(
            lambda: (
                running_cluster.query("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
                == "1"
            )
        )
        window = value(watched(running_cluster, 8, lambda: None))
        waits = value(window.waits)
    assert 16 <= waits.samples <= 33
    assert ("Lock", "relation") in {(entry.kind, entry.event) for entry in waits.counts}
    assert "waits for locks" in verdict_on(waits)


def test_the_administrator_may_end_it_early(running_cluster: Cluster) -> None:
    heard = list[float]()
    window = watch_server(
        LiveSystem(),
        the_server(running_cluster),
        600,
        heard.append,
        lambda: bool(heard) and heard[-1] > 2,
    )
    assert value(window).seconds in {2, 3, 4, 5}


def test_a_connection_that_is_lost_leaves_what_was_seen(running_cluster: Cluster) -> None:
    server, heard = the_server(running_cluster), list[float]()

    def report_progress(passed: float) -> None:
        heard.append(passed)
        if len(heard) == 4:
            running_cluster.query(
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tunewiz'"
            )

    window = watch_server(LiveSystem(), server, 60, report_progress, never)
    assert isinstance(window, Known)
    assert window.value.seconds == 3
    assert "the connection was lost: terminating connection due to administrator command" in window.how


def test_a_server_that_stops_at_once_says_so(running_cluster: Cluster) -> None:
    server = the_server(running_cluster)
    running_cluster.stop()
    assert watch_server(LiveSystem(), server, 60, lambda _: None, never) == Unknown(
        "the server is not running"
    )


@pytest.mark.slow
def test_a_server_that_hangs_ends_the_watching_with_what_was_seen(running_cluster: Cluster) -> None:
    server = the_server(running_cluster)
    heard, stopped = list[float](), list[int]()

    def report_progress(passed: float) -> None:
        heard.append(passed)
        if len(heard) == 4:
            stopped.append(int(running_cluster.query(THE_WATCHING_PROCESS)))
            os.kill(stopped[0], signal.SIGSTOP)

    try:
        window = watch_server(LiveSystem(), server, 60, report_progress, never)
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    assert isinstance(window, Known)
    assert "it did not answer within 26 seconds" in window.how


@pytest.mark.slow
def test_watching_sends_nothing_but_reads(running_cluster: Cluster) -> None:
    running_cluster.query("alter system set log_statement = 'all'")
    running_cluster.query("alter system set log_line_prefix = '<%a> '")
    running_cluster.query("select pg_reload_conf()")
    watched(running_cluster, 2, lambda: None)
    log = running_cluster.log_file.read_text()
    ours = [line for line in log.splitlines() if line.startswith("<tunewiz>")]
    assert ours
    assert "ERROR" not in log
    assert not [line for line in ours if "statement: BEGIN" in line and "READ ONLY" not in line]


def test_stopped_servers_are_left_alone(running_cluster: Cluster) -> None:
    running_cluster.stop()
    servers = find_servers(LiveSystem())
    idle = tuple(server for server in servers if not server.running)
    assert watch_all(LiveSystem(), idle, 60, lambda _: None, never) == idle

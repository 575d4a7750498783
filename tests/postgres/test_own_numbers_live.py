"""What a real server counted under a load decides, and the same load with what was decided shows it right."""

import dataclasses
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from live_servers import the_server_alone, value
from real_postgres import Cluster
from tunewiz.collect.postgres.watching import watch_server
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.trusted_counters import DAY
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import Duration
from tunewiz.core.words.weighing import weighing_in_words
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation, situation_of

pytestmark = pytest.mark.slow

KNOWLEDGE = load_knowledge()
SORTS = 120
"""Statements, each with a sort that spills: more than decide."""
SORT = "select count(*) from (select word from t order by word) as s"


@pytest.fixture
def server(database: Cluster) -> Cluster:
    database.query("create table t as select n, md5(n::text) as word from generate_series(1, 20000) as n")
    return database


def counted_for_days(server: PostgresServer) -> PostgresServer:
    """The same counters as if the statistics had been reset two days ago: less than a day decides nothing."""
    activity = value(server.activity)
    counters = dataclasses.replace(activity.counters, seconds=Known(2 * DAY, "test"))
    return dataclasses.replace(
        server, activity=Known(dataclasses.replace(activity, counters=counters), "test")
    )


def recommended(
    server: Cluster, name: str, postgres_server: PostgresServer | None = None, size: str = "10GB"
) -> Finding:
    """What is recommended for this server on a machine of which little matters here."""
    given = Given(major=server.programs.major, connections=20, database_size=size, disk="nvme", cores=8)
    situation = example_situation(given, KNOWLEDGE)
    counted = counted_for_days(postgres_server or the_server_alone(server))
    facts = dataclasses.replace(situation.facts, postgres=(counted,))
    start = situation_of(facts, situation.answers, KNOWLEDGE)
    short = dataclasses.replace(start.thresholds, long_idle=Duration.parse("1s"))
    plan = plan_of(KNOWLEDGE.catalogue, dataclasses.replace(start, thresholds=short))
    return next(finding for finding in plan.findings if finding.recommendation.id == name)


def apply(server: Cluster, name: str, setting: str) -> None:
    server.query(f"alter system set {name} = '{setting}'")
    server.restart()


def reset(server: Cluster) -> None:
    server.query("select pg_stat_reset(), pg_stat_reset_shared('bgwriter')")


def sort(server: Cluster) -> None:
    server.query("; ".join(["set jit = off", *[SORT] * SORTS]))


def test_temporary_files_raise_work_mem_to_where_there_are_none(server: Cluster) -> None:
    apply(server, "work_mem", "64kB")
    reset(server)
    sort(server)
    server.restart()
    number = value(value(the_server_alone(server).activity).temp_files)
    assert number >= SORTS
    finding = recommended(server, "pg.work_mem")
    assert isinstance(finding.verdict, Proposal)
    apply(server, "work_mem", finding.sets)
    reset(server)
    sort(server)
    server.restart()
    assert value(value(the_server_alone(server).activity).temp_files) == 0


def write(server: Cluster) -> None:
    server.query(
        "create table w as select n, repeat('x', 2000) as filler from generate_series(1, 200000) as n"
    )
    server.query("drop table w")


def forced(server: Cluster) -> int:
    return value(value(the_server_alone(server).activity).checkpoints_requested)


def test_forced_checkpoints_raise_max_wal_size_to_where_there_are_none(server: Cluster) -> None:
    apply(server, "max_wal_size", "32MB")
    reset(server)
    write(server)
    many = forced(server)
    finding = recommended(server, "pg.max_wal_size")
    assert isinstance(finding.verdict, Proposal)
    assert f"{many} of {many} checkpoints" in finding.observed[0].figure
    apply(server, "max_wal_size", finding.sets)
    reset(server)
    write(server)
    assert forced(server) == 0


@contextmanager
def at_work(server: Cluster, program: str, *options: str, said: str = "") -> Generator[None]:
    """A client of the server that runs meanwhile."""
    where = ("-h", str(server.socket_directory), "-p", str(server.port), "-U", server.os_user)
    command = (program, *where, *options, "postgres")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as it:
        assert it.stdin is not None
        it.stdin.write(said.encode())
        it.stdin.flush()
        try:
            yield
        finally:
            it.stdin.close()
            it.terminate()


def pgbench(server: Cluster) -> str:
    program = server.programs.bin_directory / "pgbench"
    if not Path(program).exists():
        pytest.skip("pgbench is not installed")
    return str(program)


def test_pgbench_under_a_small_limit_is_watched_and_then_forces_no_checkpoint(server: Cluster) -> None:
    program = pgbench(server)
    apply(server, "max_wal_size", "32MB")
    server.run(
        program, "-i", "-q", "-s", "10", "-h", server.socket_directory, "-p", str(server.port), "postgres"
    )
    reset(server)
    with at_work(server, program, "-c", "4", "-T", "60", "-N"):
        time.sleep(1)
        before = the_server_alone(server)
        window = value(watch_server(LiveSystem(), before, 12, lambda _: None, lambda: False))
    assert value(window.sessions).active >= 1
    assert value(window.counters.transaction_ids) > 0
    assert value(window.counters.full_pages) > 0
    assert {"commits", "wal_bytes", "connections"} <= {curve.counted for curve in window.curves}
    finding = recommended(server, "pg.max_wal_size")
    assert isinstance(finding.verdict, Proposal)
    apply(server, "max_wal_size", finding.sets)
    reset(server)
    with at_work(server, program, "-c", "4", "-T", "60", "-N"):
        time.sleep(12)
    assert forced(server) == 0


BLOATS = "create table b as select n, repeat('x', 50) as filler from generate_series(1, 200000) as n"
CHURN = "update b set filler = filler where n % 100 < 15"


def dead_share(server: Cluster) -> float:
    activity = value(the_server_alone(server).activity)
    return value(activity.dead_rows) / (value(activity.dead_rows) + value(activity.live_rows))


def test_a_table_that_bloats_is_cleaned_once_what_was_seen_is_applied(server: Cluster) -> None:
    apply(server, "autovacuum_naptime", "1s")
    server.query(BLOATS)
    server.query("vacuum analyze b")
    server.query(CHURN)
    time.sleep(4)
    assert dead_share(server) > 0.08
    finding = recommended(server, "pg.autovacuum_vacuum_scale_factor", size="2TB")
    assert isinstance(finding.verdict, Proposal)
    assert "rows are dead" in weighing_in_words(finding)
    apply(server, "autovacuum_vacuum_scale_factor", finding.verdict.value)
    server.query(CHURN)
    until = time.monotonic() + 60
    while dead_share(server) > 0.05 and time.monotonic() < until:
        time.sleep(1)
    assert dead_share(server) <= 0.05


def test_a_session_that_idles_in_its_transaction_is_ended_once_what_was_advised_is_done(
    server: Cluster,
) -> None:
    name = "pg.idle_in_transaction_session_timeout"
    psql, hold = str(server.programs.psql), "begin; lock table t;\n"
    with at_work(server, psql, "-q", said=hold):
        time.sleep(3)
        finding = recommended(server, name)
    assert isinstance(finding.verdict, Advice)
    assert "a session was idle in its transaction for" in finding.because
    apply(server, "idle_in_transaction_session_timeout", "1s")
    with at_work(server, psql, "-q", said=hold):
        time.sleep(4)
        assert value(the_server_alone(server).sessions).longest_idle_in_transaction < 3
        assert "was idle in its transaction" not in recommended(server, name).because

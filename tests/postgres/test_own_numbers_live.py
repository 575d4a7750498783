"""What a real server counted under a load decides, and the same load with what was decided shows it right."""

import dataclasses

import pytest

from live_servers import the_server, value
from real_postgres import Cluster
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
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


def found(server: Cluster, name: str) -> Finding:
    """What is recommended for this server on a machine of which little matters here."""
    now = example_situation(
        Given(major=server.programs.major, connections=20, database_size="10GB"), KNOWLEDGE
    )
    facts = dataclasses.replace(now.facts, postgres=(the_server(server),))
    plan = plan_of(KNOWLEDGE.catalogue, situation_of(facts, now.answers, KNOWLEDGE))
    return next(each for each in plan.findings if each.recommendation.id == name)


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
    seen = value(value(the_server(server).activity).temp_files)
    assert seen >= SORTS
    finding = found(server, "pg.work_mem")
    assert isinstance(finding.verdict, Proposal)
    apply(server, "work_mem", finding.sets)
    reset(server)
    sort(server)
    server.restart()
    assert value(value(the_server(server).activity).temp_files) == 0


def write(server: Cluster) -> None:
    server.query(
        "create table w as select n, repeat('x', 2000) as filler from generate_series(1, 200000) as n"
    )
    server.query("drop table w")


def forced(server: Cluster) -> int:
    return value(value(the_server(server).activity).checkpoints_requested)


def test_forced_checkpoints_raise_max_wal_size_to_where_there_are_none(server: Cluster) -> None:
    apply(server, "max_wal_size", "32MB")
    reset(server)
    write(server)
    many = forced(server)
    finding = found(server, "pg.max_wal_size")
    assert isinstance(finding.verdict, Proposal)
    assert f"{many} of {many} checkpoints" in finding.observed[0].figure
    apply(server, "max_wal_size", finding.sets)
    reset(server)
    write(server)
    assert forced(server) == 0

"""A real server plans its statements under new settings: what flips is told, nothing is run or changed."""

import json
from pathlib import Path

import pytest

from command_line import ANSWERS, tunewiz
from fixtures_postgres import MakeCluster
from live_servers import the_server
from real_postgres import Cluster
from tunewiz.collect.postgres.plans import flips_on
from tunewiz.collect.system import LiveSystem
from tunewiz.core.proof.plan_flips import PlanFlips, SettingTried
from tunewiz.core.values.errors import ServerError
from tunewiz.core.values.versions import Major
from waiting import until

COUNTING = {"fsync": "off", "shared_preload_libraries": "pg_stat_statements", "autovacuum": "off"}
LOOKED_UP = "select count(filler) from orders where customer = 17"
TO_INDEX = (SettingTried(name="random_page_cost", before="4000", after="1.1"),)
MADE = (
    "create extension pg_stat_statements",
    "create table orders (id int primary key, customer int, filler text)",
    "insert into orders select n, n % 500, repeat('x', 200) from generate_series(1, 50000) as n",
    "create index orders_customer on orders (customer)",
    "vacuum analyze orders",
    "alter system set random_page_cost = 4000",
    "select pg_reload_conf()",
    "select pg_stat_statements_reset()",
)


def counting(cluster: Cluster) -> Cluster:
    """With a table whose index is worth nothing to the planner as long as random reads are that expensive."""
    cluster.start()
    for statement in MADE:
        cluster.query(statement)
    cluster.query(LOOKED_UP)
    return cluster


@pytest.fixture
def cluster(make_cluster: MakeCluster) -> Cluster:
    return counting(make_cluster(settings=COUNTING))


def flips(cluster: Cluster, *settings: SettingTried) -> PlanFlips:
    return flips_on(LiveSystem(), the_server(cluster), settings or TO_INDEX)


def why_skipped(plan_flips: PlanFlips, beginning: str) -> str:
    (why,) = {statement.why for statement in plan_flips.skipped if statement.text.startswith(beginning)}
    return why


def of_orders(plan_flips: PlanFlips) -> list[str]:
    """The statements on the test's table that were planned."""
    return [statement.text for statement in plan_flips.planned if "from orders" in statement.text]


def test_a_statement_whose_plan_becomes_another_is_told_with_what_changes(cluster: Cluster) -> None:
    plan_flips = flips(cluster)
    (flip,) = plan_flips.flips
    assert flip.text.startswith("select count(filler) from orders where customer = $1")
    assert flip.calls == 1
    (change,) = flip.changes
    assert change.startswith("orders: Seq Scan -> ")
    assert change.endswith("Scan with orders_customer")
    assert flip.before.cost > flip.after.cost > 0
    assert plan_flips.counted_ms > 0


def test_under_the_settings_that_it_has_no_plan_changes(cluster: Cluster) -> None:
    plan_flips = flips(cluster, SettingTried(name="random_page_cost", before="4000", after="4000"))
    assert not plan_flips.flips
    assert len(of_orders(plan_flips)) == 1


def test_nothing_is_run_and_nothing_stays_set(cluster: Cluster) -> None:
    cluster.query("create table kept (id int)")
    cluster.query("insert into kept values (1)")
    cluster.query("delete from kept where id = 2")
    counted = "select sum(n_tup_ins + n_tup_del) from pg_stat_user_tables where relname = 'kept'"
    until(lambda: cluster.query(counted) == "1")
    plan_flips = flips(cluster)
    assert {statement.text.split()[0] for statement in plan_flips.planned} >= {"select", "insert", "delete"}
    assert cluster.query("select count(*) from kept") == "1"
    assert cluster.query(counted) == "1"
    assert cluster.query("show random_page_cost") == "4000"
    assert "ERROR" not in cluster.log_file.read_text()


def test_commands_have_no_plan_and_catalog_queries_are_left_out(cluster: Cluster) -> None:
    cluster.query("select count(*) from pg_class")
    cluster.query("checkpoint")
    plan_flips = flips(cluster)
    assert why_skipped(plan_flips, "select count(*) from pg_class") == "it reads only system catalogs"
    assert why_skipped(plan_flips, "checkpoint").startswith("it has no query plan")


def test_a_dropped_table_takes_nothing_else_with_it(cluster: Cluster) -> None:
    cluster.query("create table gone (id int)")
    cluster.query("select id from gone where id > 1")
    cluster.query("drop table gone")
    plan_flips = flips(cluster)
    assert why_skipped(plan_flips, "select id from gone") == 'relation "gone" does not exist'
    assert len(plan_flips.flips) == 1


def test_a_lock_is_not_waited_for(cluster: Cluster) -> None:
    cluster.query("alter system set max_prepared_transactions = 1")
    cluster.restart()
    cluster.query("begin; lock table orders in access exclusive mode; prepare transaction 'held'")
    plan_flips = flips(cluster)
    assert "lock" in why_skipped(plan_flips, "select count(filler)")


@pytest.mark.parametrize("what", ["functions", "views"])
def test_code_of_a_lesser_role_keeps_planning_from_running_it(cluster: Cluster, what: str) -> None:
    cluster.query("create role app login")
    cluster.query("create schema app authorization app")
    # Rows to read: other tests look at this server too, and only what took most of its time is planned.
    cluster.query("set role app; create table app.t as select generate_series(1, 200000) as id")
    if what == "functions":
        cluster.query(
            "set role app; create function app.f() returns int immutable language plpgsql as "
            "$$begin raise log 'ran as %', current_user; return 1; end$$"
        )
        cluster.query("select * from app.t where id = app.f()")
    else:
        cluster.query("set role app; create view app.v as select id from app.t")
        cluster.query("select id from app.v where id = 3")
    cluster.run("truncate", "-s0", cluster.log_file)
    plan_flips = flips(cluster)
    why = why_skipped(plan_flips, "select * from app.t" if what == "functions" else "select id from app.v")
    assert what in why or "non-system view" in why, why
    assert "ran as" not in cluster.log_file.read_text()


def test_the_role_that_wrote_the_functions_gets_its_plans(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.query("create role app login in role pg_read_all_stats")
    cluster.query("grant select on orders to app")
    cluster.query("create schema app authorization app")
    cluster.query("set role app; create function app.one() returns int immutable language sql as 'select 1'")
    assert not of_orders(flips(cluster))
    monkeypatch.setenv("PGUSER", "app")
    assert len(of_orders(flips(cluster))) == 1


def test_a_role_that_may_not_see_texts_is_told_what_it_lacks(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.query("create role few login")
    monkeypatch.setenv("PGUSER", "few")
    plan_flips = flips(cluster)
    assert not of_orders(plan_flips)
    assert any("pg_read_all_stats" in statement.why for statement in plan_flips.skipped)


def test_the_extension_is_found_in_another_database_and_its_statements_in_theirs(
    make_cluster: MakeCluster,
) -> None:
    cluster = make_cluster(settings=COUNTING)
    cluster.start()
    cluster.query("create database apart")
    cluster.query("create extension pg_stat_statements", database="apart")
    cluster.query("create table here (id int primary key)")
    server = the_server(cluster)
    cluster.query("select pg_stat_statements_reset()", database="apart")
    cluster.query("select id from here where id = 4")
    plan_flips = flips_on(LiveSystem(), server, TO_INDEX)
    assert ("postgres", "select id from here where id = $1") in {
        (statement.database, statement.text) for statement in plan_flips.planned
    }


def test_a_server_without_the_extension_says_what_is_missing(running_cluster: Cluster) -> None:
    with pytest.raises(ServerError, match="no database that could be opened has the extension"):
        flips(running_cluster)


def test_a_stopped_server_says_so(cluster: Cluster) -> None:
    server = the_server(cluster)
    cluster.stop()
    with pytest.raises(ServerError, match="the server is not running"):
        flips_on(LiveSystem(), server, TO_INDEX)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_major_plans_what_it_can(matrix_cluster: Cluster, major: str) -> None:
    for name, value in COUNTING.items():
        matrix_cluster.run("sh", "-c", f"echo \"{name} = '{value}'\" >> {matrix_cluster.config_file}")
    counting(matrix_cluster)
    matrix_cluster.query("select count(*) from orders")
    plan_flips = flips(matrix_cluster)
    if Major.parse(major) < Major(1200):
        assert "before PostgreSQL 12" in why_skipped(plan_flips, "select count(filler)")
        assert of_orders(plan_flips) == ["select count(*) from orders"]
    else:
        (flip,) = (flip for flip in plan_flips.flips if "filler" in flip.text)
        assert flip.changes[0].endswith("with orders_customer")


def test_the_command_tells_what_flips_by_its_exit_status(cluster: Cluster, tmp_path: Path) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text(f'{ANSWERS}\n[decisions]\n"pg.random_page_cost" = {{ set = "1.1" }}\n')
    here = ("--port", str(cluster.port), "--host", cluster.socket_directory)
    ended = tunewiz("prove", "plans", "--answers", answers, *here)
    assert (ended.status, ended.err) == (1, "")
    for part in (
        "random_page_cost: 4000 -> 1.1",
        "customer = $1",
        "with orders_customer",
        "Nothing was executed",
    ):
        assert part in ended.out
    as_json = json.loads(tunewiz("prove", "plans", "--json", "--answers", answers, *here).out)
    assert as_json["schema"] == 1
    assert as_json["flips"] >= 1
    assert {"name": "random_page_cost", "before": "4000", "after": "1.1"} in as_json["settings"]


def test_the_command_is_refused_where_nothing_is_counted(running_cluster: Cluster) -> None:
    here = ("--port", str(running_cluster.port), "--host", running_cluster.socket_directory)
    ended = tunewiz("prove", "plans", *here)
    assert (ended.status, ended.out) == (4, "")
    assert "pg_stat_statements" in ended.one_message

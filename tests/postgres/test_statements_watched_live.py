"""What each statement did while a real server was watched, on every major; what is private stays there."""

from collections.abc import Callable

import pytest

from fixtures_postgres import MakeCluster
from live_servers import the_server_alone, value, why
from real_postgres import Cluster
from tunewiz.collect.postgres.statement_tally import HIDDEN, RESET
from tunewiz.collect.postgres.watching import watch_server
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.server import Window
from tunewiz.core.facts.statements import StatementSeen, StatementsSeen
from tunewiz.core.values.versions import Major

ORDERS = "select id from orders where id <"
COUNTING = {"fsync": "off", "shared_preload_libraries": "pg_stat_statements", "autovacuum": "off"}
LONGEST, SHORTEST = 60, 2.5
"""Seconds; it ends as soon as the work is done."""


def watched(cluster: Cluster, at_first: Callable[[], object]) -> Window:
    """What is seen when something happens after the first look."""
    heard = list[float]()

    def report_progress(passed: float) -> None:
        if not heard:
            at_first()
        heard.append(passed)

    def enough() -> bool:
        return bool(heard) and heard[-1] >= SHORTEST

    return value(watch_server(LiveSystem(), the_server_alone(cluster), LONGEST, report_progress, enough))


def of_orders(observation: StatementsSeen) -> list[StatementSeen]:
    return [statement for statement in observation.statements if "from orders" in statement.text]


@pytest.fixture
def cluster(make_cluster: MakeCluster) -> Cluster:
    made = make_cluster(settings=COUNTING)
    made.start()
    made.query("create extension pg_stat_statements")
    made.query("create table orders (id int)")
    made.query("insert into orders select generate_series(1, 10)")
    return made


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_major_tells_calls_time_and_rows_of_the_window_alone(
    matrix_cluster: Cluster, major: str
) -> None:
    library = matrix_cluster.data_directory / "conf.d" / "counting.conf"
    matrix_cluster.run("sh", "-c", f"echo \"shared_preload_libraries = 'pg_stat_statements'\" >{library}")
    matrix_cluster.start()
    matrix_cluster.query("create extension pg_stat_statements")
    matrix_cluster.query("create table orders (id int)")
    matrix_cluster.query("insert into orders select generate_series(1, 10)")
    matrix_cluster.query(f"{ORDERS} 4")

    def work() -> None:
        for most in (6, 8):
            matrix_cluster.query(f"{ORDERS} {most}")

    window = watched(matrix_cluster, work)
    observation = value(window.statements)
    (orders,) = of_orders(observation)
    assert (orders.calls, orders.rows, orders.database) == (2, 12, "postgres")
    assert 0 < orders.run_ms <= observation.run_ms
    assert orders.role == matrix_cluster.os_user
    parameter = "$1" if Major.parse(major) >= Major.parse("10") else "?"
    assert orders.text == f"{ORDERS} {parameter}"
    assert (observation.evicted, observation.unlisted) == (0, 0)
    # Both are whole seconds.
    assert value(window.began) >= value(window.server_started)


@pytest.mark.slow
def test_own_statements_are_not_counted_and_passwords_do_not_leave_the_server(cluster: Cluster) -> None:
    def work() -> None:
        cluster.query("create role app password 'hunter2'")
        cluster.query("do $$begin perform 'hunter2'; end$$")

    observation = value(watched(cluster, work).statements)
    assert "hunter2" not in repr(observation)
    texts = {statement.text for statement in observation.statements}
    assert {"CREATE", "DO"} <= texts
    # Others that look for servers on this machine may find this one too, and are counted.
    assert not [text for text in texts if text.startswith(("select s.queryid", "select queryid", "ALTER"))]


@pytest.mark.slow
def test_a_reset_in_the_window_is_told_instead_of_counts(cluster: Cluster) -> None:
    assert (
        why(watched(cluster, lambda: cluster.query("select pg_stat_statements_reset()")).statements) == RESET
    )


@pytest.mark.slow
def test_entries_that_were_discarded_are_counted(make_cluster: MakeCluster) -> None:
    made = make_cluster(settings={**COUNTING, "pg_stat_statements.max": "100"})
    made.start()
    made.query("create extension pg_stat_statements")

    def work() -> None:
        # Each has as many columns as none before: another statement.
        made.query("; ".join(f"select {', '.join(['1'] * columns)}" for columns in range(1, 250)))

    assert value(watched(made, work).statements).evicted > 0


@pytest.mark.slow
def test_a_role_that_may_not_see_the_statements_of_others_is_told_so(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.query("create role few login")
    monkeypatch.setenv("PGUSER", "few")
    window = watched(cluster, lambda: cluster.query("select id from orders"))
    assert why(window.statements) == HIDDEN


@pytest.mark.slow
def test_views_of_others_with_the_names_of_the_extension_are_not_read(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.query("drop extension pg_stat_statements")
    cluster.query("grant create on schema public to public")
    cluster.query("create role app login")
    cluster.query(
        "set role app; create function ran() returns int language plpgsql as "
        "$$begin raise log 'ran as %', current_user; return 1; end$$"
    )
    for name in ("pg_stat_statements", "pg_stat_statements_info"):
        cluster.query(f"set role app; create view {name} as select ran() as dealloc, now() as stats_reset")
    monkeypatch.setenv("PGUSER", cluster.os_user)
    assert "no database that could be opened has the extension" in why(
        watched(cluster, lambda: cluster.query("select 1")).statements
    )
    assert "ran as" not in cluster.log_file.read_text()

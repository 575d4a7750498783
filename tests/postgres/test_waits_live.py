"""Real servers whose sessions queue for a lock: the share, the tree, and what a sample leaves alone."""

import re

import pytest

from live_servers import the_server_alone, value
from real_postgres import Cluster
from sessions_at_work import session
from tunewiz.collect.postgres.wait_sampling import sample_server_waits
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.waits import Waits
from tunewiz.core.health.blockers import blocker_tree, trouble_with_locks
from tunewiz.core.health.waits import shares_of, verdict_on
from tunewiz.core.values.versions import Major
from waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]
V96 = Major(906)
MOST_OF_IT = 90
"""Percent: autovacuum may be at work in a sample."""


def sampled(cluster: Cluster, seconds: int = 6) -> Waits:
    server = the_server_alone(cluster)
    return value(sample_server_waits(LiveSystem(), server, seconds, lambda _: None, lambda: False))


def test_a_queue_for_a_lock_is_said_in_one_line_and_shown_as_a_tree(
    matrix_cluster: Cluster, major: str
) -> None:
    matrix_cluster.start()
    matrix_cluster.query("create table t as select 1 as n")
    waiting = "waiting" if Major.parse(major) < V96 else "wait_event_type = 'Lock'"
    count = f"select count(*) from pg_stat_activity where {waiting}"  # noqa: S608 - ours
    with (
        session(matrix_cluster, "lock t"),
        session(matrix_cluster, "select * from t", waits_for=""),
        session(matrix_cluster, "select * from t", waits_for=""),
    ):
        until(lambda: matrix_cluster.query(count) == "2")
        waits = sampled(matrix_cluster)
        said = re.fullmatch(
            r"(\d+) % of active time waits for locks: no setting in this plan changes that", verdict_on(waits)
        )
        assert said is not None
        assert int(said[1]) >= MOST_OF_IT
        trouble = trouble_with_locks(waits)
        assert trouble is not None
        if Major.parse(major) < V96:
            assert (waits.blocked, trouble.do) == ((), ())
            return
        tree = list(blocker_tree(waits.blocked))
        assert [len(row) - len(row.lstrip()) for row in tree] == [0, 2, 2]
        assert "idle in transaction" in tree[0]
        for statement in trouble.do:
            matrix_cluster.query(statement)
        until(lambda: matrix_cluster.query(count) == "0")


def test_a_quiet_server_shows_no_waits_and_is_sampled_often(matrix_cluster: Cluster) -> None:
    matrix_cluster.start()
    waits = sampled(matrix_cluster, 3)
    assert shares_of(waits) == ()
    assert 4 <= waits.samples <= 13
    assert (waits.blocked, waits.hidden) == ((), 0)


def test_sessions_at_work_are_not_said_to_wait_for_locks(matrix_cluster: Cluster) -> None:
    matrix_cluster.start()
    busy = "select count(*) from generate_series(1, 1000000000)"
    with session(matrix_cluster, busy, waits_for=""):
        until(
            lambda: (
                matrix_cluster.query("select count(*) from pg_stat_activity where state = 'active'") == "2"
            )
        )
        waits = sampled(matrix_cluster)
        assert trouble_with_locks(waits) is None
        assert waits.blocked == ()


def test_a_role_with_few_rights_counts_what_it_may_not_look_into(
    matrix_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix_cluster.start()
    matrix_cluster.query("create role few login")
    with session(matrix_cluster, "select 1"):
        monkeypatch.setenv("PGUSER", "few")
        waits = sampled(matrix_cluster, 2)
    assert waits.hidden >= waits.samples

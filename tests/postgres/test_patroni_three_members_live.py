"""Three members of Patroni's: changed in order under load, over a switchover, and while etcd is away."""

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from test_patroni_live import AFTER, BEFORE, CLIENTS, Load, bundle, patronictl_as, shown

from fixtures_patroni import PatroniCluster
from patroni_members import await_members, configuration, patroni_members, undo
from real_postgres import Programs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("patroni")]

MEMBERS = 3
SECONDS_AWAY = 12
"""Longer than Patroni tries to reach it (retry_timeout 5), shorter than a leader keeps its lock (ttl 20)."""


@pytest.fixture
def three_members(
    postgres_programs: Programs, next_port: Callable[[], int]
) -> Iterator[tuple[PatroniCluster, subprocess.Popen[bytes]]]:
    """One leader, two standbys that stream, and the process of their etcd."""
    with patroni_members(postgres_programs, next_port, MEMBERS) as both:
        yield both


def put_back(cluster: PatroniCluster, made: Path, before: dict[str, object]) -> None:
    """One rollback later all is as it was, on every member."""
    undo(cluster, made, before)
    assert shown(cluster) == [BEFORE] * MEMBERS


def committed(cluster: PatroniCluster, load: Load) -> tuple[int, int]:
    """What clients were told that it is committed, and what is there."""
    return load.acknowledged, int(cluster.query(cluster.leader(), "SELECT count(*) FROM acknowledged"))


def test_both_standbys_are_restarted_before_the_leader_and_nothing_committed_is_lost(
    three_members: tuple[PatroniCluster, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    cluster, _ = three_members
    made, before, leader = bundle(tmp_path / "b"), configuration(cluster), cluster.leader()
    with Load(cluster) as load:
        applied = cluster.script(made / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    restarted = re.findall(r"^restart pg(\d)", applied.out, re.MULTILINE)
    assert (len(restarted), restarted[-1]) == (MEMBERS, str(leader + 1))
    assert shown(cluster) == [AFTER] * MEMBERS
    assert cluster.leader() == leader
    acknowledged, there = committed(cluster, load)
    assert 0 < acknowledged <= there <= acknowledged + load.cut_off * CLIENTS
    put_back(cluster, made, before)


SWITCHING = """#!/bin/sh
case " $* " in
    *" restart "*)
        [ -e "{done}" ] || {{
            : >"{done}"
            "{real}" -c "{file}" switchover demo --candidate {other} --force
        }}
        ;;
esac
exec "{real}" "$@"
"""


def test_a_switchover_in_the_middle_loses_nothing_and_is_put_back(
    three_members: tuple[PatroniCluster, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    cluster, _ = three_members
    made, before, leader = bundle(tmp_path / "b"), configuration(cluster), cluster.leader()
    other = (leader + 1) % MEMBERS
    switching = {
        "done": cluster.directory / "switched",
        "file": cluster.root / "etc/patroni/patroni.yml",
        "other": f"pg{other + 1}",
    }
    with Load(cluster) as load, patronictl_as(cluster, SWITCHING, **switching):
        applied = cluster.script(made / "apply.sh")
    await_members(cluster)
    assert cluster.leader() == other, applied.said
    if applied.status == 0:
        assert shown(cluster) == [AFTER] * MEMBERS
    else:
        assert applied.status == 5, applied.said
        assert "Everything is as it was before." in applied.err, applied.said
    acknowledged, there = committed(cluster, load)
    assert 0 < acknowledged <= there <= acknowledged + load.cut_off * CLIENTS
    put_back(cluster, made, before)


AWAY = """#!/bin/sh
case " $* " in
    *" restart "*)
        [ -e "{done}" ] || {{
            : >"{done}"
            kill -STOP {store}
            (sleep {seconds} && kill -CONT {store}) >/dev/null 2>&1 &
        }}
        ;;
esac
exec "{real}" "$@"
"""


def test_a_store_that_is_away_for_a_while_leaves_nothing_half_done(
    three_members: tuple[PatroniCluster, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    cluster, store = three_members
    made, before = bundle(tmp_path / "b"), configuration(cluster)
    away = {"done": cluster.directory / "away", "store": store.pid, "seconds": SECONDS_AWAY}
    with patronictl_as(cluster, AWAY, **away):
        applied = cluster.script(made / "apply.sh")
    await_members(cluster)
    if applied.status == 0:
        assert shown(cluster) == [AFTER] * MEMBERS
    else:
        assert applied.status in {1, 5}, applied.said
        assert "rollback.sh" in applied.err or "as it was before" in applied.err, applied.said
    put_back(cluster, made, before)

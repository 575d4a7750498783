"""A primary and its standby, watched after a change: one that no longer streams is not left so."""

import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fixtures_postgres import MakeCluster
from pretend_root import Ran
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, machine_of
from streaming import standby_of
from waiting import until
from watched_changes import once_applied

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

OPTIONS = ("--confirm-within", "5", "--watcher", "--guard", "--guard-baseline", "12")
"""A sample a second; a standby may be away for 30 s."""


@pytest.fixture
def pair(database: Cluster, make_cluster: MakeCluster) -> Generator[tuple[Cluster, Cluster]]:
    """A primary and a standby that streams."""
    with standby_of(database, make_cluster().port, {}) as standby:
        until(lambda: streams(database))
        yield database, standby


def streams(primary: Cluster) -> bool:
    return primary.query("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") == "1"


def watched(cluster: Cluster, tmp_path: Path, happens: Callable[[], None], *, seconds: int = 48) -> Ran:
    machine = machine_of(cluster, tmp_path / "state")
    bundle = bundle_for(cluster, tmp_path / "bundle", {"pg.maintenance_work_mem": "96MB"})
    with once_applied(machine, happens):
        return machine.run(bundle / "apply.sh", *OPTIONS, "--guard-window", str(seconds))


def is_applied(cluster: Cluster) -> bool:
    return (cluster.data_directory / DROP_IN).exists()


def test_a_standby_that_is_away_for_half_a_minute_takes_the_change_of_its_primary_back(
    pair: tuple[Cluster, Cluster], tmp_path: Path
) -> None:
    primary, standby = pair
    ran = watched(primary, tmp_path, standby.stop)
    standby.start()
    assert ran.status == 5, ran.said
    assert "UNHEALTHY: replication: 0 streaming, 1 before, for 30 s." in ran.err
    assert "Rolled back by the guard" in ran.err
    assert not is_applied(primary)
    assert primary.query("SHOW maintenance_work_mem") == "64MB"
    until(lambda: streams(primary))


def test_a_standby_that_comes_back_in_time_changes_nothing(
    pair: tuple[Cluster, Cluster], tmp_path: Path
) -> None:
    primary, standby = pair
    ran = watched(primary, tmp_path, standby.restart, seconds=36)
    assert (ran.status, "UNDECIDED: neither time nor transactions" in ran.out) == (0, True), ran.said
    assert is_applied(primary)
    assert streams(primary)


def test_a_standby_that_loses_its_primary_takes_its_own_change_back(
    pair: tuple[Cluster, Cluster], tmp_path: Path
) -> None:
    primary, standby = pair
    ran = watched(standby, tmp_path, primary.stop)
    primary.start()
    assert ran.status == 5, ran.said
    assert "UNHEALTHY: replication: 0 streaming, 1 before, for 30 s." in ran.err
    assert not is_applied(standby)
    assert is_up_as_standby(standby)
    until(lambda: streams(primary))


def is_up_as_standby(cluster: Cluster) -> bool:
    return cluster.query("SELECT pg_is_in_recovery()") == "t"


def test_a_receiver_of_wal_that_ends_counts_as_a_standby_that_is_away(
    database: Cluster, tmp_path: Path
) -> None:
    with receiving_wal(database) as receiver:
        ran = watched(database, tmp_path, receiver.kill)
    assert (ran.status, "UNHEALTHY: replication: 0 streaming, 1 before" in ran.err) == (5, True), ran.said
    assert not is_applied(database)


@contextmanager
def receiving_wal(cluster: Cluster) -> Generator[subprocess.Popen[bytes]]:
    """pg_receivewal, as archives and backup tools run it."""
    archive = cluster.directory / "received"
    cluster.run("mkdir", archive)
    program = cluster.programs.bin_directory / "pg_receivewal"
    where = ("-h", cluster.socket_directory, "-p", str(cluster.port))
    with subprocess.Popen((program, "-D", archive, *where), user=cluster.os_user) as receiver:
        until(lambda: streams(cluster))
        yield receiver
        receiver.kill()

"""A rollback knows the server that was changed: no other one in its place or at its address is touched."""

import dataclasses
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from fixtures_postgres import MakeCluster, initialize
from killed_servers import forget_postmaster, kill_server, start_after_kill
from pretend_root import Entry, entry
from real_postgres import Cluster
from real_subject import SHOWN, MakeSubject, Subject, Way

pytestmark = pytest.mark.slow

RESTORED, REFUSED, NOT_RESTORED = 0, 4, 5
BOTH_WAYS: tuple[Way, ...] = ("drop-in", "ALTER SYSTEM")
FORMER = {"shared_buffers": "128MB", "work_mem": "4MB", "random_page_cost": "4"}


def test_the_ways_cover_what_is_planned() -> None:
    assert set(FORMER) == set(SHOWN)


# Another cluster at the same path.


@pytest.mark.parametrize("runs", [True, False], ids=["running", "stopped"])
@pytest.mark.parametrize("way", BOTH_WAYS)
def test_case_125_another_cluster_that_was_made_at_the_same_path_is_not_touched(
    way: Way,
    runs: bool,  # noqa: FBT001 - a parameter of the test
    make_subject: MakeSubject,
) -> None:
    subject = make_subject(way=way)
    before = subject.configuration()
    bundle = subject.bundle()
    assert subject.run(bundle / "apply.sh").status == 0
    away = put_another_in_its_place(subject)
    if runs:
        subject.cluster.start()
    result = whole(subject)
    for _ in range(2):
        ran = subject.run(bundle / "rollback.sh")
        assert ran.status == NOT_RESTORED, ran.said
        assert "another cluster" in ran.err
        assert "as it was before" not in ran.said
        assert whole(subject) == result
        assert subject.cluster.is_running() == runs
    if runs:
        subject.cluster.stop()
    put_back(subject, away)
    subject.cluster.start()
    assert subject.show() == SHOWN
    assert subject.run(bundle / "rollback.sh").status == RESTORED
    assert (subject.show(), subject.configuration()) == (FORMER, before)


def put_another_in_its_place(subject: Subject) -> Path:
    """As who makes a cluster anew and keeps its configuration, our lines too."""
    cluster = subject.cluster
    cluster.stop()
    away = cluster.directory / "away"
    cluster.data_directory.rename(away)
    initialize(cluster.programs, cluster.os_user, cluster.data_directory)
    for file in (cluster.config_file, cluster.data_directory / "postgresql.auto.conf"):
        cluster.run("cp", "-p", away / file.name, file)
    if subject.included is not None:
        cluster.run("cp", "-Rp", away / subject.included.name, subject.included)
    return away


def put_back(subject: Subject, away: Path) -> None:
    shutil.rmtree(subject.cluster.data_directory)
    away.rename(subject.cluster.data_directory)


def whole(subject: Subject) -> tuple[Mapping[str, Entry], str, str]:
    """All that a script could change of a server: its files, and what tells a reload or a restart."""
    cluster = subject.cluster
    if not cluster.is_running():
        return subject.configuration(), "", ""
    return subject.configuration(), subject.started(), loaded(cluster)


def loaded(cluster: Cluster) -> str:
    """When it read its files last."""
    return cluster.query("SELECT pg_conf_load_time()")


# Another server at the same address.


@pytest.mark.parametrize("way", BOTH_WAYS)
def test_another_server_on_the_same_port_and_socket_is_not_touched(
    way: Way, make_subject: MakeSubject, make_cluster: MakeCluster
) -> None:
    subject = make_subject(way=way)
    before = subject.configuration()
    bundle = subject.bundle()
    assert subject.run(bundle / "apply.sh").status == 0
    kill_server(subject.cluster)
    other = at_the_address_of(subject.cluster, make_cluster())
    result = all_of(other)
    ran = subject.run(bundle / "rollback.sh")
    assert ran.status == RESTORED, ran.said
    assert subject.configuration() == before
    assert all_of(other) == result
    other.stop()
    start_after_kill(subject.cluster)
    assert subject.show() == FORMER


@pytest.mark.parametrize("way", BOTH_WAYS)
def test_another_server_that_answers_on_the_socket_of_one_that_runs_is_not_touched(
    way: Way, make_subject: MakeSubject, make_cluster: MakeCluster
) -> None:
    subject = make_subject(way=way)
    before = subject.configuration()
    bundle = subject.bundle()
    assert subject.run(bundle / "apply.sh").status == 0
    # What cleans old files out of /tmp takes a socket for one.
    for file in subject.cluster.socket_directory.iterdir():
        file.unlink()
    other = at_the_address_of(subject.cluster, make_cluster())
    result = all_of(other)
    ran = subject.run(bundle / "rollback.sh")
    assert ran.status == NOT_RESTORED, ran.said
    assert "as it was before" not in ran.said
    assert all_of(other) == result
    other.stop()
    kill_server(subject.cluster)
    start_after_kill(subject.cluster)
    assert subject.run(bundle / "rollback.sh").status == RESTORED
    assert (subject.show(), subject.configuration()) == (FORMER, before)


@pytest.mark.parametrize("way", BOTH_WAYS)
def test_another_server_on_the_socket_is_not_taken_for_the_one_that_was_planned_for(
    way: Way, make_subject: MakeSubject, make_cluster: MakeCluster
) -> None:
    subject = make_subject(way=way)
    before, bundle = subject.configuration(), subject.bundle()
    for file in subject.cluster.socket_directory.iterdir():
        file.unlink()
    other = at_the_address_of(subject.cluster, make_cluster())
    result = all_of(other)
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == REFUSED, ran.said
    assert (all_of(other), subject.configuration()) == (result, before)
    kill_server(subject.cluster)
    forget_postmaster(subject.cluster)


def at_the_address_of(cluster: Cluster, other: Cluster) -> Cluster:
    """The other server, started on the port and in the socket directory of the first."""
    moved = dataclasses.replace(other, port=cluster.port, directory=cluster.directory)
    with moved.config_file.open("a") as config:
        config.write(f"port = {moved.port}\nunix_socket_directories = '{moved.socket_directory}'\n")
    for lock in cluster.socket_directory.iterdir():
        lock.unlink()
    moved.start()
    return moved


def all_of(cluster: Cluster) -> tuple[Mapping[str, Entry], str, str]:
    """Its configuration, and what tells a reload or a restart."""
    files = {path.name: entry(path) for path in cluster.data_directory.glob("*.conf")}
    return files, cluster.query("SELECT pg_postmaster_start_time()"), loaded(cluster)

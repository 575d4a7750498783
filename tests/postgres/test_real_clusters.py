"""The clusters that other tests rely on are what they say."""

import os
import pwd
from typing import get_args

import pytest

from fixtures_postgres import MakeCluster
from real_postgres import Cluster, Layout

LAYOUTS: tuple[Layout, ...] = get_args(Layout)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_cluster_starts_restarts_and_stops(make_cluster: MakeCluster, layout: Layout) -> None:
    cluster = make_cluster(layout)
    assert not cluster.is_running()
    cluster.start()
    assert cluster.query("SELECT 1, 'two'") == "1|two"
    first = cluster.query("SELECT pg_postmaster_start_time()")
    cluster.restart()
    assert cluster.query("SELECT pg_postmaster_start_time()") != first
    cluster.stop()
    assert not cluster.is_running()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_server_listens_on_its_own_socket_alone(make_cluster: MakeCluster, layout: Layout) -> None:
    cluster = make_cluster(layout)
    cluster.start()
    assert cluster.query("SHOW listen_addresses") == ""
    assert cluster.query("SHOW unix_socket_directories") == str(cluster.socket_directory)
    assert cluster.query("SHOW config_file") == str(cluster.config_file)
    assert cluster.query("SHOW data_directory") == str(cluster.data_directory)


def test_a_server_never_runs_as_root(running_cluster: Cluster) -> None:
    pid = (running_cluster.data_directory / "postmaster.pid").read_text().splitlines()[0]
    owner = os.stat(f"/proc/{pid}").st_uid  # noqa: PTH116 - a process is no file
    assert owner == pwd.getpwnam(running_cluster.os_user).pw_uid != 0


def test_settings_are_quoted_into_the_configuration(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(settings={"cluster_name": "it's", "fsync": "on"})
    cluster.start()
    assert cluster.query("SHOW cluster_name") == "it's"
    assert cluster.query("SHOW fsync") == "on"


def test_a_server_that_does_not_start_shows_its_log(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(settings={"shared_buffers": "a lot"})
    with pytest.raises(AssertionError) as failed:
        cluster.start()
    assert "shared_buffers" in "".join(failed.value.__notes__)


def test_two_clusters_run_side_by_side(make_cluster: MakeCluster) -> None:
    one, other = make_cluster(), make_cluster()
    one.start()
    other.start()
    one.query("CREATE TABLE only_here ()")
    assert other.query("SELECT count(*) FROM pg_class WHERE relname = 'only_here'") == "0"

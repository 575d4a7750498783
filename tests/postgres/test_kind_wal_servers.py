"""A move of the log on real servers: Debian's layout, each major, with settings beside it, after a crash."""

import subprocess
from pathlib import Path

import pytest

from fixtures_postgres import MakeCluster
from real_postgres import Cluster
from tools_here import needs
from wal_machine import FAILED, REFUSED, SETTINGS, WalMachine, cannot_mount, wal_machine

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(cannot_mount()), reason=cannot_mount())]


def there_and_back(host: WalMachine) -> None:
    host.write_row(1)
    before, bundle = sorted(host.places()), host.bundle()
    applied = host.run(bundle / "apply.sh")
    assert (applied.status, applied.err, host.is_moved) == (0, "", True), applied.said
    assert host.run(bundle / "verify.sh").status == 0
    host.write_row(2)
    restored = host.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    host.crash_and_start()
    assert (host.rows(), sorted(host.places())) == ("1 2", before)


def test_the_log_of_a_cluster_in_debians_layout_moves_and_comes_back(
    make_cluster: MakeCluster, tmp_path: Path
) -> None:
    with wal_machine(make_cluster("debian", settings=SETTINGS), tmp_path) as host:
        there_and_back(host)


@needs("fallocate")
def test_the_log_of_every_major_moves_and_comes_back(matrix_cluster: Cluster, tmp_path: Path) -> None:
    with matrix_cluster.config_file.open("a") as config:
        config.writelines(f"{name} = '{value}'\n" for name, value in SETTINGS.items())
    with wal_machine(matrix_cluster, tmp_path) as host:
        full = host.machine.path("/disk/full")
        subprocess.run(("fallocate", "-l", "150M", full), check=True)
        assert host.run(host.bundle() / "apply.sh").status == REFUSED
        full.unlink()
        there_and_back(host)


def test_one_restart_serves_the_move_and_the_settings_beside_it(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle(shared_buffers="64MB", work_mem="24MB")
    applied = wal_host.run(bundle / "apply.sh")
    assert applied.status == 0, applied.said
    assert applied.out.count("restart the server") == 1
    assert (wal_host.is_moved, wal_host.cluster.query("SHOW shared_buffers")) == (True, "64MB")
    assert wal_host.run(bundle / "apply.sh").status == 3
    restored = wal_host.run(bundle / "rollback.sh")
    assert (restored.status, restored.out.count("restart the server")) == (0, 1), restored.said
    assert (wal_host.is_moved, wal_host.cluster.query("SHOW shared_buffers")) == (False, "128MB")


def test_a_setting_with_which_it_does_not_start_takes_the_log_back_too(wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle(shared_preload_libraries="nosuchlib")
    wal_host.write_row(1)
    ran = wal_host.run(bundle / "apply.sh")
    assert (ran.status, "nosuchlib" in ran.err) == (FAILED, True), ran.said
    assert (wal_host.rows(), sorted(wal_host.places())) == ("1", before)


def test_a_log_that_may_grow_by_the_same_plan_needs_room_for_that(wal_host: WalMachine) -> None:
    ran = wal_host.run(wal_host.bundle(max_wal_size="1GB") / "apply.sh")
    assert (ran.status, "MiB are free there" in ran.err) == (REFUSED, True), ran.said


def test_after_a_power_cut_the_guard_brings_the_log_back_before_the_server_starts(
    wal_host: WalMachine,
) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.write_row(1)
    wal_host.cluster.stop(mode="immediate")
    ran = wal_host.run(bundle / "rollback.sh", "--at-boot")
    assert ran.status == 0, ran.said
    assert (wal_host.cluster.is_running(), sorted(wal_host.places())) == (False, before)
    wal_host.cluster.start()
    assert wal_host.rows() == "1"

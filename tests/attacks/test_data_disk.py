"""The file systems that a server needs to start again are looked at before it is stopped."""

from pathlib import Path

import pytest
from small_disks import AS_ROOT, filled, on_small_disk

from behind_mounts import behind, read_only
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, machine_of

pytestmark = pytest.mark.slow

DONE, REFUSED, NOT_RESTORED = 0, 4, 5
RELOADED, RESTARTED = {"pg.work_mem": "24MB"}, {"pg.shared_buffers": "192MB", "pg.work_mem": "24MB"}
SMALL = 160
"""MiB: what initdb makes, and some segments of the log."""


def started(database: Cluster) -> str:
    return database.query("SELECT pg_postmaster_start_time()")


@AS_ROOT
@pytest.mark.parametrize("inside", ["data", "data/pg_wal", "socket", "data/log"])
def test_case_87_what_is_read_only_is_refused_before_anything_is_changed(
    inside: str, database: Cluster, tmp_path: Path
) -> None:
    with database.config_file.open("a") as config:
        config.write("logging_collector = on\nlog_directory = 'log'\n")
    database.restart()
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", RESTARTED),
        machine_of(database, tmp_path / "state"),
    )
    since = started(database)
    ran = behind(machine, read_only(machine, f"/{inside}")).run(bundle / "apply.sh")
    assert ran.status == REFUSED, ran.said
    assert "the server cannot write there" in ran.err or "cannot be written" in ran.err
    assert started(database) == since
    assert not any(machine.state.glob("*/kept"))
    assert machine.run(bundle / "apply.sh").status == DONE


@AS_ROOT
@pytest.mark.parametrize("inside", ["", "pg_wal"])
def test_case_88_a_full_disk_is_refused_before_anything_is_changed(
    inside: str, database: Cluster, tmp_path: Path
) -> None:
    database.stop()
    place = database.data_directory / inside
    with on_small_disk(database, place, SMALL):
        database.start()
        bundle = bundle_for(database, tmp_path / "bundle", RESTARTED)
        machine, since = machine_of(database, tmp_path / "state"), started(database)
        ballast = filled(database, place, leaving_kib=1024)
        ran = machine.run(bundle / "apply.sh")
        assert (ran.status, "to stop and start again" in ran.err) == (REFUSED, True), ran.said
        assert started(database) == since
        assert not (database.data_directory / DROP_IN).exists()
        ballast.unlink()
        assert machine.run(bundle / "apply.sh").status == DONE
        assert machine.run(bundle / "rollback.sh").status == DONE


@AS_ROOT
def test_a_change_that_needs_no_restart_is_made_on_an_almost_full_disk(
    database: Cluster, tmp_path: Path
) -> None:
    database.stop()
    with on_small_disk(database, database.data_directory, SMALL):
        database.start()
        bundle = bundle_for(database, tmp_path / "bundle", RELOADED)
        machine = machine_of(database, tmp_path / "state")
        filled(database, database.data_directory, leaving_kib=1024)
        for script, value in (("apply.sh", "24MB"), ("rollback.sh", "4MB")):
            ran = machine.run(bundle / script)
            assert (ran.status, ran.err) == (DONE, "")
            assert database.query("SHOW work_mem") == value


@AS_ROOT
def test_case_88_on_a_disk_that_is_full_by_now_a_rollback_does_not_stop_the_server(
    database: Cluster, tmp_path: Path
) -> None:
    database.stop()
    with on_small_disk(database, database.data_directory, SMALL):
        database.start()
        bundle = bundle_for(database, tmp_path / "bundle", RESTARTED)
        machine = machine_of(database, tmp_path / "state")
        assert machine.run(bundle / "apply.sh").status == DONE
        since = started(database)
        ballast = filled(database, database.data_directory, leaving_kib=0)
        refused = machine.run(bundle / "rollback.sh")
        assert (refused.status, "With --no-restart" in refused.err) == (REFUSED, True), refused.said
        assert (database.data_directory / DROP_IN).exists()
        fired = machine.run(bundle / "rollback.sh", "--unless-confirmed")
        assert (fired.status, "as it was before" in fired.said) == (NOT_RESTORED, False), fired.said
        assert "Waiting for its restart: shared_buffers" in fired.err
        assert (started(database), database.query("SHOW work_mem")) == (since, "4MB")
        ballast.unlink()
        finished = machine.run(bundle / "rollback.sh")
        assert (finished.status, finished.err) == (DONE, "")
        assert database.query("SHOW shared_buffers") == "128MB"

"""The write-ahead log on another file system: moved, verified, confirmed, brought back as it is."""

import json
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from pretend_root import entry
from small_host import put_program
from tools_here import needs
from wal_machine import FAILED, OLD, REFUSED, TARGET, WalMachine, cannot_mount

pytestmark = [needs("mount", "umount"), pytest.mark.skipif(bool(cannot_mount()), reason=cannot_mount())]


def shape(path: Path) -> tuple[int, int, int]:
    about = path.lstat()
    return stat.S_IFMT(about.st_mode) | stat.S_IMODE(about.st_mode), about.st_uid, about.st_gid


def test_the_log_moves_is_verified_and_comes_back_with_what_was_written_since(wal_host: WalMachine) -> None:
    before, was, bundle = sorted(wal_host.places()), shape(wal_host.log), wal_host.bundle()
    wal_host.write_row(1)
    applied = wal_host.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert wal_host.is_moved
    assert shape(wal_host.target) == was
    assert f"rm -r /data/{OLD}" in applied.out
    assert wal_host.run(bundle / "verify.sh").status == 0
    wal_host.write_row(2)
    wal_host.crash_and_start()
    assert wal_host.rows() == "1 2"
    restored = wal_host.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    wal_host.crash_and_start()
    assert wal_host.rows() == "1 2"
    assert (sorted(wal_host.places()), shape(wal_host.log)) == (before, was)
    assert wal_host.run(bundle / "rollback.sh").status == 3


@pytest.mark.slow
@pytest.mark.parametrize("then", ["true", "rm -rf {}"], ids=["", "and the new disk lost it"])
def test_a_server_that_does_not_come_up_has_its_log_back_at_once(then: str, wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    wal_host.write_row(1)
    wal_host.when_owner_runs(
        "pg_ctl -s restart", f"[ ! -L {wal_host.log} ] || {{ {then.format(wal_host.target)}; exit 1; }}"
    )
    ran = wal_host.run(bundle / "apply.sh")
    assert ran.status == FAILED, ran.said
    assert "the server did not come up" in ran.err
    assert wal_host.rows() == "1"
    assert sorted(wal_host.places()) == before


def test_a_setting_that_loses_is_found_before_the_server_is_stopped(wal_host: WalMachine) -> None:
    wal_host.cluster.run("mkdir", wal_host.cluster.data_directory / "conf.d")
    with wal_host.cluster.config_file.open("a") as config:
        config.write("include_dir = 'conf.d'\nwork_mem = '4MB'\n")
    before, bundle = sorted(wal_host.places()), wal_host.bundle(work_mem="24MB")
    started = wal_host.cluster.query("SELECT pg_postmaster_start_time()")
    ran = wal_host.run(bundle / "apply.sh")
    assert (ran.status, "another line overrides ours" in ran.err) == (FAILED, True), ran.said
    assert "Everything is as it was before." in ran.err
    assert wal_host.cluster.query("SELECT pg_postmaster_start_time()") == started
    assert sorted(wal_host.places()) == before
    assert not list((wal_host.cluster.data_directory / "conf.d").iterdir())


def test_a_dry_run_tells_it_and_changes_nothing(wal_host: WalMachine) -> None:
    before = sorted(wal_host.places())
    ran = wal_host.run(wal_host.bundle() / "apply.sh", "--dry-run")
    assert ran.status == 0, ran.said
    assert f"copy /data/pg_wal to {TARGET}, compare, and put a link in its place" in ran.out
    assert sorted(wal_host.places()) == before


@pytest.mark.slow
def test_a_log_that_someone_moved_on_since_is_left_alone_and_listed(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.cluster.stop()
    elsewhere = wal_host.machine.path("/disk/elsewhere")
    wal_host.target.rename(elsewhere)
    wal_host.log.unlink()
    wal_host.log.symlink_to(elsewhere)
    wal_host.cluster.start()
    wal_host.write_row(1)
    ran = wal_host.run(bundle / "rollback.sh")
    assert (ran.status, "/data/pg_wal" in ran.err) == (REFUSED, True), ran.said
    assert wal_host.run(bundle / "verify.sh").status == 1
    assert wal_host.log.readlink() == elsewhere
    wal_host.crash_and_start()
    assert wal_host.rows() == "1"


@pytest.mark.slow
def test_a_disk_that_is_not_mounted_keeps_the_rollback_from_losing_the_log(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.write_row(1)
    wal_host.cluster.stop()
    subprocess.run(
        ("mount", "--bind", wal_host.cluster.socket_directory, wal_host.machine.path("/disk")), check=True
    )
    try:
        ran = wal_host.run(bundle / "rollback.sh")
    finally:
        subprocess.run(("umount", wal_host.machine.path("/disk")), check=True)
    assert (ran.status, "is its file system mounted?" in ran.err) == (FAILED, True), ran.said
    assert wal_host.is_moved
    assert wal_host.run(bundle / "rollback.sh").status == 0
    wal_host.cluster.start()
    assert wal_host.rows() == "1"


@pytest.mark.slow
def test_a_server_that_was_down_has_its_log_moved_and_is_not_started(wal_host: WalMachine) -> None:
    wal_host.write_row(1)
    wal_host.cluster.stop()
    bundle = wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    assert (wal_host.is_moved, wal_host.cluster.is_running()) == (True, False)
    assert wal_host.run(bundle / "rollback.sh").status == 0
    assert (wal_host.is_moved, wal_host.cluster.is_running()) == (False, False)
    wal_host.cluster.start()
    assert wal_host.rows() == "1"


@pytest.mark.slow
def test_confirmed_the_old_log_goes_and_a_rollback_still_loses_nothing(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh", "--confirm-within", "5", "--watcher").status == 0
    assert (wal_host.cluster.data_directory / OLD).is_dir()
    wal_host.write_row(1)
    confirmed = wal_host.run(bundle / "apply.sh", "--confirm")
    assert confirmed.status == 0, confirmed.said
    assert not (wal_host.cluster.data_directory / OLD).exists()
    assert wal_host.run(bundle / "rollback.sh").status == 0
    wal_host.crash_and_start()
    assert wal_host.rows() == "1"


@pytest.mark.slow
def test_confirmed_while_the_server_is_down_the_old_log_stays_and_is_told(wal_host: WalMachine) -> None:
    wal_host.cluster.stop()
    bundle = wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh", "--confirm-within", "5", "--watcher").status == 0
    confirmed = wal_host.run(bundle / "apply.sh", "--confirm")
    assert confirmed.status == 0, confirmed.said
    assert (wal_host.cluster.data_directory / OLD).is_dir()
    assert f"rm -r /data/{OLD}" in confirmed.out


@needs("setfacl")
@pytest.mark.slow
def test_an_access_list_moves_with_it_and_comes_back(wal_host: WalMachine) -> None:
    names = ("archive_status", "archive_status/note")
    (wal_host.log / names[1]).touch()
    shutil.chown(wal_host.log / names[1], wal_host.cluster.os_user, wal_host.cluster.os_user)
    for name in names:
        subprocess.run(("setfacl", "-m", "u:daemon:rX", wal_host.log / name), check=True)
    before, bundle = [entry(wal_host.log / name) for name in names], wal_host.bundle()
    assert any(item.attributes for item in before)
    assert wal_host.run(bundle / "apply.sh").status == 0
    assert [entry(wal_host.target / name) for name in names] == before
    assert wal_host.run(bundle / "rollback.sh").status == 0
    assert [entry(wal_host.log / name) for name in names] == before


@pytest.mark.slow
def test_without_room_for_the_way_back_the_server_is_not_stopped(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.write_row(1)
    started = wal_host.cluster.query("SELECT pg_postmaster_start_time()")
    put_program(wal_host.machine, "df", "#!/bin/sh\necho h\necho /dev/sda1 9999999 1 1024 99% /\n")
    ran = wal_host.run(bundle / "rollback.sh")
    wal_host.disarm()
    assert (ran.status, "MiB, and 1 MiB are free there" in ran.err) == (FAILED, True), ran.said
    assert wal_host.cluster.query("SELECT pg_postmaster_start_time()") == started
    assert wal_host.run(bundle / "rollback.sh").status == 0
    wal_host.crash_and_start()
    assert wal_host.rows() == "1"


@pytest.mark.slow
def test_where_the_log_lies_is_told_for_programs_too(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    assert wal_host.run(bundle / "verify.sh").status == 1
    assert wal_host.run(bundle / "apply.sh").status == 0
    (item,) = json.loads(wal_host.run(bundle / "verify.sh", "--json").out)["items"]
    assert {name: item[name] for name in ("kind", "name", "planned", "running", "configured")} == {
        "kind": "wal",
        "name": "/data/pg_wal",
        "planned": TARGET,
        "running": TARGET,
        "configured": TARGET,
    }
    assert item["remark"] == f"the old log is kept: rm -r /data/{OLD}"

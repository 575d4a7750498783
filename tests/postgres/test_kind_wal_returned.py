"""The log on its way back: killed anywhere, without room, without a restart, and nothing is lost."""

import shutil

import pytest

from small_host import put_program
from wal_machine import FAILED, OLD, REFUSED, WalMachine, cannot_mount

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(cannot_mount()), reason=cannot_mount())]

MOMENTS = (
    "rm -rf {log}.tunewiz-part",
    "cp -a",
    "mv -T {log}.tunewiz-part",
    "rm -rf {log}.tunewiz-old",
    "-- rm {log}",
    "mv -T {log}.tunewiz-back {log}",
    "-mindepth 1 -delete",
)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_rollback_that_was_killed_is_finished_by_the_next(moment: str, wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.write_row(1)
    wal_host.kill_when_owner_runs(moment.format(log=wal_host.log))
    assert wal_host.run(bundle / "rollback.sh").status != 0
    wal_host.disarm()
    assert wal_host.run(bundle / "apply.sh").status == REFUSED
    ran = wal_host.run(bundle / "rollback.sh")
    assert ran.status == 0, ran.said
    wal_host.crash_and_start()
    assert (wal_host.rows(), sorted(wal_host.places())) == ("1", before)


def test_a_server_that_someone_made_run_in_between_keeps_what_it_wrote(wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.write_row(1)
    wal_host.kill_when_owner_runs(f"mv -T {wal_host.log}.tunewiz-back {wal_host.log}")
    wal_host.run(bundle / "rollback.sh")
    wal_host.disarm()
    assert not wal_host.log.exists()
    wal_host.log.symlink_to(wal_host.target)
    wal_host.cluster.start()
    wal_host.write_row(2)
    wal_host.cluster.stop()
    wal_host.log.unlink()
    ran = wal_host.run(bundle / "rollback.sh")
    assert ran.status == 0, ran.said
    wal_host.crash_and_start()
    assert (wal_host.rows(), sorted(wal_host.places())) == ("1 2", before)


def test_it_comes_back_neither_on_a_dry_run_nor_without_a_restart(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    places, started = sorted(wal_host.places()), wal_host.cluster.query("SELECT pg_postmaster_start_time()")
    ran = wal_host.run(bundle / "rollback.sh", "--dry-run")
    assert (ran.status, "move the log as it is now back" in ran.out) == (0, True), ran.said
    ran = wal_host.run(bundle / "rollback.sh", "--no-restart")
    assert (ran.status, "can be moved back only while the server is stopped" in ran.err) == (FAILED, True), (
        ran.said
    )
    assert sorted(wal_host.places()) == places
    assert wal_host.cluster.query("SELECT pg_postmaster_start_time()") == started
    assert wal_host.run(bundle / "rollback.sh").status == 0
    assert not wal_host.is_moved


def test_a_server_that_cannot_be_stopped_keeps_both(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.write_row(1)
    places = sorted(wal_host.places())
    wal_host.when_owner_runs("pg_ctl stop", "exit 1")
    ran = wal_host.run(bundle / "rollback.sh")
    wal_host.disarm()
    assert (ran.status, "the server does not stop" in ran.err) == (FAILED, True), ran.said
    assert (wal_host.rows(), sorted(wal_host.places())) == ("1", places)


def test_where_room_lacks_the_log_of_the_past_makes_it(wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.write_row(1)
    free = f"$([ -d {wal_host.cluster.data_directory / OLD} ] && echo 1024 || echo 9999999)"
    put_program(wal_host.machine, "df", f"#!/bin/sh\necho h\necho /dev/sda1 9999999 1 {free} 99% /\n")
    ran = wal_host.run(bundle / "rollback.sh")
    wal_host.disarm()
    assert ran.status == 0, ran.said
    wal_host.crash_and_start()
    assert (wal_host.rows(), sorted(wal_host.places())) == ("1", before)


def test_a_log_that_was_not_used_since_is_put_back_as_it_is(wal_host: WalMachine) -> None:
    wal_host.cluster.stop()
    before, log, bundle = sorted(wal_host.places()), wal_host.log.stat().st_ino, wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.kill_when_owner_runs("-mindepth 1 -delete")
    assert wal_host.run(bundle / "rollback.sh").status != 0
    wal_host.disarm()
    assert wal_host.run(bundle / "rollback.sh").status == 0
    assert wal_host.log.lstat().st_ino == log
    assert sorted(wal_host.places()) == before


@pytest.mark.parametrize("place", ["absent", "empty"])
def test_a_log_that_someone_brought_back_by_hand_is_as_before(place: str, wal_host: WalMachine) -> None:
    if place == "empty":
        wal_host.target.mkdir(mode=0o700)
        shutil.chown(wal_host.target, wal_host.cluster.os_user, wal_host.cluster.os_user)
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.write_row(1)
    wal_host.cluster.stop()
    wal_host.log.unlink()
    log, target = wal_host.log, wal_host.target
    wal_host.cluster.run("sh", "-c", f"rm -r {log}.tunewiz-old && cp -a {target} {log}")
    shutil.rmtree(target)
    if place == "empty":
        target.mkdir(mode=0o700)
    wal_host.cluster.start()
    ran = wal_host.run(bundle / "rollback.sh")
    assert (ran.status, ran.err) == (0, "")
    assert (wal_host.rows(), sorted(wal_host.places())) == ("1", before)


def test_of_a_log_that_someone_brought_back_what_was_left_is_named(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.cluster.stop()
    wal_host.log.unlink()
    wal_host.cluster.run("cp", "-a", wal_host.target, wal_host.log)
    places = sorted(wal_host.places())
    ran = wal_host.run(bundle / "rollback.sh")
    assert (ran.status, "a directory again, and something in /disk/wal" in ran.err) == (REFUSED, True), (
        ran.said
    )
    assert sorted(wal_host.places()) == places


def test_a_link_that_was_not_used_yet_goes_though_the_new_place_is_gone(wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    wal_host.kill_when_owner_runs(f"mv -T {wal_host.log} ")
    assert wal_host.run(bundle / "apply.sh").status < 0
    wal_host.disarm()
    shutil.rmtree(wal_host.target)
    ran = wal_host.run(bundle / "rollback.sh")
    assert (ran.status, ran.err) == (0, "")
    assert sorted(wal_host.places()) == before

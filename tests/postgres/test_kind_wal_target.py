"""The place that the log goes to: made or there already, with room, and still nobody else's."""

import shutil
import subprocess
from pathlib import Path

import pytest

from faulty_programs import at_journal, shim
from wal_machine import FAILED, OLD, REFUSED, TARGET, WalMachine, cannot_mount

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(cannot_mount()), reason=cannot_mount())]

MAX_WAL_SIZE = 64


def give(path: Path, wal_host: WalMachine) -> None:
    shutil.chown(path, wal_host.cluster.os_user, wal_host.cluster.os_user)


def test_an_empty_directory_that_is_there_already_is_used_and_left_as_it_was(wal_host: WalMachine) -> None:
    wal_host.target.parent.chmod(0o1777)
    wal_host.target.mkdir(mode=0o700)
    give(wal_host.target, wal_host)
    # As `initdb -g` makes them.
    for path in (wal_host.cluster.data_directory, wal_host.log):
        path.chmod(0o750)
    was, bundle = wal_host.target.lstat(), wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    assert wal_host.is_moved
    assert wal_host.run(bundle / "rollback.sh").status == 0
    now = wal_host.target.lstat()
    assert (now.st_ino, now.st_mode, now.st_uid) == (was.st_ino, was.st_mode, was.st_uid)
    assert not list(wal_host.target.iterdir())


def test_below_a_directory_of_the_servers_owner_root_gives_nothing_away(wal_host: WalMachine) -> None:
    give(wal_host.target.parent, wal_host)
    shim(wal_host.machine, "chown", "exit 1")
    ran = wal_host.run(wal_host.bundle() / "apply.sh")
    assert (ran.status, wal_host.is_moved) == (0, True), ran.said


def test_what_someone_puts_there_meanwhile_stops_the_move_and_stays(wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    wal_host.write_row(1)
    owner = wal_host.cluster.os_user
    at_journal(
        wal_host.machine,
        "server stopping",
        f"install -d -o {owner} -m 0700 {wal_host.target} && touch {wal_host.target}/theirs",
    )
    ran = wal_host.run(bundle / "apply.sh")
    assert (ran.status, "is not empty any more" in ran.err) == (FAILED, True), ran.said
    assert sorted(wal_host.places()) == [*before, str(wal_host.target), str(wal_host.target / "theirs")]
    assert wal_host.rows() == "1"


def test_everything_is_on_disk_before_the_old_log_goes(wal_host: WalMachine) -> None:
    synced, bundle = wal_host.cluster.directory / "synced", wal_host.bundle()
    synced.touch()
    synced.chmod(0o666)
    shim(wal_host.machine, "sync", f'printf "%s\\n" "$@" >>{synced}\nexec /bin/sync "$@"')
    wal_host.when_owner_runs(f"mv -T {wal_host.log} ", f"cp {synced} {synced}.then; chmod 0644 {synced}.then")
    assert wal_host.run(bundle / "apply.sh").status == 0
    then = set(Path(f"{synced}.then").read_text().splitlines())
    old = wal_host.cluster.data_directory / OLD
    copied = {str(wal_host.target / path.relative_to(old)) for path in old.rglob("*")}
    assert {f"{wal_host.target.parent}/", str(wal_host.target), *copied} <= then


def test_the_room_that_is_asked_for_is_what_it_holds_what_it_may_grow_to_and_a_sixteenth(
    wal_host: WalMachine,
) -> None:
    stdout = subprocess.run(("du", "-sk", wal_host.log), capture_output=True, text=True, check=True).stdout
    need = int(stdout.split()[0]) // 1024 + 1 + MAX_WAL_SIZE
    need += need // 16
    bundle = wal_host.bundle()
    for free, status in ((need - 1, REFUSED), (need, 0)):
        shim(wal_host.machine, "df", f"echo h; echo /dev/x 9999999 1 {free * 1024} 99% /")
        ran = wal_host.run(bundle / "apply.sh", "--dry-run")
        assert ran.status == status, ran.said
        said = f"{TARGET}: may need {need} MiB, and {free} MiB are free there"
        assert (said in ran.err) == (status == REFUSED)


def test_the_room_is_counted_for_a_server_that_is_down_too(wal_host: WalMachine) -> None:
    wal_host.cluster.stop()
    bundle = wal_host.bundle()
    shim(wal_host.machine, "df", f"echo h; echo /dev/x 9999999 1 {MAX_WAL_SIZE * 1024} 99% /")
    ran = wal_host.run(bundle / "apply.sh")
    assert (ran.status, "MiB are free there" in ran.err) == (REFUSED, True), ran.said
    assert not list(wal_host.target.parent.iterdir())

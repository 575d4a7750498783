"""A move of the log that fails or is killed on the way: nothing that was committed is lost."""

import shutil

import pytest

from wal_machine import FAILED, REFUSED, WalMachine, cannot_mount

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(cannot_mount()), reason=cannot_mount())]


FAULTS_ON_THE_WAY = {
    "the disk is full": ("mkdir -m 0700", "{fill}", "No space left on device"),
    "the copy is not the same": ("sha256sum", "truncate -s 15M {target}/0*", "is not the same"),
    "someone starts the server": ("ln -s", "{start}", "someone started the server"),
    "the link cannot be made": ("ln -s", "exit 1", "FAILED: /data/pg_wal"),
    "the old log cannot be renamed": ("mv -T", "exit 1", "FAILED: /data/pg_wal"),
    "someone crashes the server": ("pg_ctl stop", "{crash}", "was not shut down cleanly"),
    "the server is not stopped": ("pg_ctl stop", "exit 1", "the server does not stop"),
}


@pytest.mark.parametrize("case", FAULTS_ON_THE_WAY)
def test_what_fails_on_the_way_is_undone_and_the_server_runs(case: str, wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    wal_host.write_row(1)
    words, command, said = FAULTS_ON_THE_WAY[case]
    deeds = {"fill": filling(wal_host), "start": starting(wal_host), "crash": crashing(wal_host)}
    wal_host.when_owner_runs(words, command.format(target=wal_host.target, **deeds))
    ran = wal_host.run(bundle / "apply.sh")
    wal_host.machine.path("/disk/full").unlink(missing_ok=True)
    assert (ran.status, said in ran.err) == (FAILED, True), ran.said
    assert not wal_host.log.is_symlink()
    wal_host.crash_and_start()
    assert wal_host.rows() == "1"
    assert "cannot overwrite" not in ran.err
    if case == "someone starts the server":
        # Its log was not moved; the copy is left for a person to look at.
        assert "left alone, changed by someone else since: /data/pg_wal" in ran.err
    else:
        assert "Everything is as it was before" in ran.err
        assert sorted(wal_host.places()) == before


def test_a_kill_in_the_middle_of_the_copy_is_taken_back_and_the_copy_begun_anew(wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    wal_host.write_row(1)
    half = f"head -c 5000000 {wal_host.log}/0*1 >{wal_host.target}/half"
    for then in ("rollback.sh", "apply.sh"):
        wal_host.kill_when_owner_runs("cp -a", half)
        wal_host.run(bundle / "apply.sh")
        wal_host.disarm()
        assert (wal_host.log.is_symlink(), wal_host.target.is_dir()) == (False, True)
        assert wal_host.run(bundle / then).status == 0
        assert wal_host.rows() == "1"
    assert wal_host.is_moved
    assert not (wal_host.target / "half").exists()
    assert wal_host.run(bundle / "rollback.sh").status == 0
    wal_host.crash_and_start()
    assert (wal_host.rows(), sorted(wal_host.places())) == ("1", before)


def test_a_place_that_serves_another_by_now_is_not_emptied(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    wal_host.kill_when_owner_runs("cp -a")
    wal_host.run(bundle / "apply.sh")
    wal_host.disarm()
    wal_host.cluster.start()
    shutil.rmtree(wal_host.target)
    wal_host.target.mkdir(0o700)
    (wal_host.target / "another's").touch()
    ran = wal_host.run(bundle / "rollback.sh")
    assert (ran.status, "a copy in" in ran.err) == (REFUSED, True), ran.said
    assert (wal_host.target / "another's").exists()


def filling(wal_host: WalMachine) -> str:
    disk = wal_host.machine.path("/disk")
    return f"fallocate -l $(($(df -Pk {disk} | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4) - 8192))K {disk}/full"


def starting(wal_host: WalMachine) -> str:
    return as_its_owner(wal_host, "start -w -l /dev/null")


def crashing(wal_host: WalMachine) -> str:
    return as_its_owner(wal_host, "stop -w -m immediate")


def as_its_owner(wal_host: WalMachine, words: str) -> str:
    cluster = wal_host.cluster
    control = f"{cluster.programs.bin_directory}/pg_ctl {words} -D {cluster.data_directory}"
    return f"{shutil.which('runuser')} -u {cluster.os_user} -- {control} >/dev/null"


def test_a_server_that_someone_starts_on_the_way_back_keeps_its_log(wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.write_row(1)
    wal_host.when_owner_runs(f"rm -rf {wal_host.log}.tunewiz-old", starting(wal_host))
    ran = wal_host.run(bundle / "rollback.sh")
    wal_host.disarm()
    assert (ran.status, "someone started the server" in ran.err) == (FAILED, True), ran.said
    assert wal_host.is_moved
    wal_host.write_row(2)
    assert wal_host.run(bundle / "rollback.sh").status == 0
    wal_host.crash_and_start()
    assert (wal_host.rows(), sorted(wal_host.places())) == ("1 2", before)


MOMENTS = {
    "before the link is made": ("ln -s", ":"),
    "between the two renames": ("pg_wal.tunewiz-link {log}", ":"),
    "after both": ("pg_wal.tunewiz-link {log}", "mv -T {log}.tunewiz-link {log}"),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_apply_that_was_killed_while_it_switched_is_finished_by_the_next(
    moment: str, wal_host: WalMachine
) -> None:
    words, command = (text.format(log=wal_host.log) for text in MOMENTS[moment])
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    wal_host.write_row(1)
    wal_host.kill_when_owner_runs(words, command)
    wal_host.run(bundle / "apply.sh")
    wal_host.disarm()
    assert not wal_host.cluster.is_running()
    ran = wal_host.run(bundle / "apply.sh")
    assert (ran.status, wal_host.is_moved) == (0, True), ran.said
    assert wal_host.rows() == "1"
    assert wal_host.run(bundle / "rollback.sh").status == 0
    wal_host.crash_and_start()
    assert (wal_host.rows(), sorted(wal_host.places())) == ("1", before)


@pytest.mark.timeout(1200)
def test_a_kill_at_any_call_of_an_apply_loses_nothing(wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    wal_host.strike(0, once="intent")
    assert wal_host.run(bundle / "apply.sh").status == 0
    calls = wal_host.calls()
    assert wal_host.run(bundle / "rollback.sh").status == 0
    for at in range(1, calls + 1):
        wal_host.write_row(at)
        wal_host.strike(at, once="intent")
        wal_host.run(bundle / "apply.sh")
        wal_host.disarm()
        back = wal_host.run(bundle / "rollback.sh")
        assert back.status in {0, 3}, f"killed at call {at}: {back.said}"
        assert sorted(wal_host.places()) == before, f"killed at call {at}: {back.said}"
        wal_host.crash_and_start()
        assert wal_host.rows() == " ".join(map(str, range(1, at + 1))), f"killed at call {at}: {back.said}"


@pytest.mark.timeout(1200)
def test_a_kill_at_any_call_of_a_rollback_loses_nothing(wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    assert wal_host.run(bundle / "apply.sh").status == 0
    wal_host.crash_and_start()
    wal_host.strike(0, once="undo")
    assert wal_host.run(bundle / "rollback.sh").status == 0
    calls = wal_host.calls()
    wal_host.disarm()
    for at in range(1, calls + 1):
        assert wal_host.run(bundle / "apply.sh").status == 0
        wal_host.write_row(at)
        wal_host.strike(at, once="undo")
        wal_host.run(bundle / "rollback.sh")
        wal_host.disarm()
        back = wal_host.run(bundle / "rollback.sh")
        assert back.status in {0, 3}, f"killed at call {at}: {back.said}"
        assert sorted(wal_host.places()) == before, f"killed at call {at}: {back.said}"
        wal_host.crash_and_start()
        assert wal_host.rows() == " ".join(map(str, range(1, at + 1))), f"killed at call {at}: {back.said}"

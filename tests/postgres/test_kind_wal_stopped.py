"""The server is stopped for its log: until the last process of it has ended, and no longer than needed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from small_host import put_program
from wal_machine import FAILED, WalMachine, cannot_mount

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(cannot_mount()), reason=cannot_mount())]


def namesake(wal_host: WalMachine) -> Path:
    """A program that is called as the server's is, and waits."""
    return Path(shutil.copy("/bin/sleep", wal_host.cluster.directory / "postgres"))


def test_what_was_left_behind_is_waited_for(wal_host: WalMachine) -> None:
    wal_host.write_row(1)
    data, program = wal_host.cluster.data_directory, namesake(wal_host)
    wal_host.when_owner_runs("pg_ctl stop", f"(cd {data} && exec {program} 5 >/dev/null 2>&1 &)")
    ran = wal_host.run(wal_host.bundle() / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert (wal_host.is_moved, wal_host.rows()) == (True, "1")


def test_what_stays_keeps_the_log_where_it_is(wal_host: WalMachine) -> None:
    before, bundle = sorted(wal_host.places()), wal_host.bundle()
    wal_host.write_row(1)
    put_program(wal_host.machine, "sleep", "#!/bin/sh\n")
    with subprocess.Popen((namesake(wal_host), "100"), cwd=wal_host.cluster.data_directory) as left:
        ran = wal_host.run(bundle / "apply.sh")
        left.kill()
    assert (ran.status, "the server does not stop: " in ran.err) == (FAILED, True), ran.said
    assert (wal_host.rows(), sorted(wal_host.places())) == ("1", before)


def test_what_can_be_written_before_is_not_waited_for(wal_host: WalMachine) -> None:
    wal_host.cluster.query("ALTER SYSTEM SET log_checkpoints = on")
    wal_host.cluster.restart()
    assert wal_host.run(wal_host.bundle() / "apply.sh").status == 0
    log = Path(wal_host.cluster.log_file).read_text()
    assert log.rindex("checkpoint starting: immediate force wait") < log.rindex("received fast shutdown")

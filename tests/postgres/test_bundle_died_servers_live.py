"""A server that crashed or died with a change: an automatic rollback does not leave it so."""

import os
import signal
import threading
import time
from pathlib import Path

import psycopg
import pytest

from history_scripts import processes_in
from killed_servers import kill_server, postmaster_of, start_after_kill
from pretend_root import PretendRoot, Ran
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, machine_of
from waiting import until
from watched_changes import once_applied

pytestmark = pytest.mark.slow

UNCONFIRMED = ("--confirm-within", "5", "--watcher")
GUARDED = (*UNCONFIRMED, "--guard", "--guard-baseline", "12", "--guard-window", "24")
SECONDS_OF_RECOVERY = 8
RELOADING = "received SIGHUP"


class Applied:
    """A change that waits for its confirmation."""

    def __init__(self, cluster: Cluster, tmp_path: Path, *options: str) -> None:
        self.cluster = cluster
        self.machine = machine_of(cluster, tmp_path / "state")
        self.bundle = bundle_for(cluster, tmp_path / "bundle", {"pg.work_mem": "24MB"})
        ran = self.machine.run(self.bundle / "apply.sh", *UNCONFIRMED, *options)
        assert ran.status == 0, ran.said
        assert cluster.query("SHOW work_mem") == "24MB"

    def roll_back(self, *options: str) -> Ran:
        """As the deadline does with --unless-confirmed."""
        return self.machine.run(self.bundle / "rollback.sh", *options)

    def is_undone(self) -> bool:
        """In the files."""
        return not (self.cluster.data_directory / DROP_IN).exists()


def test_case_143_a_deadline_starts_a_server_that_died_with_its_former_values(
    database: Cluster, tmp_path: Path
) -> None:
    applied = Applied(database, tmp_path)
    kill_server(database)
    ran = applied.roll_back("--unless-confirmed")
    assert (ran.status, ran.err) == (0, ""), ran.said
    assert "The server was not stopped, it died: starting it with its former files." in ran.out
    assert applied.is_undone()
    assert database.query("SHOW work_mem") == "4MB"


def test_a_deadline_leaves_a_server_down_that_somebody_has_stopped(database: Cluster, tmp_path: Path) -> None:
    applied = Applied(database, tmp_path)
    database.stop(mode="immediate")
    ran = applied.roll_back("--unless-confirmed")
    assert (ran.status, ran.err) == (0, ""), ran.said
    assert "someone else has stopped it since" in ran.out
    assert applied.is_undone()
    assert not database.is_running()


@pytest.mark.parametrize(
    "options", [(), ("--unless-confirmed", "--no-restart")], ids=["by hand", "no restart"]
)
def test_who_rolls_back_by_hand_or_wants_no_restart_starts_a_server_that_died(
    options: tuple[str, ...], database: Cluster, tmp_path: Path
) -> None:
    applied = Applied(database, tmp_path, *options[1:])
    kill_server(database)
    ran = applied.roll_back(*options)
    assert (ran.status, ran.err) == (0, ""), ran.said
    assert "it was not started" in ran.out
    assert applied.is_undone()
    assert postmaster_of(database) is None
    start_after_kill(database)
    assert database.query("SHOW work_mem") == "4MB"


def test_the_guard_starts_a_server_that_was_killed_with_its_former_values(
    database: Cluster, tmp_path: Path
) -> None:
    machine = machine_of(database, tmp_path / "state")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    with once_applied(machine, lambda: kill_server(database)):
        ran = machine.run(bundle / "apply.sh", *GUARDED)
    assert ran.status == 5, ran.said
    assert "UNHEALTHY: the server is down." in ran.err
    assert "starting it with its former files" in ran.out
    assert "Rolled back by the guard" in ran.err
    assert database.query("SHOW work_mem") == "4MB"
    assert not (machine.state / "pending").exists()


def startup_process(cluster: Cluster) -> int | None:
    """What replays the log."""
    for process in processes_in(cluster.data_directory):
        try:
            command = Path(f"/proc/{process}/cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if b"startup" in command:
            return process
    return None


class HeldRecovery:
    """A crash whose recovery takes seconds: the process that recovers is stopped meanwhile."""

    def __init__(self, cluster: Cluster) -> None:
        cluster.query("CREATE TABLE things AS SELECT generate_series(1, 200000) AS n")
        session = int(cluster.query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"))
        os.kill(session, signal.SIGKILL)
        end = time.monotonic() + 20
        while (recovering := startup_process(cluster)) is None:
            assert time.monotonic() < end, "no recovery was seen"
        os.kill(recovering, signal.SIGSTOP)
        self.process = recovering
        self.later = threading.Timer(SECONDS_OF_RECOVERY, os.kill, (recovering, signal.SIGCONT))
        self.later.start()


def test_a_recovering_server_is_told_its_former_values_at_once_and_waited_for(
    database: Cluster, tmp_path: Path
) -> None:
    applied = Applied(database, tmp_path)
    held = HeldRecovery(database)
    ran = applied.roll_back("--unless-confirmed")
    held.later.join()
    assert (ran.status, ran.err) == (0, ""), ran.said
    assert "The server is recovering: it is told to read its former files, and waited for." in ran.out
    assert database.query("SHOW work_mem") == "4MB"
    assert 'parameter "work_mem" removed from configuration file' in database.log_file.read_text()


def test_a_dry_run_tells_a_recovering_server_nothing_and_does_not_wait(
    database: Cluster, tmp_path: Path
) -> None:
    applied = Applied(database, tmp_path)
    reloads = database.log_file.read_text().count(RELOADING)
    held = HeldRecovery(database)
    ran = applied.roll_back("--dry-run")
    assert held.later.is_alive()
    held.later.join()
    assert "The server accepts no connection" in ran.err, ran.said
    assert "recovering" not in ran.out
    assert not applied.is_undone()
    assert database.log_file.read_text().count(RELOADING) == reloads


def machine_says_nothing_of_recovery(machine: PretendRoot, bundle: Path) -> bool:
    return "recovering" not in machine.run(bundle / "rollback.sh").said


def test_a_server_that_takes_connections_is_not_waited_for(database: Cluster, tmp_path: Path) -> None:
    applied = Applied(database, tmp_path)
    assert machine_says_nothing_of_recovery(applied.machine, applied.bundle)
    assert database.query("SHOW work_mem") == "4MB"


def test_by_hand_a_server_that_is_being_stopped_is_not_waited_for(database: Cluster, tmp_path: Path) -> None:
    applied = Applied(database, tmp_path)
    session = f"host={database.socket_directory} port={database.port} user=postgres dbname=postgres"
    with psycopg.connect(session):
        postmaster = postmaster_of(database)
        assert postmaster is not None
        # A smart shutdown waits for the sessions that are there.
        os.kill(postmaster, signal.SIGTERM)
        until(lambda: "stopping" in (database.data_directory / "postmaster.pid").read_text())
        began = time.monotonic()
        ran = applied.roll_back()
        assert time.monotonic() - began < SECONDS_OF_RECOVERY
    assert (ran.status, "The server accepts no connection" in ran.err) == (5, True), ran.said
    assert "it is shutting down: once it has ended, run rollback.sh again" in ran.err
    assert applied.is_undone()
    until(lambda: postmaster_of(database) is None)

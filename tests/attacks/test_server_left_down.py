"""A server that our own stop leaves down is not called restored, and the next rollback starts it."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from faulty_programs import shim
from pretend_root import PretendRoot
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, machine_of
from small_bundles import give_up_after

pytestmark = pytest.mark.slow

RESTORED, NOT_RESTORED = 0, 5
RESTARTED = {"pg.shared_buffers": "192MB"}


@contextmanager
def backend_that_does_not_end(database: Cluster) -> Generator[None]:
    """A session whose process is stopped: a server that shuts down waits for it."""
    session = subprocess.Popen(
        [
            *("runuser", "-u", database.os_user, "--", database.programs.psql, "-XAtq"),
            *("-h", database.socket_directory, "-p", str(database.port), "-d", "postgres"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert session.stdin is not None
    assert session.stdout is not None
    session.stdin.write("SELECT pg_backend_pid();\n")
    session.stdin.flush()
    backend = int(session.stdout.readline())
    os.kill(backend, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(backend, signal.SIGCONT)
        session.kill()
        session.communicate()


def in_a_hurry(machine: PretendRoot, bundle: Path) -> None:
    """A stop is given up after two seconds, and what is waited for takes no time."""
    give_up_after(bundle, 2)
    shim(machine, "sleep", "exec /bin/sleep 0.05")


def wait_for_the_end(database: Cluster) -> None:
    """A server that was told to stop, and whose last backend may go on, ends by itself."""
    for _ in range(200):
        if not database.is_running():
            return
        time.sleep(0.1)
    raise AssertionError("the server did not end")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root stops the processes of the server's owner")
@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh"])
def test_case_86_a_backend_that_does_not_end_leaves_the_stop_outstanding(
    script: str, database: Cluster, tmp_path: Path
) -> None:
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", RESTARTED),
        machine_of(database, tmp_path / "state"),
    )
    in_a_hurry(machine, bundle)
    if script == "rollback.sh":
        assert machine.run(bundle / "apply.sh").status == 0
    with backend_that_does_not_end(database):
        for now in (script, "rollback.sh"):
            ran = machine.run(bundle / now)
            assert (ran.status, "as it was before" in ran.said) == (NOT_RESTORED, False), ran.said
            assert "one of its processes does not end" in ran.err
        shutil.rmtree(machine.path("/usr"))
    wait_for_the_end(database)
    finished = machine.run(bundle / "rollback.sh")
    assert (finished.status, finished.err) == (RESTORED, "")
    assert database.query("SHOW shared_buffers") == "128MB"
    assert not (database.data_directory / DROP_IN).exists()

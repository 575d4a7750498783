"""A running server is found by its data directory itself, whatever its path and its number."""

import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from inherited_state import wait_until
from real_subject import MakeSubject, Subject
from tools_here import needs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can make namespaces and mounts"),
    needs("unshare", "mount", "setpriv"),
]

DONE, REFUSED = 0, 4
MEMORY = {"pg.work_mem": "24MB"}
BUFFERS = {"pg.shared_buffers": "192MB"}
IN_ITS_PROCESSES = (
    'exec unshare --pid --fork --kill-child "$0" --reuid={user} --clear-groups {postgres} -D {data}'
)
BY_ANOTHER_PATH = (
    "mkdir {beside} && mount --bind {data} {beside} &&"
    ' exec "$0" --reuid={user} --clear-groups {postgres} -D {beside}'
)


@contextmanager
def run_as(subject: Subject, how: str) -> Generator[None]:
    """The server, stopped before, as something else runs it."""
    cluster = subject.cluster
    words = how.format(
        user=cluster.os_user,
        postgres=cluster.programs.bin_directory / "postgres",
        data=cluster.data_directory,
        beside=cluster.directory / "beside",
    )
    with subprocess.Popen(
        ("unshare", "--mount", "sh", "-c", words, "setpriv"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
    ) as server:
        socket = cluster.socket_directory / f".s.PGSQL.{cluster.port}"
        wait_until(socket.exists)
        wait_until(lambda: (cluster.data_directory / "postmaster.pid").read_text().count("\n") >= 8)
        try:
            yield
        finally:
            server.kill()
    # Its number says nothing here, and pg_ctl would believe it.
    (cluster.data_directory / "postmaster.pid").unlink()


@pytest.mark.parametrize("how", [IN_ITS_PROCESSES, BY_ANOTHER_PATH], ids=["process numbers", "bind mount"])
def test_case_79_a_server_under_other_names_is_changed_and_taken_back(
    how: str, make_subject: MakeSubject
) -> None:
    subject = make_subject()
    before, bundle = subject.configuration(), subject.bundle(MEMORY)
    subject.cluster.stop()
    with run_as(subject, how):
        applied = subject.run(bundle / "apply.sh")
        assert (applied.status, "is down" in applied.said) == (DONE, False), applied.said
        assert subject.cluster.query("SHOW work_mem") == "24MB"
        rolled_back = subject.run(bundle / "rollback.sh")
        assert (rolled_back.status, "is down" in rolled_back.said) == (DONE, False), rolled_back.said
        assert subject.cluster.query("SHOW work_mem") == "4MB"
    assert subject.configuration() == before


def test_case_108_one_in_a_container_is_not_restarted_by_its_number_there(make_subject: MakeSubject) -> None:
    subject = make_subject()
    before, bundle = subject.configuration(), subject.bundle(BUFFERS)
    subject.cluster.stop()
    with run_as(subject, IN_ITS_PROCESSES):
        ran = subject.run(bundle / "apply.sh")
        assert (ran.status, "process numbers of its own" in ran.err) == (REFUSED, True), ran.said
        assert subject.cluster.query("SHOW shared_buffers") == "128MB"
    assert subject.configuration() == before


def test_case_58_a_number_that_a_crash_left_is_no_server(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle(MEMORY)
    subject.cluster.stop(mode="immediate")
    stale = subject.cluster.data_directory / "postmaster.pid"
    stale.write_text(f"1\n{subject.cluster.data_directory}\n1\n{subject.cluster.port}\n/nowhere\n")
    with subprocess.Popen(["sleep", "60"], cwd=subject.cluster.data_directory) as beside:
        ran = subject.run(bundle / "apply.sh")
        assert (ran.status, "The server is down" in ran.out) == (DONE, True), ran.said
        beside.kill()
    stale.unlink()

"""A server that something else starts again when it ends: that is asked, or the restart is refused."""

import os
import shutil
import signal
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from inherited_state import inherited, postmaster, wait_until
from pretend_root import PretendRoot
from real_postgres import Cluster
from real_subject import MakeSubject, Subject
from server_in_root import DROP_IN, bundle_for, machine_of

pytestmark = pytest.mark.slow

REFUSED = 4
BUFFERS = {"pg.shared_buffers": "192MB"}
ASKED = {"runsv": "sv", "s6-supervise": "s6-svc", "supervise": "svc"}
"""Supervisors, and the program by which each is asked."""


def server_command(cluster: Cluster) -> str:
    """The server in the foreground, as its owner."""
    become = (
        f"setpriv --reuid={cluster.os_user} --regid={cluster.os_user} --init-groups"
        if os.geteuid() == 0
        else ""
    )
    server = f"{cluster.programs.bin_directory}/postgres -D {cluster.data_directory}"
    return f"{become} {server} >>{cluster.log_file} 2>&1"


def answers(cluster: Cluster) -> bool:
    try:
        return cluster.query("SELECT 1") == "1"
    except AssertionError:
        return False


@contextmanager
def kept_by(cluster: Cluster, *command: str | Path) -> Generator[int]:
    """A supervisor has the server run; the number of the supervisor."""
    cluster.stop()
    with subprocess.Popen(
        command, cwd=cluster.directory, env={"PATH": os.environ["PATH"], **libraries()}
    ) as keeper:
        try:
            wait_until(lambda: answers(cluster))
            yield keeper.pid
        finally:
            keeper.send_signal(signal.SIGKILL)
            cluster.stop(mode="immediate")


def libraries() -> dict[str, str]:
    result = os.environ.get("LD_LIBRARY_PATH")
    return {"LD_LIBRARY_PATH": result} if result else {}


def untouched(subject: Subject) -> None:
    """Refused with and without a look only; what needs no restart is done."""
    bundle, before, number = subject.bundle(BUFFERS), subject.configuration(), postmaster(subject.cluster)
    for arguments in ((), ("--dry-run",), ("--confirm-within", "5", "--watcher")):
        ran = subject.run(bundle / "apply.sh", *arguments)
        assert (ran.status, "this script must not restart the server: process" in ran.err) == (
            REFUSED,
            True,
        ), ran.said
        assert (subject.configuration(), postmaster(subject.cluster)) == (before, number)
    assert subject.run(bundle / "apply.sh", "--no-restart").status == 0
    assert (
        subject.cluster.query("SELECT pending_restart FROM pg_settings WHERE name = 'shared_buffers'") == "t"
    )
    assert subject.run(bundle / "rollback.sh", "--no-restart").status == 0
    assert (subject.configuration(), postmaster(subject.cluster)) == (before, number)


def test_case_108_a_loop_that_starts_the_server_again_is_found_out_before(make_subject: MakeSubject) -> None:
    subject = make_subject()
    loop = f"while :; do {server_command(subject.cluster)}; sleep 1; done"
    with kept_by(subject.cluster, "sh", "-c", loop) as keeper:
        first = postmaster(subject.cluster)
        os.kill(first, signal.SIGINT)
        wait_until(lambda: answers(subject.cluster) and postmaster(subject.cluster) != first)
        assert Path(f"/proc/{keeper}").exists()
        untouched(subject)


def test_case_108_a_program_that_would_end_with_the_server_is_found_out_too(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    command = f"{server_command(subject.cluster)}; true"
    with kept_by(subject.cluster, "sh", "-c", command):
        untouched(subject)


def test_case_108_a_rollback_does_not_restart_what_a_loop_looks_after_since(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    bundle = subject.bundle(BUFFERS)
    assert subject.run(bundle / "apply.sh").status == 0
    with kept_by(
        subject.cluster, "sh", "-c", f"while :; do {server_command(subject.cluster)}; sleep 1; done"
    ):
        number = postmaster(subject.cluster)
        ran = subject.run(bundle / "rollback.sh")
        assert ran.status in {REFUSED, 5}
        assert "this script must not restart the server: process" in ran.err
        assert "Everything is as it was before" not in ran.said
        assert postmaster(subject.cluster) == number
        subject.run(bundle / "rollback.sh", "--no-restart")
        os.kill(number, signal.SIGINT)
        wait_until(lambda: answers(subject.cluster) and postmaster(subject.cluster) != number)
        assert subject.cluster.query("SHOW shared_buffers") == "128MB"
        assert subject.run(bundle / "rollback.sh").status == 0


@contextmanager
def supervised(cluster: Cluster, machine: PretendRoot, supervisor: str, directory: Path) -> Generator[Path]:
    """A real supervisor has the server run, and its program is one of the machine's."""
    if os.geteuid() != 0 or shutil.which(supervisor) is None:
        pytest.skip(f"{supervisor} is not installed here, or nobody is root")
    for name in (ASKED[supervisor],):
        which = shutil.which(name)
        assert which is not None
        machine.path("/usr/bin").mkdir(parents=True, exist_ok=True)
        machine.path(f"/usr/bin/{name}").symlink_to(which)
    service = directory / "service"
    service.mkdir()
    (service / "run").write_text(f"#!/bin/sh\nMARK=1 exec nice -n 3 {server_command(cluster)}\n")
    (service / "run").chmod(0o755)
    with kept_by(cluster, supervisor, service):
        yield service


@pytest.mark.parametrize("supervisor", ASKED)
def test_case_109_a_supervisor_that_can_be_asked_restarts_the_server_itself(
    supervisor: str, database: Cluster, tmp_path: Path
) -> None:
    machine = machine_of(database, tmp_path / "state")
    bundle = bundle_for(database, tmp_path / "bundle", BUFFERS)
    with supervised(database, machine, supervisor, tmp_path) as service:
        before = inherited(postmaster(database))
        for script, buffers in (("apply.sh", "192MB"), ("rollback.sh", "128MB")):
            number = postmaster(database)
            ran = machine.run(bundle / script)
            assert (ran.status, ran.err) == (0, ""), ran.err
            assert f"restart the server ({ASKED[supervisor]}, {service})" in ran.out
            assert database.query("SHOW shared_buffers") == buffers
            assert postmaster(database) != number
            assert parent(postmaster(database)) == supervisor
            assert lasting(inherited(postmaster(database))) == lasting(before)
        assert not (database.data_directory / DROP_IN).exists()


def lasting(results: Mapping[str, str]) -> Mapping[str, str]:
    return {name: text for name, text in results.items() if name != "environ"}


def parent(number: int) -> str:
    """What the parent of a process is called."""
    above = Path(f"/proc/{number}/stat").read_text().rpartition(") ")[2].split()[1]
    return Path(f"/proc/{above}/comm").read_text().strip()


@pytest.mark.parametrize("supervisor", ASKED)
def test_case_109_a_supervisor_without_its_program_is_named(
    supervisor: str, database: Cluster, tmp_path: Path
) -> None:
    machine = machine_of(database, tmp_path / "state")
    bundle = bundle_for(database, tmp_path / "bundle", BUFFERS)
    if shutil.which(ASKED[supervisor], path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"):
        pytest.skip("its program is one of this machine's")
    with supervised(database, machine, supervisor, tmp_path):
        machine.path(f"/usr/bin/{ASKED[supervisor]}").unlink()
        ran = machine.run(bundle / "apply.sh")
        assert (ran.status, f"and its {ASKED[supervisor]} was not found" in ran.err) == (REFUSED, True)
        assert not (database.data_directory / DROP_IN).exists()

"""A server that is restarted keeps nothing of whoever called the script."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from real_postgres import Cluster
from real_subject import MakeSubject, Subject
from tools_here import need

IGNORED = (signal.SIGHUP, signal.SIGPIPE, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGTTOU)


def postmaster(cluster: Cluster) -> Path:
    """Its place below /proc."""
    pid = (cluster.data_directory / "postmaster.pid").read_text().split("\n", 1)[0]
    return Path("/proc") / pid


def ignored(cluster: Cluster) -> str:
    """The signals that the first process ignores, as the kernel tells them."""
    lines = (postmaster(cluster) / "status").read_text().splitlines()
    return next(line for line in lines if line.startswith("SigIgn:"))


def ignore_signals() -> None:
    for signal_number in IGNORED:
        signal.signal(signal_number, signal.SIG_IGN)


def run_with(subject: Subject, script: Path, held: int, places: tuple[int, ...]) -> None:
    """Runs it with the write end of a pipe at these numbers, ignoring signals."""
    need("bash")
    redirections = " ".join(f"{place}>&{held}" for place in places)
    done = subprocess.run(
        ["bash", "-c", f"exec sh {script} {redirections}"],
        env={"PATH": os.environ["PATH"], "TUNEWIZ_STATE_DIR": str(subject.state)},
        pass_fds=[held],
        preexec_fn=ignore_signals,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("places", [(3,), (9, 200)], ids=str)
def test_case_81_the_restarted_server_holds_no_file_of_the_callers(
    places: tuple[int, ...], make_subject: MakeSubject
) -> None:
    subject = make_subject()
    bundle, before = subject.bundle({"pg.shared_buffers": "192MB"}), ignored(subject.cluster)
    for script in ("apply.sh", "rollback.sh"):
        started = subject.started()
        reading, writing = os.pipe()
        run_with(subject, bundle / script, writing, places)
        os.close(writing)
        os.set_blocking(reading, False)
        # The end of the file: nobody holds the other end any more.
        assert os.read(reading, 1) == b"", script
        os.close(reading)
        assert subject.started() != started
        assert ignored(subject.cluster) == before, script

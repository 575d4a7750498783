"""A server whose first process is killed, and one that is started after that."""

import os
import signal
import time
from pathlib import Path
from typing import Final

from history_scripts import processes_in, works_in
from real_postgres import Cluster

_PATIENCE: Final = 60


def postmaster_of(cluster: Cluster) -> int | None:
    """The process that the server's other processes come from, where it lives."""
    number = _last_postmaster(cluster)
    return number if number is not None and works_in(number, cluster.data_directory) else None


def _last_postmaster(cluster: Cluster) -> int | None:
    try:
        return int((cluster.data_directory / "postmaster.pid").read_text().split("\n", 1)[0])
    except FileNotFoundError:
        return None


def kill_server(cluster: Cluster) -> None:
    """The postmaster is killed, which leaves its file; what it had started ends by itself."""
    postmaster = postmaster_of(cluster)
    assert postmaster is not None
    os.kill(postmaster, signal.SIGKILL)
    until = time.monotonic() + _PATIENCE
    while processes_in(cluster.data_directory):
        assert time.monotonic() < until, "the killed server's processes do not end"
        time.sleep(0.01)


def start_after_kill(cluster: Cluster) -> None:
    """Returns when the server takes connections."""
    number = _last_postmaster(cluster)
    if number is not None and Path(f"/proc/{number}").exists() and number != postmaster_of(cluster):
        # Its number is taken until its parent asks how it ended, which some do late or never.
        forget_postmaster(cluster)
    cluster.start()


def forget_postmaster(cluster: Cluster) -> None:
    """Nothing says any more that a server was there."""
    (cluster.data_directory / "postmaster.pid").unlink(missing_ok=True)
    for lock in cluster.socket_directory.glob(".s.PGSQL.*.lock"):
        lock.unlink()

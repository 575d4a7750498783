"""A cluster of Patroni's with any number of members, whose own files a test may change; for one test."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from fixtures_patroni import (
    PYTHON,
    PatroniCluster,
    etcd_command,
    library_here,
    prepare,
    start,
    stop,
    write_configuration,
)
from fixtures_postgres import directory_of, unprivileged_user
from pretend_root import Ran
from real_postgres import Programs
from tools_here import need

SECONDS_TO_SETTLE = 90
BELOW = 30_000
"""How far below the tests' other ports: there the kernel takes none for a connection that somebody makes."""


@contextmanager
def patroni_members(
    programs: Programs,
    next_port: Callable[[], int],
    count: int,
    change: Callable[[str, PatroniCluster], str] = lambda text, _: text,
) -> Generator[tuple[PatroniCluster, subprocess.Popen[bytes]]]:
    """One leader, the others stream from it; and the process of their etcd.

    Args:
        programs: PostgreSQL's.
        next_port: Ports that nobody uses.
        count: How many members.
        change: Of each member's own file, before it starts.
    """
    need("etcd", "etcdctl")
    library, user = library_here(), unprivileged_user()
    with directory_of(user) as directory:
        *ports, etcd, peer = (next_port() - BELOW for _ in range(count + 2))
        cluster = PatroniCluster(
            user=user, directory=directory, programs=programs, etcd=etcd, ports=tuple(ports)
        )
        prepare(cluster, library)
        store = start(cluster, *etcd_command(directory, etcd, peer))
        running = [store]
        try:
            for number, port in enumerate(ports, start=1):
                file = _own_file(cluster, number, port, next_port() - BELOW)
                file.write_text(change(file.read_text(), cluster))
                running.append(start(cluster, PYTHON, "-m", "patroni", file))
            await_members(cluster)
            yield cluster, store
        finally:
            os.kill(store.pid, signal.SIGCONT)
            stop(running)


def _own_file(cluster: PatroniCluster, number: int, port: int, rest: int) -> Path:
    file = write_configuration(cluster, number, port, rest)
    return file if number == 1 else file.rename(file.with_name(f"member{number}.yml"))


def standby_state() -> str:
    """What a standby's state is called: before 3.0 as that of a leader."""
    version = (library_here() / "patroni/version.py").read_text()
    assert "__version__" in version
    return "running" if re.search(r"__version__ = .[12]\\.", version) else "streaming"


def configuration(cluster: PatroniCluster) -> dict[str, object]:
    """As etcd has it; older versions of Patroni write its blanks in two ways."""
    result: dict[str, object] = json.loads(cluster.stored())
    return result


def await_members(cluster: PatroniCluster) -> None:
    """Until one member leads and all others follow it."""
    until, listed = time.monotonic() + SECONDS_TO_SETTLE, ""
    while time.monotonic() < until:
        with suppress(subprocess.CalledProcessError, AssertionError):
            listed = cluster.control("list", "-f", "json")
            if _have_settled(json.loads(listed), len(cluster.ports)):
                return
        time.sleep(1)
    logs = "\n".join(file.read_text(errors="replace")[-1500:] for file in cluster.directory.glob("*.log"))
    pytest.fail(f"the cluster did not settle: {listed}\n{logs}")


def _have_settled(members: list[dict[str, str]], count: int) -> bool:
    leading = [member for member in members if member["Role"] == "Leader"]
    following = [member for member in members if member["Role"] in {"Replica", "Sync Standby"}]
    return (
        (len(leading), len(following)) == (1, count - 1)
        and all(member["State"] == "running" for member in leading)
        and all(member["State"] == standby_state() for member in following)
    )


def undo(cluster: PatroniCluster, made: Path, before: dict[str, object]) -> Ran:
    """One rollback later the configuration is as it was, and every member follows."""
    undone = cluster.script(made / "rollback.sh")
    assert undone.status in {0, 3}, undone.said
    assert configuration(cluster) == before
    await_members(cluster)
    return undone

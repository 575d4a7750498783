"""Namespaces of a test's own, held by a process that waits, and servers that are started in them."""

import os
import pwd
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from real_postgres import Cluster
from tools_here import need, path_of


@contextmanager
def held(kind: str, setup: str = ":") -> Generator[int]:
    """The number of a process in a new namespace (`user`, `mount`), after some lines of shell."""
    need("unshare")
    waiting = ("unshare", f"--{kind}", "sh", "-ec", f"{setup}\necho ready\nread -r _")
    with subprocess.Popen(waiting, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        if holder.stdout.readline() != b"ready\n":
            pytest.skip(f"no {kind} namespace can be made here")
        try:
            yield holder.pid
        finally:
            holder.communicate()


def entering(kind: str, process: int) -> tuple[str, ...]:
    """What comes before a command that runs in the namespace of a process."""
    return (path_of("nsenter"), f"--{kind}", "--target", str(process), "--")


def start_inside(cluster: Cluster, inside: tuple[str, ...]) -> None:
    """As its owner, its messages in a file of its data directory."""
    owner = pwd.getpwnam(cluster.os_user)
    log = cluster.data_directory / "server.log"
    words: tuple[str | Path, ...] = (
        *inside,
        *(path_of("setpriv"), f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--init-groups", "--"),
        *(cluster.programs.bin_directory / "pg_ctl", "-s", "-w", "-D", cluster.data_directory, "-l", log),
    )
    subprocess.run(
        (*words, "start"),
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": str(cluster.directory)},
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )

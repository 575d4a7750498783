"""Sessions of a real server that somebody else holds open while a test looks on."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from real_postgres import Cluster


@contextmanager
def session(cluster: Cluster, *statements: str, waits_for: str = "begun") -> Generator[None]:
    """Somebody who runs the statements and then does nothing, with its transaction open."""
    command: list[str | Path] = [
        cluster.programs.psql,
        "-XAtq",
        "-h",
        cluster.socket_directory,
        "-p",
        str(cluster.port),
    ]
    process = subprocess.Popen(
        [*command, "-U", cluster.os_user, "-d", "postgres"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PGAPPNAME": "batch"},
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(";\n".join(("begin", *statements, r"\echo begun" + "\n")))
    process.stdin.flush()
    try:
        if waits_for:
            while waits_for not in (line := process.stdout.readline()):
                assert line, "the session ended"
        yield
    finally:
        process.kill()
        process.communicate()

"""Sessions of a real server that somebody else holds open while a test looks on."""

import dataclasses
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from live_servers import value
from real_postgres import Cluster
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Known


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


def aged(server: PostgresServer, seconds: int) -> PostgresServer:
    """The same server as if its transactions and waits had gone on for longer."""
    health = value(server.health)
    older = [
        dataclasses.replace(
            entry,
            seconds=entry.seconds + seconds,
            idle_seconds=entry.idle_seconds + seconds if entry.state.startswith("idle") else 0,
        )
        for entry in health.transactions
        if entry.application != "tunewiz"  # the look before this one may still be leaving
    ]
    waits = health.longest_lock_wait + (seconds if health.lock_waits else 0)
    later = dataclasses.replace(health, transactions=tuple(older), longest_lock_wait=waits)
    return dataclasses.replace(server, health=Known(later, "older"))

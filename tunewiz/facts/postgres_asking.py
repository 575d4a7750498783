"""Asks one running server through a process of its own: by which ways, and in which order."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tunewiz.core.errors import ServerError
from tunewiz.facts.postgres_answer import Answer, Attempt, Request
from tunewiz.system import System

SECONDS = 25
"""After which a server counts as hanging: three connections of five seconds each, and the statements."""

_ELSEWHERE = ("PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE")
"""Variables that may lead to another server than the one that was found here."""
_OURS = (*_ELSEWHERE, "PGUSER", "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE", "PGSSLMODE")
_CHILD = "tunewiz.facts.postgres_child"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reachable:
    """What is known of a running server's doors; empty and 0 where something is not."""

    socket_directory: str
    port: int
    started: int
    os_user: str


def ask_server(system: System, server: Reachable) -> Answer:
    """Everything that the server tells; raises ServerError with what was in the way."""
    request = Request(
        attempts=tuple(_attempts(system, server, root=os.geteuid() == 0)),
        started=server.started,
        port=server.port,
    )
    said = _run(request, _environment(system))
    data = json.loads(said)
    if "unreached" in data:
        raise ServerError("; ".join(data["unreached"]))
    return Answer.from_json(said)


def _attempts(system: System, server: Reachable, *, root: bool) -> Iterator[Attempt]:
    """As we were told in the environment, else over the socket: as the owner where we may become it."""
    environ = system.environ
    told = any(name in environ for name in _OURS) or system.exists(f"{environ.get('HOME', '')}/.pgpass")
    if told or not root:
        yield _as_told(environ, server, root=root)
    owner = server.os_user or "postgres"
    for role in dict.fromkeys((owner, "postgres")):
        yield Attempt(
            conninfo={**_socket(server), "dbname": "postgres", "user": role},
            user=owner if root else "",
            checked=False,
            how=_place(server),
        )


def _as_told(environ: Mapping[str, str], server: Reachable, *, root: bool) -> Attempt:
    """What the environment leaves open is the server's socket, its owner and the database postgres."""
    elsewhere = any(name in environ for name in _ELSEWHERE)
    conninfo = {} if elsewhere else _socket(server)
    if "PGSERVICE" not in environ:
        if "PGDATABASE" not in environ:
            conninfo["dbname"] = "postgres"
        if root and "PGUSER" not in environ:
            conninfo["user"] = server.os_user or "postgres"
        if "PGPORT" not in environ and server.port:
            conninfo["port"] = str(server.port)
        if "PGHOST" not in environ and "PGHOSTADDR" not in environ:
            conninfo["host"] = _socket(server)["host"]
    how = "the connection settings of the environment" if elsewhere else _place(server)
    return Attempt(conninfo=conninfo, user="", checked=elsewhere, how=how)


def _socket(server: Reachable) -> dict[str, str]:
    """The socket in libpq's words; a server without one is reached on this host's own address."""
    where = {"host": server.socket_directory or "localhost"}
    return {**where, "port": str(server.port)} if server.port else where


def _place(server: Reachable) -> str:
    return f"{server.socket_directory or 'localhost'}, port {server.port or 'not known'}"


def _environment(system: System) -> dict[str, str]:
    """Ours, with the program where the process finds it and messages in English."""
    package = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(part for part in (package, system.environ.get("PYTHONPATH", "")) if part)
    return {**system.environ, "PYTHONPATH": path, "LC_ALL": "C.UTF-8"}


def _run(request: Request, environment: dict[str, str]) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - our own program, by its own interpreter
            [sys.executable, "-P", "-m", _CHILD],
            input=request.to_json(),
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise ServerError(f"it did not answer within {SECONDS} seconds") from error
    except OSError as error:
        raise ServerError(f"the process that asks it cannot be started ({error.strerror})") from error
    if done.returncode != 0 or not done.stdout:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise ServerError(f"the process that asks it failed with status {done.returncode}: {last}")
    return done.stdout

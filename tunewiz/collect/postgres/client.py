"""Queries one running server through a separate process: which connections to try, and in which order."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tunewiz.collect.postgres.protocol import Answer, Attempt, Request, ToPlan, ToScript
from tunewiz.collect.system import System
from tunewiz.core.values.errors import ServerError
from tunewiz.package_files import import_environment

SECONDS = 25
"""After this time a server counts as hanging: three connections of five seconds each, and the statements."""
PLANNING_SECONDS = 60
"""For all statements that are planned; those after it are told as skipped."""

_ELSEWHERE = ("PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE")
"""Variables that may lead to a server other than the one found here."""
BY_ENVIRONMENT = "PGHOST, PGPORT or PGSERVICE"
"""The place of a server that was reached by these."""
_OURS = ("PGUSER", "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE", "PGSSLMODE")
CHILD = (sys.executable, "-P", "-m", "tunewiz.collect.postgres.client_process")
"""The command of the process that queries."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """A socket at which a server may listen; without a directory, its port on this host's own address."""

    directory: str
    port: int

    @property
    def conninfo(self) -> dict[str, str]:
        """As libpq parameters."""
        return {"host": self.directory or "localhost", "port": str(self.port)}

    @property
    def place(self) -> str:
        """In words, for a person."""
        return f"{self.directory or 'localhost'}, port {self.port}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reachable:
    """A running server, and where it may be reached."""

    endpoints: tuple[Endpoint, ...]
    """The one that is known, otherwise all on this host."""
    pid: int
    started: int
    """In seconds since 1970; 0 if unknown."""
    port: int
    """0 if unknown."""
    os_user: str
    """Owner of its files; empty where that is not known."""


def ask_server(system: System, server: Reachable) -> Answer:
    """Everything that the server reports; raises ServerError with what went wrong."""
    said = _run(request_to(system, server), environment_of(system))
    data = json.loads(said)
    if "unreached" in data:
        raise ServerError("; ".join(data["unreached"]))
    return Answer.from_json(said)


def ask_plans(system: System, server: Reachable, task: ToPlan) -> Mapping[str, Any]:
    """What the server's statements look like to its planner, as JSON; raises ServerError."""
    return _told(system, dataclasses.replace(request_to(system, server), plans=task))


def ask_statements(system: System, server: Reachable, task: ToScript) -> Mapping[str, Any]:
    """The statements that scripts can run, and their values, as JSON; raises ServerError."""
    return _told(system, dataclasses.replace(request_to(system, server), script=task))


def _told(system: System, request: Request) -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads(_run(request, environment_of(system), SECONDS + PLANNING_SECONDS))
    if "unreached" in data:
        raise ServerError("; ".join(data["unreached"]))
    return data


def request_to(system: System, server: Reachable) -> Request:
    """A request with every way to reach the server; raises ServerError if there is none."""
    attempts = tuple(_attempts(system, server, root=os.geteuid() == 0))
    if not attempts:
        raise ServerError("where it listens is not known; set PGHOST and PGPORT")
    return Request(
        attempts=attempts,
        pid=server.pid,
        started=server.started,
        port=server.port,
    )


def _attempts(system: System, server: Reachable, *, root: bool) -> Iterator[Attempt]:
    """By the environment if it says how, otherwise over the socket: as the owner if we can switch to it."""
    environ = system.environ
    owner = server.os_user or "postgres"
    if any(name in environ for name in _ELSEWHERE):
        yield Attempt(conninfo=_left_open(environ, owner if root else ""), user="", place=BY_ENVIRONMENT)
    result = any(name in environ for name in _OURS) or system.exists(f"{environ.get('HOME', '')}/.pgpass")
    if result or not root:
        for endpoint in server.endpoints:
            conninfo = {**_left_open(environ, owner if root else ""), **endpoint.conninfo}
            yield Attempt(conninfo=conninfo, user="", place=endpoint.place)
    for role in dict.fromkeys((owner, "postgres")):
        for endpoint in server.endpoints:
            conninfo = {**endpoint.conninfo, "dbname": "postgres", "user": role}
            yield Attempt(conninfo=conninfo, user=owner if root else "", place=endpoint.place)


def _left_open(environ: Mapping[str, str], user: str) -> dict[str, str]:
    """Defaults for what the environment lacks: the database postgres, and as root the owner's role."""
    if "PGSERVICE" in environ:
        return {}
    conninfo = {} if "PGDATABASE" in environ else {"dbname": "postgres"}
    return {**conninfo, "user": user} if user and "PGUSER" not in environ else conninfo


def environment_of(system: System) -> dict[str, str]:
    """Our environment, with the program on the path and messages in English."""
    return {**import_environment(system.environ), "LC_ALL": "C.UTF-8"}


def _run(request: Request, environment: dict[str, str], seconds: int = SECONDS) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - our own program, by its own interpreter
            CHILD,
            input=request.to_json(),
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as error:
        raise ServerError(f"it did not answer within {seconds} seconds") from error
    except OSError as error:
        raise ServerError(f"the process that asks it cannot be started ({error.strerror})") from error
    if done.returncode != 0 or not done.stdout:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise ServerError(f"the process that asks it failed with status {done.returncode}: {last}")
    return done.stdout

"""Where servers can be reached: at their own socket, or at every socket if theirs is unknown."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

from tunewiz.collect.postgres import files as on_disk
from tunewiz.collect.postgres.client import Endpoint, Reachable, ask_server
from tunewiz.collect.postgres.found_server import FoundServer, Stopped, port_of, socket_directory_of, sockets
from tunewiz.collect.postgres.server_facts import NoAnswer, Said
from tunewiz.collect.system import System
from tunewiz.core.values.errors import ServerError
from tunewiz.core.values.known import Known, known_or

MAX_AT_ONCE = 8
"""Servers asked at the same time: each takes a process of some 30 MB."""
MAX_ENDPOINTS = 8
"""Sockets tried for a server of which none is known for certain."""


def ask_all(system: System, servers: tuple[FoundServer, ...]) -> tuple[Said, ...]:
    """Each server's answer; queried in parallel, so that one that hangs does not delay the others."""
    if not servers:
        return ()
    with ThreadPoolExecutor(MAX_AT_ONCE) as pool:
        return tuple(pool.map(_said, repeat(system), servers))


def _said(system: System, server: FoundServer) -> Said:
    """The server's answer, or why there is none."""
    try:
        where = reachable(system, server)
    except ServerError as error:
        return NoAnswer(why=error.message)
    try:
        return ask_server(system, where)
    except ServerError as error:
        return NoAnswer(why=f"the server could not be queried: {error.message}")


def reachable(system: System, server: FoundServer) -> Reachable:
    """Where a server can be reached; raises ServerError if it cannot."""
    if not system.live:
        raise ServerError("a captured server cannot be queried")
    pid_file, process = server.pid_file, server.process
    if isinstance(process, Stopped):
        raise ServerError("the server is not running")
    return Reachable(
        endpoints=_endpoints(system, server),
        pid=process.pid,
        started=pid_file.value.started if isinstance(pid_file, Known) else process.started,
        port=known_or(port_of(server), 0),
        os_user=known_or(on_disk.read_os_user(system, server.path), ""),
    )


def _endpoints(system: System, server: FoundServer) -> tuple[Endpoint, ...]:
    """The server's own socket; where it is not known for certain, all sockets of this host's servers."""
    directory = socket_directory_of(system, server)
    if isinstance(server.pid_file, Known):
        return (Endpoint(directory=known_or(directory, ""), port=server.pid_file.value.port),)
    others = [Endpoint(directory=where, port=number) for where, number in sockets(system)]
    match directory, port_of(server):
        case Known(where), Known(number):
            likely = [Endpoint(directory=where, port=number)]
        case _:
            likely = []
    return tuple(dict.fromkeys((*likely, *others)))[:MAX_ENDPOINTS]

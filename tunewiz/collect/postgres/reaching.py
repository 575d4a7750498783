"""Reaches the servers that were found: at their own socket, or at every one where theirs is not known."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

from tunewiz.collect.postgres import files as on_disk
from tunewiz.collect.postgres.asking import Door, Reachable, ask_server
from tunewiz.collect.postgres.found import Found, Stopped, port_of, socket_directory_of, sockets
from tunewiz.collect.postgres.record import NoAnswer, Said
from tunewiz.collect.system import System
from tunewiz.core.values.errors import ServerError
from tunewiz.core.values.known import Known, known_or

MOST_AT_ONCE = 8
"""Servers asked at the same time: each takes a process of some 30 MB."""
MOST_DOORS = 8
"""Sockets tried for a server of which none is known for certain."""


def ask_all(system: System, servers: tuple[Found, ...]) -> tuple[Said, ...]:
    """What each server says; they are asked at the same time, so that one that hangs holds up no other."""
    if not servers:
        return ()
    with ThreadPoolExecutor(MOST_AT_ONCE) as pool:
        return tuple(pool.map(_said, repeat(system), servers))


def _said(system: System, found: Found) -> Said:
    """The server's answer, or why there is none."""
    try:
        where = reachable(system, found)
    except ServerError as error:
        return NoAnswer(why=error.message)
    try:
        return ask_server(system, where)
    except ServerError as error:
        return NoAnswer(why=f"the server could not be asked: {error.message}")


def reachable(system: System, found: Found) -> Reachable:
    """Where a server may be reached; raises ServerError where it cannot be at all."""
    if not system.live:
        raise ServerError("a captured server cannot be asked")
    pid_file, process = found.pid_file, found.process
    if isinstance(process, Stopped):
        raise ServerError("the server is not running")
    return Reachable(
        doors=_doors(system, found),
        pid=process.pid,
        started=pid_file.value.started if isinstance(pid_file, Known) else process.started,
        port=known_or(port_of(found), 0),
        os_user=known_or(on_disk.read_os_user(system, found.path), ""),
    )


def _doors(system: System, found: Found) -> tuple[Door, ...]:
    """The server's own socket; where it is not known for certain, all sockets of this host's servers."""
    directory = socket_directory_of(system, found)
    if isinstance(found.pid_file, Known):
        return (Door(directory=known_or(directory, ""), port=found.pid_file.value.port),)
    others = [Door(directory=where, port=number) for where, number in sockets(system)]
    match directory, port_of(found):
        case Known(where), Known(number):
            likely = [Door(directory=where, port=number)]
        case _:
            likely = []
    return tuple(dict.fromkeys((*likely, *others)))[:MOST_DOORS]

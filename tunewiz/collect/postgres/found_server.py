"""A server as it was found on the machine: its files, its process, and where it listens by these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.collect import file_values
from tunewiz.collect.postgres.files import PidFile
from tunewiz.collect.postgres.offline import Files
from tunewiz.collect.postgres.processes import Postmaster
from tunewiz.collect.system import System
from tunewiz.core.facts.server import ServerOwner
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown, known_or

DEFAULT_PORT = 5432
"""PostgreSQL's own (documentation, port)."""
SOCKET_DIRECTORIES = ("/var/run/postgresql", "/run/postgresql", "/tmp")  # noqa: S108 - PostgreSQL's own default
_SOCKET = re.compile(r"\.s\.PGSQL\.([0-9]{1,5})")


@dataclass(frozen=True, kw_only=True, slots=True)
class Stopped:
    """The server does not run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundServer:
    """A server as it was found on the machine."""

    directory: Fact[str]
    config_how: str
    files: Files
    owner: ServerOwner
    pid_file: Fact[PidFile]
    process: Postmaster | Stopped

    @property
    def path(self) -> str:
        """The data directory; empty where it is not known, in which nothing is found."""
        return known_or(self.directory, "")


def port_of(server: FoundServer) -> Fact[int]:
    """The port by postmaster.pid, else by command line and files, else PostgreSQL's own."""
    if isinstance(server.pid_file, Known):
        return Known(server.pid_file.value.port, server.pid_file.how)
    said = server.files.said("port").strip()
    if said.isascii() and said.isdigit():
        return Known(int(said), server.files.place("port"))
    if server.files.unread:
        return Unknown(server.files.unread)
    return (
        Known(DEFAULT_PORT, "PostgreSQL's default") if not said else Unknown(f"port = {said!r} is not a port")
    )


def socket_directory_of(system: System, server: FoundServer) -> MaybeFact[str]:
    """Where the server's Unix socket is, or would be."""
    if isinstance(server.pid_file, Known):
        directory, how = server.pid_file.value.socket_directory, server.pid_file.how
        return Known(directory, how) if directory else Absent(f"it listens on no socket: {how}")
    said = server.files.said("unix_socket_directories").split(",")[0].strip().strip('"')
    if said:
        return Known(said, server.files.place("unix_socket_directories"))
    port = port_of(server)
    for directory, number in sockets(system):
        if isinstance(port, Known) and port.value == number:
            return Known(directory, f"{directory}/.s.PGSQL.{number}")
    return Unknown("its files do not name one, and the built-in one was not reported")


def sockets(system: System) -> Iterator[tuple[str, int]]:
    """Where Unix sockets of servers are, with their ports: packages' directories and PostgreSQL's own."""
    observation = set[str]()
    for directory in SOCKET_DIRECTORIES:
        listed = file_values.names(system, directory)
        real = system.realpath(directory) if isinstance(listed, Known) else ""
        if isinstance(listed, Known) and real not in observation:
            observation.add(real)
            for name in listed.value:
                if matched := _SOCKET.fullmatch(name):
                    yield directory, int(matched[1])

"""The servers of this host for the first page: nobody is asked, only processes and files are looked at."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.collect.postgres.files import tablespaces
from tunewiz.collect.postgres.servers import find_servers
from tunewiz.collect.system import ReadError, System
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.server_here import ServerHere
from tunewiz.core.values.known import known_or
from tunewiz.core.values.units import Bytes

_NOBODY = "nobody"
"""The path of no data directory: no server is queried."""
MOST_FILES = 50_000
"""That are looked at for a size: a tenth of a second or two."""


def servers_here(system: System) -> tuple[ServerHere, ...]:
    """Running ones first."""
    return tuple(_here(system, server) for server in find_servers(system, only=_NOBODY))


def _here(system: System, server: PostgresServer) -> ServerHere:
    directory = known_or(server.data_directory, "")
    return ServerHere(
        version=known_or(server.release, ""),
        port=str(known_or(server.port, "")),
        directory=directory,
        size=databases_size(system, directory) if directory else None,
        is_running=server.running,
    )


def databases_size(system: System, directory: str, most: int = MOST_FILES) -> Bytes | None:
    """How much the databases in a data directory take; None where that cannot be told."""
    total = 0
    try:
        for number, file in enumerate(_files(system, directory)):
            if number >= most:
                return None
            total += _size(system, file)
    except ReadError:
        return None
    return Bytes(total)


def _files(system: System, directory: str) -> Iterator[str]:
    for tablespace in (f"{directory}/base", *_versions(system, directory)):
        for database in system.listdir(tablespace):
            for name in system.listdir(f"{tablespace}/{database}"):
                yield f"{tablespace}/{database}/{name}"


def _versions(system: System, directory: str) -> Iterator[str]:
    """A tablespace has a directory for each major; those of others are not this server's."""
    major = system.read_text(f"{directory}/PG_VERSION").strip()
    for tablespace in tablespaces(system, directory):
        versions = [name for name in system.listdir(tablespace) if name.startswith(f"PG_{major}_")]
        yield from (f"{tablespace}/{version}" for version in versions if major)


def _size(system: System, file: str) -> int:
    """A table may be dropped meanwhile."""
    try:
        return system.stat(file).size
    except ReadError:
        return 0

"""Selects the server of `tunewiz watch`: the one named by options, or the only candidate."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from tunewiz.collect.postgres.servers import find_servers
from tunewiz.collect.ring.places import newest_place
from tunewiz.collect.system import LiveSystem
from tunewiz.commands.connection import first_named
from tunewiz.commands.options import Options
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.known import Known, known_or

_NAME_IT = "Name it with --port, --host or --service; a stopped one with --pgdata."


def directory_to_sample(options: Options) -> str:
    """The selected server's data directory, with links resolved; raises UsageError."""
    return os.path.realpath(_named(options) or _directory(_only_one(_servers())))


def _only_one(servers: Sequence[PostgresServer]) -> PostgresServer:
    running = [server for server in servers if server.running]
    return _only(running or servers, f"watch: found {_list(servers)}, expected one")


def ring_to_show(options: Options) -> Path:
    """The file with the selected server's samples; raises UsageError."""
    if named := _named(options):
        return _ring_of(named)
    servers = _servers()
    with_samples = [server for server in servers if newest_place(_directory(server), os.environ) is not None]
    wrong = f"watch --show: found samples of {_list(with_samples)}, expected one"
    return _ring_of(_directory(_only(with_samples or servers, wrong)))


def _named(options: Options) -> str:
    """The data directory of the server named by options; empty if they name none."""
    if options.pgdata is not None:
        return _checked(options.pgdata)
    if options.host is None and options.port is None and options.service is None:
        return ""
    server = first_named(find_servers(LiveSystem()), options)[0]
    if not isinstance(server.data_directory, Known):
        raise UsageError(f"watch: its data directory is unknown here: {server.data_directory.why}")
    return _directory(server)


def _checked(directory: Path) -> str:
    """The data directory as an absolute path; not checked if the user may not look into it."""
    try:
        (directory / "PG_VERSION").stat()
    except PermissionError:
        return str(directory.absolute())
    except OSError as error:
        raise UsageError(
            f"--pgdata: {directory}: found no data directory there "
            f"(PG_VERSION: {error.strerror or error}), expected one"
        ) from error
    return str(directory.absolute())


def _servers() -> Sequence[PostgresServer]:
    """Servers whose data directory is known; raises UsageError if there are none."""
    servers = [server for server in find_servers(LiveSystem()) if isinstance(server.data_directory, Known)]
    if not servers:
        raise UsageError("watch: found no PostgreSQL server on this host, expected one")
    return servers


def _directory(server: PostgresServer) -> str:
    return known_or(server.data_directory, "")


def _only(servers: Sequence[PostgresServer], wrong: str) -> PostgresServer:
    if len(servers) > 1:
        raise UsageError(wrong, _NAME_IT)
    return servers[0]


def _list(servers: Iterable[PostgresServer]) -> str:
    """`port 5432 in /a and port 5433 in /b (stopped)`."""
    return " and ".join(
        f"port {known_or(server.port, '?')} in {known_or(server.data_directory, '?')}"
        f"{'' if server.running else ' (stopped)'}"
        for server in servers
    )


def _ring_of(directory: str) -> Path:
    path = newest_place(directory, os.environ)
    if path is None:
        raise UsageError(
            f"watch --show: found no samples of {directory}",
            "`tunewiz watch` records them while it runs; --ring names another file.",
        )
    return path

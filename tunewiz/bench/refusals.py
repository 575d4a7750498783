"""When a server must not be measured: clients, standbys, an archive, too little disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bench.copy_refusals import reasons_of_copy
from tunewiz.bench.errors import RefusedError
from tunewiz.bench.server import Server
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes

WAL_TIMES = 3
"""Times max_wal_size: the limit is soft, and both sides leave WAL behind."""
FREE_SHARE = 0.15
"""Share of the file system to keep free: fuller ones are slow, and the server needs room to grow."""
SIDES = 2
"""Databases on disk at once: the data that both sides start from, and its copy."""
NO_ARCHIVE = ("", "(disabled)", "true", "/bin/true", "/usr/bin/true", ":", "exit 0")
NO_CLIENTS = (
    "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL "
    "AND usename IS NOT NULL AND application_name <> 'tunewiz'"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class SpaceNeeded:
    """The disk space that a run needs."""

    max_wal_size: Bytes
    """The larger of both sides."""
    data: Bytes
    """The size of one database of the run."""


def check_database(server: Server, name: str) -> None:
    """Refuse a database that cannot be copied as a template; raises RefusedError."""
    result = server.ask("SELECT datname FROM pg_database WHERE datallowconn ORDER BY 1").splitlines()
    if name not in result:
        raise RefusedError(f"--dbname: found {name}, expected one of {', '.join(result)}")
    databases = server.ask("SELECT datname FROM pg_stat_activity WHERE pid <> pg_backend_pid()").splitlines()
    if sessions := databases.count(name):
        raise RefusedError(
            f"--dbname: {name} has {how_many(sessions, 'connection')}, expected none",
            "PostgreSQL copies only a database to which nobody is connected.",
        )


def check(server: Server, needs: SpaceNeeded, database: str, *, window: bool) -> None:
    """Refuse a server that must not be measured; raises RefusedError with all reasons.

    Args:
        server: The server.
        needs: The disk space.
        database: The one whose data is copied; empty where pgbench makes tables.
        window: Whether clients may be disturbed.
    """
    reasons = [*_of_server(server, window=window), *_of_disk(server, needs)]
    if server.measured.is_copy:
        reasons += reasons_of_copy(server, database)
    if reasons:
        raise RefusedError("\n  ".join(("this server must not be measured as it is:", *reasons)))


def _of_server(server: Server, *, window: bool) -> Iterator[str]:
    if server.ask("SELECT pg_is_in_recovery()") == "t":
        yield "it is a standby"
        return
    others = server.ask_number(NO_CLIENTS)
    if others and not server.measured.is_copy and not window:
        yield f"{others} other sessions are connected: --window TIME allows disturbing them"
    if standbys := server.ask_number("SELECT count(*) FROM pg_stat_replication"):
        yield f"{standbys} WAL receivers (standbys) are connected: all that pgbench writes would go there"
    command = server.ask("SHOW archive_command")
    library = server.ask("SELECT setting FROM pg_settings WHERE name = 'archive_library'")
    if server.ask("SHOW archive_mode") != "off" and (command not in NO_ARCHIVE or library):
        how = ": start the copy with -c archive_mode=off" if server.measured.is_copy else ""
        yield f"it archives WAL ({library or command}): everything that pgbench writes would be archived{how}"


def _of_disk(server: Server, needs: SpaceNeeded) -> Iterator[str]:
    data = Path(server.measured.data_directory)
    wal = data / ("pg_wal" if (data / "pg_wal").exists() else "pg_xlog")
    in_wal = needs.max_wal_size * WAL_TIMES
    same = data.stat().st_dev == wal.resolve().stat().st_dev
    yield from _short(data, needs.data * SIDES + (in_wal if same else Bytes(0)))
    if not same:
        yield from _short(wal.resolve(), in_wal)


def _short(place: Path, needed: Bytes) -> Iterator[str]:
    result = os.statvfs(place)
    free, total = result.f_bavail * result.f_frsize, result.f_blocks * result.f_frsize
    reserve = int(total * FREE_SHARE)
    if free < needed.count + reserve:
        yield (
            f"{place}: {Bytes(free).human()} is free, expected {needed.human()} for the run and "
            f"{Bytes(reserve).human()} (15 %) to stay free"
        )

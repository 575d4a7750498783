"""How a server is reached: as the owner of its data directory, over its socket, with programs found here."""

from __future__ import annotations

import os
import pwd
import shutil
from pathlib import Path

from tunewiz.bench.errors import RefusedError, RunError
from tunewiz.bench.owner import SYSTEM_PATH
from tunewiz.bench.run import MeasuredServer
from tunewiz.bench.server import Server
from tunewiz.collect.postgres.files import read_system_identifier
from tunewiz.collect.system import LiveSystem
from tunewiz.core.values.known import known_or


def reached_server(major: str, data: str) -> MeasuredServer:
    """How the server in a data directory is reached; raises RefusedError."""
    try:
        owner = pwd.getpwuid(os.stat(data).st_uid).pw_name  # noqa: PTH116 - Path.stat is the same
    except (OSError, KeyError) as error:
        raise RefusedError(f"{data}: expected the server's data directory: {error}") from error
    programs, why = _programs(), ""
    identifier = known_or(read_system_identifier(LiveSystem(), data), "")
    for role in dict.fromkeys((owner, "postgres")):
        measured = MeasuredServer(
            major=major,
            data_directory=data,
            owner=owner,
            role=role,
            programs=programs,
            system_identifier=identifier,
        )
        try:
            Server(measured=measured, label="tunewiz").ask("SELECT 1")
        except RunError as error:
            why = error.message
        else:
            return measured
    raise RefusedError(f"{data}: the server cannot be queried as its owner {owner}: {why}")


def _programs() -> str:
    """The directory of pgbench and psql; empty where both are on the path; raises RefusedError."""
    if all(shutil.which(name, path=SYSTEM_PATH) for name in ("pgbench", "psql")):
        return ""
    folders = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr").glob("pgsql-*/bin")]
    for folder in sorted(folders, reverse=True):
        if all((folder / name).is_file() for name in ("pgbench", "psql")):
            return str(folder)
    raise RefusedError(
        "pgbench and psql were not found",
        "Install them: postgresql-contrib on Debian 9 and Red Hat, postgresql-client elsewhere.",
    )

"""A deep look at a running server; the caller gets the progress and may stop early."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any

from tunewiz.collect.postgres.client import environment_of, request_to
from tunewiz.collect.postgres.endpoints import reachable
from tunewiz.collect.postgres.found_server import Stopped
from tunewiz.collect.postgres.servers import running_server
from tunewiz.collect.postgres.watching import Enough, lines_of
from tunewiz.collect.system import System
from tunewiz.core.facts.deep_look import (
    CheckedCount,
    DamagedRelation,
    DeepDatabase,
    DeepLook,
    OrphanedFiles,
)
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.errors import ServerError
from tunewiz.core.values.known import Fact, Known, T, Unknown

OnDatabase = Callable[[float, str], None]
"""Called with the seconds that passed and the database that is entered."""


def look_at_server(
    system: System, server: PostgresServer, seconds: int, on_progress: OnDatabase, enough: Enough
) -> Fact[DeepLook]:
    """What amcheck and a list of its files show; unknown with the reason where nothing could be looked at.

    Args:
        system: The machine.
        server: As it was found.
        seconds: The whole budget.
        on_progress: Called for every database.
        enough: Whether to stop; called several times a second.
    """
    if not isinstance(server.data_directory, Known):
        return Unknown(server.data_directory.why)
    databases, last = list[DeepDatabase](), dict[str, Any]()
    try:
        for message in _messages(system, server.data_directory.value, seconds, enough):
            last = message
            if "doing" in message:
                on_progress(message["seconds"], message["doing"])
            if "database" in message:
                databases.append(_database(message["database"], message["how"]))
    except ServerError as error:
        last |= {"ended": error.message}
    if not databases:
        return Unknown(last.get("ended") or "it has no database that this role may enter")
    look = DeepLook(
        seconds=round(last["seconds"]),
        databases=tuple(databases),
        ended=last.get("ended", "the process that looked ended"),
    )
    return Known(look, f"looked at {last['how']}")


def _messages(system: System, directory: str, seconds: int, enough: Enough) -> Iterator[dict[str, Any]]:
    """Raises ServerError: it is not running, cannot be reached, or the connection was lost."""
    running = running_server(system, directory)
    if isinstance(running, Stopped):
        raise ServerError("the server is not running")
    # As long a pause between two lines as one statement may take.
    request = dataclasses.replace(
        request_to(system, reachable(system, running)), deep=seconds, pause=float(seconds)
    )
    with closing(lines_of(request, environment_of(system), enough)) as lines:
        for line in lines:
            if "unreached" in (message := json.loads(line)):
                raise ServerError("; ".join(message["unreached"]))
            yield message


def _database(load: Mapping[str, Any], how: str) -> DeepDatabase:
    refused: Mapping[str, str] = load["refused"]

    def fact(name: str, source: str, made: Callable[[Mapping[str, Any]], T]) -> Fact[T]:
        if name in load:
            return Known(made(load[name]), f"{source} {how}")
        return Unknown(refused.get(name, refused.get("", "the server did not report it")))

    return DeepDatabase(
        database=load["database"],
        indexes=fact("index", "bt_index_check", lambda counts: CheckedCount(**counts)),
        tables=fact("table", "verify_heapam", lambda counts: CheckedCount(**counts)),
        damaged=tuple(
            DamagedRelation(**entry)
            for kind in ("index", "table")
            for entry in load.get(f"damaged {kind}", ())
        ),
        cut_off=DamagedRelation(**load["cut_off"]) if load["cut_off"] else None,
        orphans=fact("orphans", "pg_ls_dir", _orphans),
    )


def _orphans(load: Mapping[str, Any]) -> OrphanedFiles:
    return OrphanedFiles(files=load["files"], bytes=load["bytes"], paths=tuple(load["paths"]))

"""Looks for orphaned files twice, with a pause between; runs in the process that queries a server."""

from __future__ import annotations

import json
import time
from typing import Any

import psycopg

from tunewiz.collect.postgres.orphan_queries import (
    FIRST_CONTROL,
    LIMIT,
    MARGIN,
    PAUSE,
    STILL_UNKNOWN,
    UNKNOWN_FILES,
    WHY_NOT,
    version_in_paths,
)
from tunewiz.collect.postgres.queries import LIMITS
from tunewiz.collect.postgres.safe_connection import Connection, Statement

STATEMENT_LIMIT = "5s"
SHOWN = 5
TOO_OLD = "before 9.6 the server does not tell when its last checkpoint was"


class OrphanSearch:
    """One database's files; what looked orphaned at first is looked up again at the end."""

    def __init__(self, connection: Connection) -> None:
        """Take the first look; raises psycopg.Error."""
        self._connection, self._limit = connection, 0.0
        self._first: list[tuple[Any, ...]] = []
        self.why = self._why_not()
        if not self.why:
            ((limit,),) = self._rows(LIMIT)
            self._limit = limit - MARGIN
            version = version_in_paths(connection.info.server_version)
            self._first = self._rows(UNKNOWN_FILES, (version, self._limit))
        self._looked = time.monotonic()

    def result(self) -> dict[str, object]:
        """What both looks agree on; raises psycopg.Error."""
        if not self._first:
            return {"files": 0, "bytes": 0, "paths": []}
        time.sleep(max(0.0, PAUSE - (time.monotonic() - self._looked)))
        names = ("path", "tablespace", "number")
        again = json.dumps([dict(zip(names, row, strict=True)) for row in self._first])
        rows = self._rows(STILL_UNKNOWN, (again, self._limit))
        return {
            "files": len(rows),
            "bytes": sum(size for _, size in rows),
            "paths": [path for path, _ in rows[:SHOWN]],
        }

    def _why_not(self) -> str:
        if self._connection.info.server_version < FIRST_CONTROL:
            return TOO_OLD
        ((why,),) = self._rows(WHY_NOT)
        return str(why)

    def _rows(self, statement: Statement, values: tuple[object, ...] | None = None) -> list[tuple[Any, ...]]:
        with self._connection.transaction():
            self._connection.execute(LIMITS, (STATEMENT_LIMIT,))
            return self._connection.execute(statement, values).fetchall()


def orphans_in(search: OrphanSearch) -> tuple[dict[str, object] | None, str]:
    """What was found, or why nothing can be said."""
    if search.why:
        return None, search.why
    try:
        return search.result(), ""
    except psycopg.Error as error:
        if not isinstance(error, psycopg.errors.QueryCanceled):
            raise
        return None, f"listing the files took more than {STATEMENT_LIMIT}"

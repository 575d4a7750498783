"""A deep look at every database of a server: amcheck and orphaned files, in the process that queries it."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

import psycopg

from tunewiz.collect.postgres.amcheck_session import (
    ReadingPace,
    RelationCheck,
    RelationKind,
    Row,
    check_relations,
)
from tunewiz.collect.postgres.deep_queries import (
    CHECKER,
    DATABASES,
    FIRST_AMCHECK,
    FIRST_HEAP_CHECK,
    IS_AVAILABLE,
    LOCKED_INDEXES,
    LOCKED_TABLES,
    TABLES,
    index_query,
)
from tunewiz.collect.postgres.orphans import OrphanSearch, orphans_in
from tunewiz.collect.postgres.protocol import Attempt, Request
from tunewiz.collect.postgres.queries import LIMITS
from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.collect.postgres.session import connect, connected, one_line, role_and_place

LISTING_LIMIT = "5s"
NO_TIME = "the time was over before"
ENDED = "the look had ended"
_FUNCTIONS: dict[RelationKind, str] = {"index": "bt_index_check", "table": "verify_heapam"}


class Stop:
    """Standard input ended: whatever runs in the server is cancelled, and nothing else begins."""

    def __init__(self) -> None:
        """Listen from now on."""
        self._is_set, self._current = threading.Event(), list[Connection]()
        threading.Thread(target=self._listen, daemon=True).start()

    def is_set(self) -> bool:
        """Whether to stop."""
        return self._is_set.is_set()

    @contextmanager
    def cancels(self, connection: Connection) -> Generator[None]:
        """Its statements are cancelled by a stop that comes meanwhile."""
        self._current.append(connection)
        try:
            yield
        finally:
            self._current.remove(connection)

    def _listen(self) -> None:
        # Not by a buffered reader: its lock, held by a thread like this, would break the end of the process.
        while os.read(sys.stdin.fileno(), 1):
            pass
        self._is_set.set()
        for connection in tuple(self._current):
            connection.cancel()


def look_deeper(attempt: Attempt, request: Request) -> None:
    """Print what is found, a database a line, until the time is over or standard input ends.

    Raises:
        psycopg.Error: No connection.
        WrongServerError: Another server answered, or one older than 9.5.
    """
    with connected(attempt, request) as connection:
        how = role_and_place(connection, attempt)
        with connection.transaction():
            names = [name for (name,) in connection.execute(DATABASES).fetchall()]
    begin, stop = time.monotonic(), Stop()
    look = _Look(until=begin + request.deep, stop=stop)
    for number, name in enumerate(names):
        _print(how, begin, doing=name)
        result = look.at(name, {**attempt.conninfo, "dbname": name}, len(names) - number)
        _print(how, begin, database=result)
        if look.lost:
            break
    _print(how, begin, ended=look.lost or ("it was stopped early" if stop.is_set() else ""))


def _print(how: str, begin: float, **message: object) -> None:
    passed = time.monotonic() - begin
    print(json.dumps({"how": how, "seconds": passed, **message}), flush=True)  # noqa: T201 - the answer


class _Look:
    """What is shared by all databases: the time that is left, and how fast relations were read."""

    def __init__(self, *, until: float, stop: Stop) -> None:
        self._until, self._stop = until, stop
        self._pace = ReadingPace(stopped=stop.is_set)
        self._is_first = True
        self.lost = ""
        """Where a connection was lost: a damaged page may end its process, so nothing more is read."""

    def at(self, name: str, conninfo: dict[str, str], remaining: int) -> dict[str, object]:
        """One database, in its share of what is left; what it refuses takes nothing else with it."""
        result: dict[str, object] = {"database": name, "refused": {}, "cut_off": None}
        left = self._until - time.monotonic()
        if left <= 0 or self._stop.is_set():
            return {**result, "refused": {"": NO_TIME}}
        try:
            with connect(conninfo) as connection, self._stop.cancels(connection):
                self._inside(connection, result, time.monotonic() + left / remaining)
        # A database in SQL_ASCII may give texts that are in no encoding.
        except (psycopg.Error, UnicodeDecodeError) as error:
            _refuse(result, "", one_line(error))
        self._is_first = False
        return result

    def _inside(self, connection: Connection, result: dict[str, object], until: float) -> None:
        search = self._search(connection, result)
        for kind in ("index", "table"):
            if not self.lost:
                self._check(connection, kind, result, until)
        if self.lost:
            return
        if search is not None:
            orphans, why = orphans_in(search)
            if why:
                _refuse(result, "orphans", why)
            else:
                result["orphans"] = orphans

    def _search(self, connection: Connection, result: dict[str, object]) -> OrphanSearch | None:
        try:
            return OrphanSearch(connection)
        except psycopg.Error as error:
            if connection.closed:
                raise
            _refuse(result, "orphans", one_line(error))
            return None

    def _check(
        self, connection: Connection, kind: RelationKind, result: dict[str, object], until: float
    ) -> None:
        schema, why = checker_of(connection, kind)
        if why:
            _refuse(result, kind, why)
            return
        try:
            rows, locked = self._listed(connection, kind)
        except psycopg.Error as error:
            if connection.closed:
                raise
            _refuse(result, kind, one_line(error))
            return
        tally = check_relations(connection, rows, RelationCheck(kind=kind, schema=schema), until, self._pace)
        if tally.lost:
            self.lost = f"the connection was lost while {tally.lost}"
            result["cut_off"] = tally.cut_off
            _refuse(result, "", ENDED)
        tally.total += locked
        tally.locked += locked
        result[kind] = tally.counts()
        result[f"damaged {kind}"] = tally.damaged

    def _listed(self, connection: Connection, kind: RelationKind) -> tuple[list[Row], int]:
        is_index = kind == "index"
        relations = index_query(connection.info.server_version) if is_index else TABLES
        with connection.transaction():
            connection.execute(LIMITS, (LISTING_LIMIT,))
            rows = connection.execute(relations, (self._is_first,)).fetchall()
            ((locked,),) = connection.execute(LOCKED_INDEXES if is_index else LOCKED_TABLES).fetchall()
        return rows, locked


def checker_of(connection: Connection, kind: RelationKind) -> tuple[str, str]:
    """The schema of the function that checks, or why it cannot be run; raises psycopg.Error."""
    release = connection.info.server_version
    if release < (FIRST_AMCHECK if kind == "index" else FIRST_HEAP_CHECK):
        return "", "amcheck came with 10" if kind == "index" else "amcheck reads tables from 14 on"
    with connection.transaction():
        row = connection.execute(CHECKER, (_FUNCTIONS[kind],)).fetchone()
        if row is None:
            return "", _not_installed(connection)
    version, schema, may_use, may_run = row
    if may_run is None:
        return "", f"amcheck {version} has no {_FUNCTIONS[kind]}: run ALTER EXTENSION amcheck UPDATE"
    if may_use and may_run:
        return schema, ""
    return "", f"this role may not run {_FUNCTIONS[kind]}: a superuser may, or grants EXECUTE on it"


def _not_installed(connection: Connection) -> str:
    ((is_available,),) = connection.execute(IS_AVAILABLE).fetchall()
    if is_available:
        return "amcheck is not installed in it: a superuser runs CREATE EXTENSION amcheck"
    return "the server has no amcheck: install its contrib package, then run CREATE EXTENSION amcheck"


def _refuse(result: dict[str, object], name: str, why: str) -> None:
    refused = result["refused"]
    assert isinstance(refused, dict)  # noqa: S101 - made above
    refused[name] = why

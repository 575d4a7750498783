"""One session with a server: read only, with a time limit on every statement.

It runs in a process of its own (client_process), the only one that loads psycopg.
"""

from __future__ import annotations

import os
import re
import socket
import struct
import time
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager

import psycopg
from psycopg.conninfo import make_conninfo

from tunewiz.collect.postgres.counter_queries import counter_queries
from tunewiz.collect.postgres.extension_views import ask_extensions
from tunewiz.collect.postgres.health import health_query
from tunewiz.collect.postgres.protocol import Answer, Attempt, Request, SettingsRow
from tunewiz.collect.postgres.queries import (
    COLUMNS,
    DATABASES,
    IDENTITY,
    LIMITS,
    ROWS,
    Query,
    queries,
)
from tunewiz.collect.postgres.replication import replication_query
from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.collect.postgres.slru import slru_queries
from tunewiz.collect.postgres.table_queries import BUSIEST_DATABASES
from tunewiz.collect.postgres.tables_session import tables_as_json

CONNECT_SECONDS = 5
STATEMENT_LIMIT = "5s"
OLDEST_RELEASE = 90_500
COUNTING_SECONDS = 5
"""After which no further database is entered."""
CLOCK_SLACK = 60
"""Seconds by which the start in postmaster.pid and the one that the server tells may differ."""

_CREDENTIALS = struct.Struct("3i")
"""Process, user and group number of struct ucred."""
_REPEATED = re.compile(r"^(connection \w+( \w+)?: )?connection to server (on socket|at) .*? failed: ")
"""What libpq says before the reason, and what the attempt says already."""


class WrongServerError(Exception):
    """A different or unsupported server answered."""


def converse(attempt: Attempt, request: Request) -> Answer:
    """Connect and ask everything.

    Raises:
        psycopg.Error: No connection, or no pg_settings.
        UnicodeDecodeError: A text that is in no encoding (a database in SQL_ASCII).
        WrongServerError: Another server answered, or one older than 9.5.
    """
    with connected(attempt, request) as connection:
        rows = tuple(SettingsRow(**dict(zip(COLUMNS, row, strict=True))) for row in connection.settings())
        connection.execute(LIMITS, (STATEMENT_LIMIT,))
        return _answer(connection, attempt, rows)


@contextmanager
def connected(attempt: Attempt, request: Request) -> Generator[Connection]:
    """A session with the server that is meant, in which nothing can be written."""
    with connect(attempt.conninfo) as connection:
        listener, release = _listener(connection.fileno()), connection.info.server_version
        if listener not in {0, request.pid}:
            raise WrongServerError(f"another server answers there, process {listener}")
        if release < OLDEST_RELEASE:
            version = connection.info.parameter_status("server_version")
            raise WrongServerError(
                f"PostgreSQL {version} answers, and 9.5 is the oldest that can be planned for"
            )
        if not listener:
            with connection.transaction():
                _compare(connection, request)
        yield connection


@contextmanager
def connect(conninfo: Mapping[str, str]) -> Generator[Connection]:
    """A session in which nothing can be written; raises psycopg.Error."""
    where = make_conninfo("", **conninfo, fallback_application_name="tunewiz", client_encoding="utf8")
    with psycopg.connect(where, connect_timeout=CONNECT_SECONDS) as connection:
        connection.read_only = True
        yield Connection(connection)


def _answer(connection: Connection, attempt: Attempt, rows: tuple[SettingsRow, ...]) -> Answer:
    result, refused = dict[str, str | int](), dict[str, str]()
    release = connection.info.server_version
    results = (
        *queries(release),
        *counter_queries(release),
        replication_query(release),
        health_query(release),
        *slru_queries(release),
    )
    for query in results:
        ask(connection, query, result, refused)
    _count_rows(connection, attempt, result, refused)
    _read_tables(connection, attempt, result, refused)
    return Answer(
        how=role_and_place(connection, attempt),
        release=release,
        version=connection.info.parameter_status("server_version") or "",
        socket_directory=connection.info.host if _listener(connection.fileno()) else "",
        rows=rows,
        texts={name: value for name, value in result.items() if isinstance(value, str)},
        numbers={name: value for name, value in result.items() if isinstance(value, int)},
        refused=refused,
    )


def role_and_place(connection: Connection, attempt: Attempt) -> str:
    """`as postgres over /var/run/postgresql, port 5432`."""
    return f"as {connection.info.user} over {attempt.place}"


def _count_rows(
    connection: Connection,
    attempt: Attempt,
    results: dict[str, str | int],
    refused: dict[str, str],
) -> None:
    """Add up what every database counts for itself; one that cannot be entered takes nothing else with it."""
    sums, until = dict[str, int](), time.monotonic() + COUNTING_SECONDS
    for (name,) in connection.execute(DATABASES).fetchall():
        if time.monotonic() > until:
            break
        here = dict[str, str | int]()
        try:
            with connect({**attempt.conninfo, "dbname": name}) as inside:
                inside.execute(LIMITS, (STATEMENT_LIMIT,))
                ask(inside, ROWS, here, refused)
                ask_extensions(inside, results, refused)
        except psycopg.Error as error:
            refused.update(dict.fromkeys(ROWS.columns, one_line(error)))
            continue
        for column in ROWS.columns:
            sums[column] = sums.get(column, 0) + int(here.get(column, 0))
    results.update(sums)


def _read_tables(
    connection: Connection,
    attempt: Attempt,
    results: dict[str, str | int],
    refused: dict[str, str],
) -> None:
    """Ask the busiest databases about their tables; what one of them refuses takes nothing else with it."""
    try:
        with connection.transaction():
            names = [name for (name,) in connection.execute(BUSIEST_DATABASES).fetchall()]
    except psycopg.Error as error:
        refused["tables"] = one_line(error)
        return

    def inside(name: str) -> AbstractContextManager[Connection]:
        return connect({**attempt.conninfo, "dbname": name})

    results["tables"] = tables_as_json(names, inside, ask, one_line)


def _listener(descriptor: int) -> int:
    """The process that listens at the other end of a Unix socket (unix(7), SO_PEERCRED); 0 over the network.

    The kernel remembers it since the server began to listen: no better proof of which server this is.
    """
    with socket.socket(fileno=os.dup(descriptor)) as connected:
        if connected.family != socket.AF_UNIX:
            return 0
        credentials = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        return int(_CREDENTIALS.unpack(credentials)[0])


def _compare(connection: Connection, request: Request) -> None:
    """Over the network, port and start must be those that are known here; raises WrongServerError."""
    port, started = connection.execute(IDENTITY).fetchone() or (0, 0)
    if not request.started or not request.port:
        raise WrongServerError("a server answers there, but it cannot be told whether it is this one")
    if port != request.port or abs(started - request.started) > CLOCK_SLACK:
        raise WrongServerError(f"another server answers there, its port is {port}")


def ask(
    connection: Connection,
    query: Query,
    results: dict[str, str | int],
    refused: dict[str, str],
) -> None:
    """Ask one thing; a statement that fails takes nothing else with it."""
    try:
        with connection.transaction():
            values = connection.execute(query.sql).fetchone() or ()
    except psycopg.Error as error:
        refused.update(dict.fromkeys(query.columns, one_line(error)))
        return
    for name, value in zip(query.columns, values, strict=True):
        if value is None:
            refused[name] = "the server has none"
        else:
            results[name] = value


def one_line(error: Exception) -> str:
    """What went wrong, without the lines that repeat the statement and the words that repeat the way."""
    diagnosis = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    lines = [" ".join(line.split()) for line in (diagnosis or str(error)).splitlines()]
    return "; ".join(_REPEATED.sub("", line) for line in lines if line) or type(error).__name__

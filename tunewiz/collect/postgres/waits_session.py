"""Samples what active sessions wait for: runs in the process that queries a server."""

from __future__ import annotations

import json
import math
import time

import psycopg

from tunewiz.collect.postgres.protocol import Attempt, Request
from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.collect.postgres.session import connected, one_line, role_and_place
from tunewiz.collect.postgres.waits import CHAINS, FIRST_EVENTS, WAIT_PAUSE, WaitSample, sample_query
from tunewiz.collect.postgres.waits_meanwhile import REST, one_value
from tunewiz.collect.postgres.watching_session import told_to_stop

FEWEST = 20
"""Samples at least: on a slow server they cost more than that."""


def sample_waits(attempt: Attempt, request: Request) -> None:
    """Print one WaitSample a line until the time is over, standard input ends, or the connection breaks.

    Raises:
        psycopg.Error: No connection.
        WrongServerError: Another server answered, or one older than 9.5.
    """
    with connected(attempt, request) as connection:
        try:
            _sample_on(connection, request.waits, role_and_place(connection, attempt))
        except psycopg.Error as error:
            print(json.dumps({"unreached": [f"the connection was lost: {one_line(error)}"]}))  # noqa: T201 - the answer


def _sample_on(connection: Connection, seconds: int, how: str) -> None:
    statement, begin = sample_query(connection.info.server_version), time.monotonic()
    waited, passed, over, fastest = False, 0.0, False, math.inf
    while not over:
        before = time.monotonic()
        counts = json.loads(one_value(connection, statement))
        fastest = min(fastest, time.monotonic() - before)
        waited = waited or any(kind == "Lock" for kind, _, _ in counts)
        print(WaitSample(seconds=passed, how=how, counts=tuple(counts)).to_json(), flush=True)  # noqa: T201 - the answer
        pause = max(WAIT_PAUSE, min(REST * fastest, seconds / FEWEST))
        over = told_to_stop(max(0.0, min(pause, seconds - passed)))
        passed = time.monotonic() - begin
        over = over or passed >= seconds
    blocked = _blocked(connection) if waited else ()
    print(WaitSample(seconds=passed, how=how, blocked=blocked).to_json(), flush=True)  # noqa: T201 - the answer


def _blocked(connection: Connection) -> tuple[dict[str, object], ...]:
    """Who blocks whom, asked once; nobody where the server cannot tell."""
    if connection.info.server_version < FIRST_EVENTS:
        return ()
    return tuple(json.loads(one_value(connection, CHAINS)))

"""Samples a server repeatedly over one session: runs in the process that queries a server."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from dataclasses import replace

import psycopg

from tunewiz.collect.postgres.counter_queries import counters_while_watching
from tunewiz.collect.postgres.protocol import Attempt, Request
from tunewiz.collect.postgres.queries import LIMITS, Query, watching
from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.collect.postgres.samples import Sample
from tunewiz.collect.postgres.session import STATEMENT_LIMIT, ask, connected, one_line, role_and_place
from tunewiz.collect.postgres.statement_tally import StatementTally
from tunewiz.collect.postgres.waits_meanwhile import WaitSampler


def watch(attempt: Attempt, request: Request) -> None:
    """Print one Sample a line until the time is over, standard input ends, or the connection breaks.

    Raises:
        psycopg.Error: No connection.
        WrongServerError: Another server answered, or one older than 9.5.
    """
    with connected(attempt, request) as connection:
        try:
            _look_on(connection, attempt, request)
        except psycopg.Error as error:
            print(json.dumps({"unreached": [f"the connection was lost: {one_line(error)}"]}))  # noqa: T201 - the answer


def _look_on(connection: Connection, attempt: Attempt, request: Request) -> None:
    """At once, then from time to time, and at the end."""
    seconds, pause = request.watch, request.pause
    release, how = connection.info.server_version, role_and_place(connection, attempt)
    results = (*watching(release), *counters_while_watching(release))
    tally = StatementTally(connection, attempt) if request.statements else None
    waits = WaitSampler(connection, request.wait_pause) if request.wait_pause else None
    begin = time.monotonic()
    passed, over = 0.0, False
    while True:
        sample = _look(connection, results, passed, how)
        sample = waits.added_to(sample) if waits else sample
        over = over or passed >= seconds
        if over and tally is not None:
            sample = replace(sample, statements=tally.increase(connection))
        print(sample.to_json(), flush=True)  # noqa: T201 - the answer
        if over:
            return
        over = _rested(min(pause, seconds - passed), waits)
        passed = time.monotonic() - begin


def _look(connection: Connection, results: tuple[Query, ...], passed: float, how: str) -> Sample:
    """One look, in a transaction of its own: nothing is held while the process waits."""
    result, refused = dict[str, str | int](), dict[str, str]()
    with connection.transaction():
        connection.execute(LIMITS, (STATEMENT_LIMIT,))
        for query in results:
            ask(connection, query, result, refused)
    numbers = {name: value for name, value in result.items() if isinstance(value, int)}
    return Sample(seconds=passed, at=time.time(), how=how, numbers=numbers, refused=refused)


def _rested(seconds: float, waits: WaitSampler | None) -> bool:
    """Let the time pass, and sample waits meanwhile; returns whether it is enough."""
    if waits is None:
        return told_to_stop(seconds)
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if told_to_stop(min(left, waits.until_next())):
            return True
        if not waits.until_next():
            waits.look()
    return False


def told_to_stop(seconds: float) -> bool:
    """Whether standard input ended, or said anything, within that time."""
    readable, _, _ = select.select([sys.stdin.fileno()], [], [], seconds)
    return bool(readable and os.read(sys.stdin.fileno(), 1) in (b"", b"\n"))

"""Reads the tables of the busiest databases, a session for each, within a few seconds in all."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import TypeAlias

import psycopg

from tunewiz.collect.postgres.design_queries import design_queries
from tunewiz.collect.postgres.queries import LIMITS, Query
from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.collect.postgres.table_queries import table_queries

SECONDS = 4
"""For all databases together: whoever asks waits for the settings too, and not for long."""
STATEMENT_SECONDS = 2
NO_TIME = f"the databases before it took the {SECONDS} seconds that there are for all"

Connect: TypeAlias = Callable[[str], AbstractContextManager[Connection]]
Ask: TypeAlias = Callable[[Connection, Query, dict[str, str | int], dict[str, str]], None]
OneLine: TypeAlias = Callable[[Exception], str]


def tables_as_json(databases: Iterable[str], connect: Connect, ask: Ask, one_line: OneLine) -> str:
    """What each database tells, as `tables_of` reads it: a list of `database`, `found` and `refused`.

    Args:
        databases: By name, in the order in which they are entered.
        connect: Opens a session with the database of that name, in which nothing can be written.
        ask: Asks one thing there.
        one_line: A failure in words.
    """
    return json.dumps(list(_each(databases, connect, ask, one_line)))


def _each(
    databases: Iterable[str], connect: Connect, ask: Ask, one_line: OneLine
) -> Iterator[dict[str, object]]:
    until = time.monotonic() + SECONDS
    for name in databases:
        result, refused = dict[str, str | int](), dict[str, str]()
        try:
            if time.monotonic() < until:
                with connect(name) as inside:
                    _ask_all(inside, ask, result, refused, until)
            else:
                refused[""] = NO_TIME
        # A database in SQL_ASCII may give texts that are in no encoding.
        except (psycopg.Error, UnicodeDecodeError) as error:
            refused[""] = one_line(error)
        yield {"database": name, "found": result, "refused": refused}


def _ask_all(
    inside: Connection, ask: Ask, results: dict[str, str | int], refused: dict[str, str], until: float
) -> None:
    release = inside.info.server_version
    for query in (*table_queries(release), *design_queries(release)):
        left = min(STATEMENT_SECONDS, until - time.monotonic())
        if left <= 0:
            refused.update(dict.fromkeys(query.columns, NO_TIME))
            continue
        inside.execute(LIMITS, (f"{max(1, int(1_000 * left))}ms",))
        ask(inside, query, results, refused)

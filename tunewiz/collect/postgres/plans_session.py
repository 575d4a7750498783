"""Has a server plan its own most expensive statements, as it is set and under other planner settings.

Nothing is run: EXPLAIN without ANALYZE, in transactions that are read only, have limits on time and locks,
and are rolled back. Runs in the process that queries a server.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, LiteralString, TypeAlias

import psycopg

from tunewiz.collect.postgres.client import PLANNING_SECONDS
from tunewiz.collect.postgres.plans import FORCED, GENERIC
from tunewiz.collect.postgres.protocol import Attempt, Request, ToPlan
from tunewiz.collect.postgres.queries import LIMITS
from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.collect.postgres.session import connect, connected, one_line
from tunewiz.collect.postgres.statements_session import (
    counting,
    failure,
    top_statements,
    why_not_planned,
)
from tunewiz.core.proof.statement_text import is_planned, parts

STATEMENT_SECONDS = 5
LOCK_WAIT = "200ms"
"""Planning waits for whoever locks a table, and others would queue behind it."""
NUMBERED = 100_000
"""From 10 on a constant is `$1` in pg_stat_statements; before, each was `?`."""
TOO_OLD = "before PostgreSQL 12 a statement with parameters cannot be planned without their values"
NO_TIME = f"earlier statements used up the {PLANNING_SECONDS} seconds for planning"
NO_PLAN = "it has no query plan (a utility command, or an incomplete statement)"
NOT_TOLD = "its text cannot be read by this role (grant it pg_read_all_stats)"

Statement: TypeAlias = Mapping[str, Any]

SET: LiteralString = "select pg_catalog.set_config(%s, %s, true)"
# As the statement's own role has it in that database: the closest of what ALTER ROLE and ALTER DATABASE set.
_SEARCH_PATH: LiteralString = """
    select pg_catalog.substr(c, 13) from pg_catalog.pg_db_role_setting as s
    left join pg_catalog.pg_database as d on d.oid = s.setdatabase
    left join pg_catalog.pg_roles as r on r.oid = s.setrole
    cross join pg_catalog.unnest(s.setconfig) as c
    where c like 'search\\_path=%%' and (s.setdatabase = 0 or d.datname = current_database())
          and (s.setrole = 0 or r.rolname = %s)
    order by s.setrole = 0, s.setdatabase = 0 limit 1"""


def plan_statements(attempt: Attempt, request: Request, task: ToPlan) -> str:
    """The statements with both plans or why there are none, as JSON.

    Raises:
        psycopg.Error: No connection.
        WrongServerError: Another server answered, or one older than 9.5.
    """
    until = time.monotonic() + PLANNING_SECONDS
    with connected(attempt, request) as connection:
        try:
            with counting(connection, attempt) as (inside, counters):
                whole, statements = top_statements(inside, counters, task.count)
        except (LookupError, psycopg.Error) as error:
            return json.dumps({"refused": failure(error)})
        release = connection.info.server_version
    result = list(_by_database(statements, attempt, task, until))
    return json.dumps({"refused": "", "release": release, "milliseconds": whole, "statements": result})


def _by_database(
    statements: Sequence[Statement], attempt: Attempt, task: ToPlan, until: float
) -> Iterator[dict[str, Any]]:
    """A session for each database."""
    for name in dict.fromkeys(statement["database"] for statement in statements):
        here = [statement for statement in statements if statement["database"] == name]
        try:
            with connect({**attempt.conninfo, "dbname": name}) as inside:
                for statement in here:
                    yield {**statement, **_planned(inside, statement, task.settings, until)}
        except psycopg.Error as error:
            yield from ({**row, "why": one_line(error)} for row in here)


def _planned(
    connection: Connection, statement: Statement, settings: Mapping[str, str], until: float
) -> dict[str, Any]:
    text, left = statement["text"] or "", until - time.monotonic()
    if not text or text == "<insufficient privilege>":
        return {"why": NOT_TOLD}
    if not is_planned(text):
        return {"why": NO_PLAN}
    if left <= 0:
        return {"why": NO_TIME}
    try:
        with connection.transaction(force_rollback=True):
            return _both(connection, statement, settings, min(left, STATEMENT_SECONDS))
    except psycopg.Error as error:
        if connection.closed:
            raise
        return {"why": one_line(error)}


def _both(
    connection: Connection, statement: Statement, settings: Mapping[str, str], seconds: float
) -> dict[str, Any]:
    # Limits and the empty search path come first, so that our own queries call nobody else's functions.
    connection.execute(LIMITS, (f"{max(1, int(1_000 * seconds))}ms",))
    connection.execute(SET, ("lock_timeout", LOCK_WAIT))
    if connection.info.parameter_status("is_superuser") == "on":
        # A statement that cannot be planned is not the server's problem: its text stays out of the log.
        connection.execute(SET, ("log_min_messages", "fatal"))
    path = connection.execute(_SEARCH_PATH, (statement["role"],)).fetchone()
    if why := why_not_planned(connection):
        return {"why": why}
    connection.execute(SET, ("search_path", _path(path, statement["role"])))
    text = statement["text"]
    before = explained(connection, text)
    for name, value in settings.items():
        connection.execute(SET, (name, value))
    return {"before": before, "after": explained(connection, text) if settings else before}


def _path(results: tuple[Any, ...] | None, role: str) -> str:
    """PostgreSQL's default where nobody set one; `$user` is the statement's role."""
    own = '"' + role.replace('"', '""') + '"'
    return (results[0] if results else '"$user", public').replace('"$user"', own)


def explained(connection: Connection, text: str) -> object:
    """The plan; raises psycopg.Error.

    A text cannot add a second statement: the extended protocol refuses it, and the simple one, which
    GENERIC_PLAN needs, is used only for text without a semicolon.
    """
    release = connection.info.server_version
    if release < NUMBERED and ("other", "?") in parts(text):
        raise psycopg.NotSupportedError(TOO_OLD)
    if not any(kind == "parameter" for kind, _ in parts(text)):
        return _one(connection, f"explain (verbose, format json) {text}", extended=True)
    if release >= GENERIC and ";" not in text:
        return _one(connection, f"explain (generic_plan, verbose, format json) {text}", extended=False)
    if release < FORCED:
        raise psycopg.NotSupportedError(TOO_OLD)
    return _prepared(connection, text)


def _prepared(connection: Connection, text: str) -> object:
    connection.execute(SET, ("plan_cache_mode", "force_generic_plan"))
    connection.execute(f"prepare tunewiz as {text}".encode(), binary=True)
    taken = connection.execute(
        """select pg_catalog.cardinality(parameter_types) from pg_catalog.pg_prepared_statements
           where name operator(pg_catalog.=) 'tunewiz'"""
    ).fetchone()
    values = ", ".join(["null"] * (taken[0] if taken else 0))
    try:
        return _one(connection, f"explain (verbose, format json) execute tunewiz({values})", extended=True)
    finally:
        connection.execute("deallocate tunewiz")


def _one(connection: Connection, statement: str, *, extended: bool) -> object:
    row = connection.execute(statement.encode(), binary=extended).fetchone()
    return row[0] if row else None

"""Examines a database's statements for scripts: which are safe to run, and where values come from.

Nothing is run: EXPLAIN without ANALYZE, in transactions that are read only, have limits on time and locks,
and are rolled back. Runs in the process that queries a server.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, LiteralString

import psycopg

from tunewiz.collect.postgres.client import PLANNING_SECONDS
from tunewiz.collect.postgres.plans_session import (
    LOCK_WAIT,
    NO_TIME,
    NOT_TOLD,
    SET,
    STATEMENT_SECONDS,
    explained,
)
from tunewiz.collect.postgres.protocol import Attempt, Request, ToScript
from tunewiz.collect.postgres.queries import LIMITS
from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.collect.postgres.safe_statements import why_not_safe
from tunewiz.collect.postgres.session import connect, connected, one_line
from tunewiz.collect.postgres.statements_session import (
    counting,
    failure,
    top_statements,
    why_not_planned,
)
from tunewiz.core.proof.script_statement import on_one_line, why_left_out
from tunewiz.core.proof.statement_parameters import Column, compared_columns, limits, parameters

Statement = Mapping[str, Any]
ELSEWHERE = "it ran in another database"
MOST_COUNTED = 10_000
"""Statements of all databases that are read: pg_stat_statements.max is 5,000 by default."""

_RESET: LiteralString = "select reset_val from pg_catalog.pg_settings where name = 'search_path'"
_STATISTICS: LiteralString = """
    select t.typname, pg_catalog.format_type(a.atttypid, -1), t.typtype, t.typcategory,
           s.most_common_vals::text::text[], s.most_common_freqs, s.histogram_bounds::text::text[]
    from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_catalog.pg_type as t on t.oid = a.atttypid
    left join pg_catalog.pg_stats as s
         on s.schemaname = n.nspname and s.tablename = c.relname and s.attname = a.attname
    where n.nspname = %s and c.relname = %s and a.attname = %s order by s.inherited limit 1"""
_TYPES_KNOWN = ("b", "e", "r")
"""Base types, enumerations and ranges; domains are left out, since they may have checks."""
_ARRAYS_AND_SHAPES = ("A", "G", "P")
"""Categories whose statistics cannot be read as arrays of single values."""


def find_script_statements(attempt: Attempt, request: Request, task: ToScript) -> str:
    """The statements, each with the columns of its parameters or why it is left out, as JSON.

    Raises:
        psycopg.Error: No connection.
        WrongServerError: Another server answered, or one older than 9.5.
    """
    until = time.monotonic() + PLANNING_SECONDS
    with connected(attempt, request) as connection:
        try:
            whole, statements = _statements(connection, attempt, task)
        except (LookupError, psycopg.Error) as error:
            return json.dumps({"refused": failure(error)})
    try:
        with connect({**attempt.conninfo, "dbname": task.database}) as inside:
            path = _search_path(inside)
            script_statements = [*_all_examined(inside, statements, task, path, until)]
    except psycopg.Error as error:
        return json.dumps({"refused": one_line(error)})
    return json.dumps({"refused": "", "milliseconds": whole, "path": path, "statements": script_statements})


def _search_path(connection: Connection) -> str:
    """As the database's settings have it."""
    with connection.transaction():
        _limited(connection, STATEMENT_SECONDS)
        row = connection.execute(_RESET).fetchone()
    return str(row[0]) if row else ""


def _statements(
    connection: Connection, attempt: Attempt, task: ToScript
) -> tuple[float, Sequence[dict[str, Any]]]:
    """The execution time of all databases, and the statements, the most expensive first."""
    if task.logged is not None:
        names = ("text", "calls", "milliseconds")
        logged = [{name: getattr(statement, name) for name in names} for statement in task.logged]
        statements = [{**row, "database": task.database, "rows": 0} for row in logged]
        return sum(statement.milliseconds for statement in task.logged), statements
    with counting(connection, attempt) as (inside, counters):
        whole, counted = top_statements(inside, counters, MOST_COUNTED)
    return whole, [dict(row) for row in counted]


def _all_examined(
    connection: Connection, statements: Sequence[dict[str, Any]], task: ToScript, path: str, until: float
) -> Iterator[dict[str, Any]]:
    number = 0
    for statement in statements:
        elsewhere = statement["database"] != task.database
        number += not elsewhere
        if elsewhere:
            yield {**statement, "why": ELSEWHERE}
        elif number > task.count:
            yield {**statement, "why": f"it is not among the {task.count} most expensive statements"}
        else:
            yield {**statement, **_examined(connection, statement, task, path, until)}


def _examined(
    connection: Connection, statement: Statement, task: ToScript, path: str, until: float
) -> dict[str, Any]:
    text, left = str(statement["text"] or ""), until - time.monotonic()
    if not text or text == "<insufficient privilege>":
        return {"why": NOT_TOLD}
    if why := why_left_out(text, writes=task.writes):
        return {"why": why}
    if left <= 0:
        return {"why": NO_TIME}
    try:
        with connection.transaction(force_rollback=True):
            plan = _plan(connection, text, path, min(left, STATEMENT_SECONDS))
        if isinstance(plan, str):
            return {"why": plan}
        with connection.transaction(force_rollback=True):
            _limited(connection, STATEMENT_SECONDS)
            return _values(connection, text, plan)
    except psycopg.Error as error:
        if connection.closed:
            raise
        return {"why": one_line(error)}


def _limited(connection: Connection, seconds: float) -> None:
    """Limits and an empty search path, so that our own queries call nobody else's functions."""
    connection.execute(LIMITS, (f"{max(1, int(1_000 * seconds))}ms",))
    connection.execute(SET, ("lock_timeout", LOCK_WAIT))


def _plan(connection: Connection, text: str, path: str, seconds: float) -> object:
    """The plan, or why the statement is left out."""
    _limited(connection, seconds)
    if connection.info.parameter_status("is_superuser") == "on":
        # A statement that cannot be planned must not put its text into the server's log.
        connection.execute(SET, ("log_min_messages", "fatal"))
    if why := why_not_planned(connection) or why_not_safe(connection, text, ()):
        return why
    # The search path of the scripts' sessions: with another one, a name could mean another table.
    connection.execute(SET, ("search_path", path))
    return explained(connection, on_one_line(text))


def _values(connection: Connection, text: str, plan: object) -> dict[str, Any]:
    if why := why_not_safe(connection, text, plan):
        return {"why": why}
    columns, few = compared_columns(plan), limits(text)
    values = dict[str, Any]()
    for number in parameters(text):
        if number in few:
            continue
        column = columns.get(number)
        if column is None:
            return {"why": f"the plan does not compare ${number} for equality with a column"}
        statistics = _statistics(connection, column)
        if isinstance(statistics, str):
            return {"why": f"{column.table}.{column.name}: {statistics}"}
        values[str(number)] = statistics
    return {"why": "", "columns": values, "limits": sorted(few)}


def _statistics(connection: Connection, column: Column) -> dict[str, Any] | str:
    """The column's statistics, or why no values can be drawn from them."""
    # Values in a form that every session reads alike, and exactly (extra_float_digits).
    for name, value in (
        ("datestyle", "ISO, YMD"),
        ("intervalstyle", "postgres"),
        ("extra_float_digits", "3"),
    ):
        connection.execute(SET, (name, value))
    row = connection.execute(_STATISTICS, (column.schema, column.table, column.name)).fetchone()
    if row is None:
        return "it is not a column of a table"
    name, spelled, kind, category, common, frequencies, bounds = row
    if kind not in _TYPES_KNOWN or category in _ARRAYS_AND_SHAPES or ":" in spelled or "\\" in spelled:
        return f"tunewiz cannot draw values of type {spelled}"
    if not common and not bounds:
        return "it has no statistics (run ANALYZE), or they contain no values"
    type_name = name if spelled in ("smallint", "integer", "bigint") else spelled
    return {
        "type": type_name,
        "common": common or (),
        "frequencies": frequencies or (),
        "bounds": bounds or (),
    }

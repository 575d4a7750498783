"""Finds and reads pg_stat_statements; checks whether other users' statements may be planned here."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from tunewiz.collect.postgres.protocol import Attempt
from tunewiz.collect.postgres.queries import DATABASES, LIMITS
from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.collect.postgres.session import STATEMENT_LIMIT, connect, one_line

SEARCH_SECONDS = 5
"""After which no further database is looked into."""
NOT_CREATED = (
    "no database that could be opened has the extension pg_stat_statements "
    "(it is among the plan's advice: shared_preload_libraries, then CREATE EXTENSION)"
)

# Only the view that belongs to the extension: a schema of others may hold another one of that name.
_VIEW: LiteralString = """
    select n.nspname, array(select attname::text from pg_catalog.pg_attribute
                            where attrelid = c.oid and attnum > 0 and not attisdropped)
    from pg_catalog.pg_extension as e
    join pg_catalog.pg_depend as d on d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
         and d.refobjid = e.oid and d.deptype = 'e' and d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
    join pg_catalog.pg_class as c on c.oid = d.objid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where e.extname = 'pg_stat_statements' and c.relname = 'pg_stat_statements'"""

# Planning runs functions that are not volatile, and the operators of conditions on common values.
_FOREIGN_FUNCTION: LiteralString = """
    select r.rolname from pg_catalog.pg_proc as p join pg_catalog.pg_roles as r on r.oid = p.proowner
    where not r.rolsuper and not pg_catalog.pg_has_role(r.oid, current_user, 'MEMBER')
          and p.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype)
          and p.prolang not in (select oid from pg_catalog.pg_language where lanname in ('internal', 'c'))
    order by r.rolname limit 1"""
# Even reading a constant of its type, or of a row or array that holds it, runs a domain's check.
_FOREIGN_DOMAIN: LiteralString = """
    select r.rolname from pg_catalog.pg_type as t join pg_catalog.pg_roles as r on r.oid = t.typowner
    where t.typtype = 'd' and exists (select from pg_catalog.pg_constraint where contypid = t.oid
                                      and contype = 'c')
          and not r.rolsuper and not pg_catalog.pg_has_role(r.oid, current_user, 'MEMBER')
    order by r.rolname limit 1"""
_FOREIGN_VIEW: LiteralString = """
    select r.rolname from pg_catalog.pg_class as c join pg_catalog.pg_roles as r on r.oid = c.relowner
    where c.relkind in ('v', 'f') and not r.rolsuper
          and not pg_catalog.pg_has_role(r.oid, current_user, 'MEMBER')
    order by r.rolname limit 1"""


@dataclass(frozen=True, kw_only=True, slots=True)
class StatementCounters:
    """Where statements are counted."""

    database: str
    schema: str
    columns: frozenset[str]

    @property
    def time(self) -> sql.Identifier:
        """The column of the time in all calls: renamed in version 1.8 of the extension (PostgreSQL 13)."""
        return sql.Identifier("total_exec_time" if "total_exec_time" in self.columns else "total_time")

    @property
    def top(self) -> sql.SQL:
        """A condition that leaves statements within functions out, where they are told apart."""
        return sql.SQL("s.toplevel" if "toplevel" in self.columns else "true")

    def column(self, name: LiteralString, otherwise: LiteralString) -> sql.SQL | sql.Composed:
        """A column, or what stands for it in an older version of the extension."""
        return sql.SQL("s.{}").format(sql.Identifier(name)) if name in self.columns else sql.SQL(otherwise)


@contextmanager
def counting(connection: Connection, attempt: Attempt) -> Generator[tuple[Connection, StatementCounters]]:
    """A session in a database where the server's statements can be read, and where they stand.

    Raises:
        LookupError: No database has the extension; with the reason.
        psycopg.Error: The connection was lost.
    """
    here = _counters(connection)
    if here is not None:
        yield connection, here
        return
    until = time.monotonic() + SEARCH_SECONDS
    with connection.transaction():
        names = connection.execute(DATABASES).fetchall()
    for (name,) in names:
        if time.monotonic() > until:
            break
        with connect({**attempt.conninfo, "dbname": name}) as inside:
            counters = _counters(inside)
            if counters is not None:
                yield inside, counters
                return
    raise LookupError(NOT_CREATED)


def _counters(connection: Connection) -> StatementCounters | None:
    with connection.transaction():
        connection.execute(LIMITS, (STATEMENT_LIMIT,))
        counters = connection.execute(_VIEW).fetchone()
    if counters is None:
        return None
    return StatementCounters(
        database=connection.info.dbname, schema=counters[0], columns=frozenset(counters[1])
    )


def why_not_planned(connection: Connection) -> str:
    """Why statements of others must not be planned in this session; empty if they may.

    Planning a statement evaluates parts of it. Where a role with fewer rights wrote the functions or views
    that it uses, they would run with the rights of this session. Counts until the transaction ends.
    """
    foreign = connection.execute(_FOREIGN_FUNCTION).fetchone()
    if foreign is not None:
        return _foreign("functions", foreign[0])
    domain = connection.execute(_FOREIGN_DOMAIN).fetchone()
    if domain is not None:
        return _foreign("domains", domain[0])
    if connection.info.parameter_status("is_superuser") != "on":
        return ""
    view = connection.execute(_FOREIGN_VIEW).fetchone()
    return "" if view is None or _bars_views(connection) else _foreign("views", view[0])


def _foreign(what: str, role: str) -> str:
    return (
        f"the database has {what} of the role {role}, which planning could run with this session's rights: "
        f"connect as that role (--username) to have them planned"
    )


def _bars_views(connection: Connection) -> bool:
    """Whether users' views are now forbidden: 17 and recent minor releases of older majors can do so."""
    try:
        with connection.transaction():
            connection.execute("set local restrict_nonsystem_relation_kind = 'view, foreign-table'")
    except psycopg.errors.UndefinedObject:
        return False
    return True


def failure(error: Exception) -> str:
    """What went wrong, in one line."""
    return str(error) if isinstance(error, LookupError) else one_line(error)


def top_statements(
    connection: Connection, counters: StatementCounters, count: int
) -> tuple[float, Sequence[Mapping[str, Any]]]:
    """The time in all statements in ms, and the most expensive ones; raises psycopg.Error."""
    query = sql.SQL(
        """select s.queryid::text, d.datname, r.rolname, s.calls::bigint, s.{time}::float8, s.rows::bigint,
                  s.query, sum(s.{time}) over ()::float8
           from {schema}.pg_stat_statements as s join pg_catalog.pg_database as d on d.oid = s.dbid
           join pg_catalog.pg_roles as r on r.oid = s.userid
           where {top} and s.calls > 0 order by s.{time} desc limit %s"""
    ).format(time=counters.time, schema=sql.Identifier(counters.schema), top=counters.top)
    with connection.transaction():
        connection.execute(LIMITS, (STATEMENT_LIMIT,))
        rows = connection.execute(query, (count,)).fetchall()
    names = ("queryid", "database", "role", "calls", "milliseconds", "rows", "text")
    result: list[Mapping[str, Any]] = [dict(zip(names, row[:-1], strict=True)) for row in rows]
    return (float(rows[0][-1]) if rows else 0.0), result

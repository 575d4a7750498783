"""What each statement did between two readings of pg_stat_statements, in the process that queries a server.

A text is read only for what is reported, and leaves the process shortened and without what is quoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString, TypeAlias

import psycopg
from psycopg import sql

from tunewiz.collect.postgres.protocol import Attempt
from tunewiz.collect.postgres.queries import LIMITS
from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.collect.postgres.session import STATEMENT_LIMIT
from tunewiz.collect.postgres.statements_session import StatementCounters, counting, failure
from tunewiz.core.proof.statement_text import is_planned, shown, verb

MOST_EXPENSIVE = MOST_CALLED = 100
"""Statements reported by time, and by calls: one that became fast is still called as often."""
HIDDEN = "this role cannot see other roles' statements (pg_read_all_stats can)"
RESET = "pg_stat_statements was reset while the server was watched"
LONGEST = 10_000
"""Characters of a text that are read."""

Key: TypeAlias = tuple[str, str, str]
"""queryid, database, role."""
# Another user's schema may have a view of that name, whose functions would run with our privileges.
_EXTENSION_VIEW: LiteralString = """
    select 1 from pg_catalog.pg_extension as e
    join pg_catalog.pg_depend as d on d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
         and d.refobjid = e.oid and d.deptype = 'e' and d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
    join pg_catalog.pg_class as c on c.oid = d.objid
    where e.extname = 'pg_stat_statements' and c.relname = 'pg_stat_statements_info'"""


@dataclass(frozen=True, kw_only=True, slots=True)
class StatementCount:
    """The counters of one statement since its entry was created."""

    calls: int
    ms: float
    rows: int

    def since(self, before: StatementCount) -> StatementCount:
        """The increase; everything, if the entry was discarded and created again."""
        if self.calls < before.calls:
            return self
        return StatementCount(
            calls=self.calls - before.calls,
            ms=max(0.0, self.ms - before.ms),
            rows=max(0, self.rows - before.rows),
        )


NO_CALLS = StatementCount(calls=0, ms=0.0, rows=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class StatementsReading:
    """All of pg_stat_statements at one moment."""

    counts: Mapping[Key, StatementCount]
    discarded: int
    """Times that entries were discarded (14 and newer); 0 before."""
    reset: str
    """When everything was reset (14 and newer); empty before."""

    def evicted_since(self, before: StatementsReading) -> int:
        """How many earlier entries were discarded, or how often that happened if it was more."""
        lost = [
            key for key, count in before.counts.items() if self.counts.get(key, NO_CALLS).calls < count.calls
        ]
        return max(len(lost), self.discarded - before.discarded)


class StatementTally:
    """Reads the counters at the beginning, and reports the increase at the end."""

    def __init__(self, connection: Connection, attempt: Attempt) -> None:
        """Take the first reading, and exclude this session's own statements from then on if it may."""
        self._attempt = attempt
        _uncounted(connection)
        self._before = self._read(connection)

    def increase(self, connection: Connection) -> Mapping[str, Any]:
        """The increase, or `why` it is unknown; raises psycopg.Error if the connection was lost."""
        if isinstance(self._before, str):
            return {"why": self._before}
        try:
            with counting(connection, self._attempt) as (inside, counters):
                after = _reading(inside, counters)
                if isinstance(after, str):
                    return {"why": after}
                if after.reset != self._before.reset or (self._before.counts and not after.counts):
                    return {"why": RESET}
                return _added(self._before, after, inside, counters)
        except (LookupError, psycopg.Error) as error:
            return {"why": failure(error)}

    def _read(self, connection: Connection) -> StatementsReading | str:
        try:
            with counting(connection, self._attempt) as (inside, counters):
                return _reading(inside, counters)
        except (LookupError, psycopg.Error) as error:
            return failure(error)


def _uncounted(connection: Connection) -> None:
    """Keep our own statements out of the counts: only a superuser may."""
    if connection.info.parameter_status("is_superuser") == "on":
        # A transaction for each reading: a long one would hold back vacuum and see old statistics.
        with connection.transaction():
            connection.execute("select pg_catalog.set_config('pg_stat_statements.track', 'none', false)")


def _reading(inside: Connection, counters: StatementCounters) -> StatementsReading | str:
    """All counters at one moment, or why this role may not read them."""
    _uncounted(inside)
    schema = sql.Identifier(counters.schema)
    query = sql.SQL(
        """select s.queryid::text, d.datname, r.rolname, sum(s.calls)::bigint, sum(s.{time})::float8,
                  sum(s.rows)::bigint
           from {schema}.pg_stat_statements as s join pg_catalog.pg_database as d on d.oid = s.dbid
           join pg_catalog.pg_roles as r on r.oid = s.userid where {top} group by 1, 2, 3"""
    ).format(time=counters.time, schema=schema, top=counters.top)
    with inside.transaction():
        inside.execute(LIMITS, (STATEMENT_LIMIT,))
        rows = inside.execute(query).fetchall()
        result: tuple[Any, ...] = (0, "")
        if inside.execute(_EXTENSION_VIEW).fetchone() is not None:
            info = sql.SQL("select dealloc, stats_reset::text from {}.pg_stat_statements_info").format(schema)
            result = inside.execute(info).fetchone() or result
    if any(row[0] is None for row in rows):
        return HIDDEN
    counts = {(row[0], row[1], row[2]): StatementCount(calls=row[3], ms=row[4], rows=row[5]) for row in rows}
    return StatementsReading(counts=counts, discarded=result[0], reset=result[1])


def _added(
    before: StatementsReading, after: StatementsReading, inside: Connection, counters: StatementCounters
) -> Mapping[str, Any]:
    every = {key: count.since(before.counts.get(key, NO_CALLS)) for key, count in after.counts.items()}
    called = {key: count for key, count in every.items() if count.calls}
    listed = reported(called)
    texts = _texts(inside, counters, listed)
    return {
        "why": "",
        "run_ms": _rounded(sum(count.ms for count in called.values())),
        "unlisted": len(called) - len(listed),
        "evicted": after.evicted_since(before),
        "statements": [_as_json(key, called[key], texts) for key in listed],
    }


def reported(called: Mapping[Key, StatementCount]) -> Sequence[Key]:
    """The most expensive and the most frequent, the most expensive first."""
    expensive = sorted(called, key=lambda key: (-called[key].ms, key))
    frequent = sorted(called, key=lambda key: (-called[key].calls, key))
    wanted = {*expensive[:MOST_EXPENSIVE], *frequent[:MOST_CALLED]}
    return [key for key in expensive if key in wanted]


def _as_json(key: Key, count: StatementCount, texts: Mapping[str, str]) -> Mapping[str, Any]:
    queryid, database, role = key
    return {
        "queryid": queryid,
        "database": database,
        "role": role,
        "text": texts.get(queryid, ""),
        "calls": count.calls,
        "run_ms": _rounded(count.ms),
        "rows": count.rows,
    }


def _rounded(milliseconds: float) -> float:
    """Rounded to a nanosecond: further digits are floating-point noise."""
    return round(milliseconds, 6)


def _texts(inside: Connection, counters: StatementCounters, keys: Iterable[Key]) -> Mapping[str, str]:
    query = sql.SQL(
        """select queryid::text, min(pg_catalog.left(query, %s)) from {schema}.pg_stat_statements
           where queryid::text = any(%s) group by 1"""
    ).format(schema=sql.Identifier(counters.schema))
    with inside.transaction():
        inside.execute(LIMITS, (STATEMENT_LIMIT,))
        rows = inside.execute(query, (LONGEST, sorted({key[0] for key in keys}))).fetchall()
    return {queryid: without_constants(text or "") for queryid, text in rows}


def without_constants(text: str) -> str:
    """A statement's text without its constants, which the server replaces only in planned statements.

    >>> without_constants("ALTER ROLE app PASSWORD 'secret'"), without_constants("select $1")
    ('ALTER', 'select $1')
    """
    if len(text) >= LONGEST:
        # A quote may be cut off, and could not be distinguished from the rest.
        text = text.partition("'")[0]
    return shown(text) if is_planned(text) else verb(text).upper()

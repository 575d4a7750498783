"""How far the estimate of empty space is off, against pgstattuple and against tables written anew.

    .venv/bin/python benchmarks/bloat.py SOCKET_DIRECTORY PORT

Connects as PGUSER says, a superuser, and makes a database `tunewiz_bloat` with one table at a time: rows
(narrow, padded, wide, text, nulls, many columns, long values, fillfactors), of which a share was deleted,
in random places or all in one, vacuumed or not, analyzed with many samples and with few. For each it prints
what `tunewiz tables` takes the live rows to need as a multiple of what they need when they are written anew
(CREATE TABLE AS), and of what pgstattuple counts; then the same for B-tree indexes and a usual estimate of
theirs, against REINDEX. The last lines are the ranges. It drops the database at the end.
"""

# ruff: noqa: S608 - shapes are ours, and no name or value comes from elsewhere

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import psycopg

from tunewiz.collect.postgres.table_queries import table_queries
from tunewiz.core.facts.tables import Table
from tunewiz.core.tables.bloat import needed_bytes

DATABASE = "tunewiz_bloat"
ROWS = 20_000
FIRST_FLUSH, STATISTICS_SECONDS = 150_000, 0.6
"""Before 15 a session reports its counts twice a second at most, and only at the end of a statement."""
INDEX_ENTRY = 8 + 4
"""Bytes of an entry's header and its line pointer (manual, "B-Tree Indexes")."""
LEAF_FILL = 90
SHARES = ((0, "scattered"), (40, "scattered"), (70, "scattered"), (90, "scattered"), (50, "together"))
"""Percent of the rows that are deleted, and where."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Rows of one kind."""

    name: str
    columns: str
    values: str
    options: str = ""


def many(count: int, value: str, kind: str) -> tuple[str, str]:
    """So many columns of one type."""
    return (
        ", ".join(f"c{number} {kind}" for number in range(count)),
        ", ".join(value.replace("#", str(number)) for number in range(count)),
    )


TEXT = "repeat(md5(n::text), 8)"
SHAPES = (
    Shape(name="one integer", columns="a int", values="n"),
    Shape(name="bigint, timestamp", columns="a bigint, b timestamptz", values="n, now()"),
    Shape(name="integer, bigint in turn", columns="a int, b bigint, c int, d bigint", values="n, n, n, n"),
    Shape(
        name="boolean, bigint in turn",
        columns="a bool, b bigint, c bool, d bigint, e bool, f bigint",
        values="true, n, true, n, true, n",
    ),
    Shape(name="short text", columns="a int, b text", values="n, left(md5(n::text), n % 20)"),
    Shape(name="text of any length", columns="a int, b text", values=f"n, left({TEXT}, n % 250)"),
    Shape(
        name="texts and bigints",
        columns="a text, b bigint, c text, d bigint",
        values="md5(n::text), n, 'x', n",
    ),
    Shape(name="numeric, uuid", columns="a numeric, b uuid", values="n * 1.37, md5(n::text)::uuid"),
    Shape(
        name="jsonb",
        columns="a bigint, b jsonb",
        values="n, json_build_object('id', n, 'v', md5(n::text))::jsonb",
    ),
    Shape(name="char(60)", columns="a int, b char(60)", values="n, 'x'"),
    Shape(name="40 integers", columns=many(40, "n", "int")[0], values=many(40, "n", "int")[1]),
    Shape(
        name="40 integers, half of them null",
        columns=many(40, "n", "int")[0],
        values=many(40, "case when (n + #) % 2 = 0 then n end", "int")[1],
    ),
    Shape(
        name="100 texts, most of them null",
        columns=many(100, "n", "text")[0],
        values=many(100, "case when (n + #) % 10 = 0 then 'value' end", "text")[1],
    ),
    Shape(name="only nulls", columns=many(9, "n", "int")[0], values=many(9, "null::int", "int")[1]),
    Shape(
        name="rows of 700 bytes",
        columns="a int, b bytea",
        values="n, decode(repeat(md5(n::text), 42), 'hex')",
    ),
    Shape(
        name="rows of 1,500 bytes",
        columns="a int, b bytea",
        values="n, decode(repeat(md5(n::text), 92), 'hex')",
    ),
    Shape(
        name="values kept apart (TOAST)",
        columns="a int, b text",
        values="n, (select string_agg(md5(n::text || k), '') from generate_series(1, 100) as k)",
    ),
    Shape(
        name="some values kept apart",
        columns="a int, b text",
        values="n, case when n % 10 = 0 then (select string_agg(md5(n::text || k), '') "
        "from generate_series(1, 100) as k) else md5(n::text) end",
    ),
    Shape(
        name="fillfactor 70", columns="a bigint, b text", values="n, md5(n::text)", options="fillfactor = 70"
    ),
    Shape(
        name="fillfactor 50", columns="a bigint, b text", values="n, md5(n::text)", options="fillfactor = 50"
    ),
)

INDEXES = (
    ("unique integers", "n"),
    ("unique text", "md5(n::text)"),
    ("100 values, integers", "n % 100"),
    ("100 values, text", "md5((n % 100)::text)"),
    ("mostly null", "case when n % 20 = 0 then n end"),
    ("text of any length", f"left({TEXT}, n % 250)"),
)


def main() -> int:
    """Measure and print."""
    directory, port = sys.argv[1:]
    where = f"host={directory} port={port}"
    with psycopg.connect(f"{where} dbname=postgres", autocommit=True) as admin:
        admin.execute(f"drop database if exists {DATABASE}")
        admin.execute(f"create database {DATABASE}")
        try:
            with psycopg.connect(f"{where} dbname={DATABASE}", autocommit=True) as connection:
                measure(connection)
        finally:
            admin.execute(f"drop database {DATABASE}")
    return 0


def measure(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """All shapes, then all indexes."""
    run(connection, "create extension pgstattuple")
    run(connection, "set synchronous_commit to off")
    version = connection.info.parameter_status("server_version")
    results = list[tuple[str, float, float]]()
    for name, anew, counted in (row for shape in SHAPES for row in tables(connection, shape)):
        print(f"table  {anew:5.2f} {counted:5.2f}  {name}", flush=True)
        results.append((name, anew, counted))
    entries = [(name, index(connection, value)) for name, value in INDEXES]
    for name, ratio in entries:
        print(f"index  {ratio:5.2f}        {name}")
    for label, ratios in (
        ("tables, of what they need written anew", [anew for _, anew, _ in results]),
        ("tables, of what pgstattuple counts", [ratio for _, _, ratio in results]),
        ("B-tree indexes, of what REINDEX makes", [ratio for _, ratio in entries]),
    ):
        print(f"PostgreSQL {version}: {label}: {min(ratios):.2f} to {max(ratios):.2f} ({len(ratios)} cases)")


def tables(
    connection: psycopg.Connection[tuple[Any, ...]], shape: Shape
) -> Iterator[tuple[str, float, float]]:
    """The estimate as a multiple of what is needed, by either measure, for every share of deleted rows."""
    for share, where in SHARES:
        options = f" with ({shape.options})" if shape.options else ""
        run(connection, f"create table t ({shape.columns}, n int){options}")
        run(connection, f"insert into t select {shape.values}, n from generate_series(1, {ROWS}) as n")
        gone = (
            f"n <= {ROWS * share // 100}"
            if where == "together"
            else f"hashint4(n) & 1023 < {1024 * share // 100}"
        )
        run(connection, f"delete from t where {gone}")
        report(connection)
        few = share in {40, 90}
        run(connection, f"set default_statistics_target to {10 if few else 100}")
        run(connection, "analyze t" if few else "vacuum analyze t")
        report(connection)
        run(connection, f"create table anew{options} as select * from t")
        # From 16 on a copy is extended by many pages at once: those left over are not needed by its rows.
        run(connection, "vacuum anew")
        estimate = needed_bytes(table(connection))
        if estimate is None:
            raise SystemExit(f"benchmarks/bloat.py: {shape.name}: the server has no statistics of a column")
        (size,) = one(connection, "select pg_relation_size('anew')")
        live, full = one(
            connection,
            "select tuple_len + 4 * tuple_count, table_len - 24 * (table_len / 8192) "
            "from pgstattuple('anew')",
        )
        fill = int(shape.options.rpartition("=")[2]) if shape.options else 100
        counted = live * 100 / fill * size / full
        run(connection, "drop table t, anew")
        yield f"{shape.name}, {share} % deleted, {where}", estimate / size, estimate / counted


def report(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Wait until the session's counts have arrived: ANALYZE corrects only those that have."""
    if connection.info.server_version >= FIRST_FLUSH:
        run(connection, "select pg_stat_force_next_flush()")
    else:
        time.sleep(STATISTICS_SECONDS)
        run(connection, "select 1")
        time.sleep(STATISTICS_SECONDS)


def table(connection: psycopg.Connection[tuple[Any, ...]]) -> Table:
    """As the program reads it."""
    query = next(
        query for query in table_queries(connection.info.server_version) if query.columns == ("tables",)
    )
    (text,) = one(connection, query.sql)
    load = next(load for load in json.loads(text) if load["name"] == "t")
    options = dict(option.split("=") for option in load["options"])
    return Table(**{**load, "options": MappingProxyType(options)})


def index(connection: psycopg.Connection[tuple[Any, ...]], value: str) -> float:
    """The usual estimate of an index's size as a multiple of what REINDEX makes of it."""
    run(connection, f"create table t as select {value} as v from generate_series(1, 200000) as n")
    run(connection, "create index i on t (v)")
    run(connection, "vacuum analyze t")
    (size,) = one(connection, "select pg_relation_size('i')")
    rows, width = one(
        connection,
        "select c.reltuples, (1 - s.null_frac) * s.avg_width from pg_class as c join pg_stats as s "
        "on s.tablename = c.relname where c.relname = 't'",
    )
    entry = -(-width // 8) * 8 + INDEX_ENTRY
    pages = rows * entry / ((8192 - 40) * LEAF_FILL / 100)
    run(connection, "drop table t")
    return float(pages * 8192 / size)


def run(connection: psycopg.Connection[tuple[Any, ...]], statement: str) -> psycopg.Cursor[tuple[Any, ...]]:
    """A statement of ours."""
    return connection.execute(statement.encode())


def one(connection: psycopg.Connection[tuple[Any, ...]], statement: str) -> tuple[Any, ...]:
    """The only row."""
    row = run(connection, statement).fetchone()
    if row is None:
        raise SystemExit(f"benchmarks/bloat.py: no row: {statement}")
    return row


if __name__ == "__main__":
    sys.exit(main())

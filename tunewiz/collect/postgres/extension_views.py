"""What two extensions show where they are installed: pg_stat_statements and pg_buffercache.

They may be in any database and schema, and cover the whole server.
"""

from __future__ import annotations

from typing import LiteralString

import psycopg
from psycopg import sql

from tunewiz.collect.postgres.safe_connection import Connection

_FIRST_EXECUTION_TIME = 130_000
_FIRST_JIT = 150_000
_FIRST_WITHOUT_LOCKS = 100_000
"""Up to 9.6 pg_buffercache blocks all changes of the buffers while it reads them."""
_FIRST_SUMMARY = 160_000
_MOST_BUFFERS = 1_048_576
"""8 GB: before 16 reading it makes a row for every buffer, which takes too long where there are more."""
_WHERE: LiteralString = """
    select n.nspname from pg_extension as e join pg_namespace as n on n.oid = e.extnamespace
    where e.extname = %s"""
_STATEMENTS: LiteralString = r"""
    with statement as (
        select userid, calls, {run} as run, {jit} as jit,
               case when temp_blks_written > 0 and calls > 0
                         and query !~* '^\s*(create\s+(unique\s+)?index|reindex|cluster|alter\s+table)\M'
                    then ceil(log(2, temp_blks_written * current_setting('block_size')::numeric
                                     / calls + 1))::int
               end as power
        from {view}),
    by_size as (
        select userid, power, sum(calls)::bigint as calls
        from statement where power is not null group by 1, 2),
    by_role as (
        select userid, sum(calls)::bigint as calls, sum(run)::bigint as run_ms, sum(jit)::bigint as jit_ms,
               coalesce((select sum(s.calls * power(2::numeric, s.power)) from by_size as s
                         where s.userid = statement.userid), 0) as spilled
        from statement group by userid order by spilled desc, run_ms desc, userid limit {roles})
    select json_build_object(
        'calls', coalesce(sum(calls), 0)::bigint, 'run_ms', coalesce(sum(run), 0)::bigint,
        'jit_ms', coalesce(sum(jit), 0)::bigint,
        'spills', (select coalesce(json_agg(json_build_array(power, calls) order by power), '[]')
                   from (select power, sum(calls)::bigint as calls from by_size group by 1) as all_roles),
        'roles', (select coalesce(json_agg(json_build_object(
                      'role', rolname, 'calls', calls, 'run_ms', run_ms, 'jit_ms', jit_ms,
                      'spills', (select coalesce(json_agg(json_build_array(s.power, s.calls)
                                                          order by s.power), '[]')
                                 from by_size as s where s.userid = by_role.userid),
                      'is_superuser', rolsuper, 'can_log_in', rolcanlogin, 'connection_limit', rolconnlimit
                  ) order by spilled desc, run_ms desc, userid), '[]')
                  from by_role join pg_roles on pg_roles.oid = by_role.userid))::text
    from statement"""
"""What builds indexes spills beyond maintenance_work_mem, and says nothing of work_mem."""
_ROLES = 10
_JIT: LiteralString = "jit_generation_time + jit_inlining_time + jit_optimization_time + jit_emission_time"
_SUMMARY: LiteralString = """
    select json_build_object('pages', sum(buffers)::bigint, 'popular',
                             coalesce(sum(case when usage_count >= 3 then buffers end), 0)::bigint,
                             'used', (select buffers_used from {schema}.pg_buffercache_summary()))::text
    from {schema}.pg_buffercache_usage_counts()"""
_EACH_BUFFER: LiteralString = """
    select json_build_object('pages', count(*), 'used', count(relfilenode),
                             'popular', count(case when usagecount >= 3 then 1 end))::text
    from {schema}.pg_buffercache"""


def ask_extensions(inside: Connection, results: dict[str, str | int], refused: dict[str, str]) -> None:
    """Query the extensions of this database that no other database has answered for."""
    for name, column in (("pg_stat_statements", "statements"), ("pg_buffercache", "buffers")):
        if column in results:
            continue
        try:
            with inside.transaction():
                schema = inside.execute(_WHERE, (name,)).fetchone()
                if schema is None:
                    refused.setdefault(
                        column, f"the extension {name} is in none of the databases that could be opened"
                    )
                elif why := _why_not(inside, column):
                    refused[column] = why
                else:
                    (text,) = inside.execute(_query(inside, column, schema[0])).fetchone() or ("",)
                    results[column] = str(text)
        except psycopg.Error as error:
            refused[column] = error.diag.message_primary or type(error).__name__


def _why_not(inside: Connection, column: str) -> str:
    """Why reading the buffers would disturb the server; empty if it would not."""
    release = inside.info.server_version
    if column != "buffers" or release >= _FIRST_SUMMARY:
        return ""
    if release < _FIRST_WITHOUT_LOCKS:
        return "before PostgreSQL 10 reading the buffers holds up the server"
    (buffers,) = inside.execute(
        "select setting::bigint from pg_settings where name = 'shared_buffers'"
    ).fetchone() or (0,)
    return "before PostgreSQL 16 reading so many buffers takes long" if buffers > _MOST_BUFFERS else ""


def _query(inside: Connection, column: str, schema: str) -> sql.Composed:
    release, where = inside.info.server_version, sql.Identifier(schema)
    if column == "buffers":
        return sql.SQL(_SUMMARY if release >= _FIRST_SUMMARY else _EACH_BUFFER).format(schema=where)
    return sql.SQL(_STATEMENTS).format(
        view=sql.Identifier(schema, "pg_stat_statements"),
        run=sql.SQL("total_exec_time" if release >= _FIRST_EXECUTION_TIME else "total_time"),
        jit=sql.SQL(_JIT if release >= _FIRST_JIT else "0"),
        roles=sql.Literal(_ROLES),
    )

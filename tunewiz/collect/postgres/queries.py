"""The queries for a server, by version; every statement returns one row, and every role may try it.

Names are looked up in pg_catalog alone: every transaction begins with that search path (safe_connection).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import LiteralString

from tunewiz.core.facts.look import RESET, STARTED

FIRST_CHECKPOINTER = 170_000
"""From 17 on pg_stat_checkpointer counts the checkpoints that pg_stat_bgwriter counted before."""

COLUMNS = ("name", "setting", "unit", "source", "sourcefile", "sourceline", "pending_restart")
"""Of pg_settings, as SETTINGS gives them."""
SETTINGS: LiteralString = """
    select name, setting, unit, source, sourcefile, sourceline, pending_restart
    from pg_catalog.pg_settings"""
LIMITS: LiteralString = """
    select pg_catalog.set_config('statement_timeout', %s, true),
           pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)"""
IDENTITY: LiteralString = """
    select current_setting('port')::int, date_part('epoch', pg_postmaster_start_time())::bigint"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """One statement and what its columns are called in the answer."""

    columns: tuple[str, ...]
    sql: LiteralString


_COUNTS = (
    Query(
        columns=("commits", "rollbacks", "rows_read", "rows_written"),
        sql="""select sum(xact_commit)::bigint, sum(xact_rollback)::bigint,
                      (sum(tup_returned) + sum(tup_fetched))::bigint,
                      (sum(tup_inserted) + sum(tup_updated) + sum(tup_deleted))::bigint
               from pg_stat_database""",
    ),
    Query(
        columns=("blocks_hit", "blocks_read", "temp_files", "temp_bytes", "connections"),
        sql="""select sum(blks_hit)::bigint, sum(blks_read)::bigint, sum(temp_files)::bigint,
                      sum(temp_bytes)::bigint, (sum(numbackends) - 1)::bigint
               from pg_stat_database""",
    ),
)
_IDENTIFIER = Query(
    columns=("system_identifier",), sql="select system_identifier::text from pg_control_system()"
)
_FIRST_CONTROL = 90_600
"""Before 9.6 only the files tell it: a function that is missing would leave an error in the server's log."""
_ALWAYS = (
    Query(columns=("role",), sql="select case when pg_is_in_recovery() then 'standby' else 'primary' end"),
    Query(
        # From 15 on a database's own time is empty until someone resets it; the writer's is always there.
        columns=("since",),
        sql="""select to_char(coalesce(min(stats_reset), (select stats_reset from pg_stat_bgwriter))
                              at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
               from pg_stat_database""",
    ),
    *_COUNTS,
    Query(columns=("transaction_age",), sql="select max(age(datfrozenxid))::bigint from pg_database"),
    Query(columns=("databases_size",), sql="select sum(pg_database_size(oid))::bigint from pg_database"),
)
_TOLD_AS_JSON = (
    Query(
        columns=("overrides",),
        sql="""select coalesce(json_agg(json_build_array(coalesce(d.datname, ''), coalesce(r.rolname, ''), c)
                                        order by d.datname, r.rolname, c), '[]')::text
               from pg_db_role_setting as s cross join unnest(s.setconfig) as c
               left join pg_database as d on d.oid = s.setdatabase
               left join pg_roles as r on r.oid = s.setrole""",
    ),
    Query(
        columns=("file_errors",),
        sql="""select coalesce(json_agg(json_build_array(coalesce(sourcefile, ''), coalesce(sourceline, 0),
                                                         coalesce(name, ''), error)
                                        order by seqno), '[]')::text
               from pg_file_settings where error is not null""",
    ),
    Query(
        columns=("choices",),
        sql="""select coalesce(json_object_agg(name, enumvals), '{}')::text from pg_settings
               where name in ('default_toast_compression', 'io_method', 'wal_compression')
               and enumvals is not null""",
    ),
)
_EXTENSIONS = Query(
    columns=("extensions",),
    sql="""select coalesce(json_agg(name order by name), '[]')::text from pg_available_extensions
           where name in ('pg_prewarm', 'pg_stat_statements')""",
)
_CHECKPOINTS = ("checkpoints_timed", "checkpoints_requested")
_OF_BGWRITER = Query(
    columns=_CHECKPOINTS, sql="select checkpoints_timed, checkpoints_req from pg_stat_bgwriter"
)
_OF_CHECKPOINTER = Query(
    columns=_CHECKPOINTS, sql="select num_timed, num_requested from pg_stat_checkpointer"
)


DATABASES: LiteralString = """
    select datname from pg_database where datallowconn and has_database_privilege(oid, 'CONNECT')
    order by age(datfrozenxid) desc, datname limit 20"""
"""The databases in which rows are counted: a server with more is judged by these."""
ROWS = Query(
    columns=("live_rows", "dead_rows"),
    sql="select sum(n_live_tup)::bigint, sum(n_dead_tup)::bigint from pg_stat_all_tables",
)
_WAL = "wal_position"
FIRST_LSN = 100_000
"""From 10 on functions say wal and lsn; before they said xlog and location."""
_POSITION = Query(
    columns=(_WAL,),
    sql="""select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
                                  else pg_current_wal_lsn() end, '0/0')::bigint""",
)
_POSITION_BEFORE = Query(
    columns=(_WAL,),
    sql="""select pg_xlog_location_diff(case when pg_is_in_recovery() then pg_last_xlog_replay_location()
                                        else pg_current_xlog_location() end, '0/0')::bigint""",
)


def queries(release: int) -> tuple[Query, ...]:
    """The statements for a server_version_num."""
    identifier = (_IDENTIFIER,) if release >= _FIRST_CONTROL else ()
    return (*_ALWAYS, *identifier, *_TOLD_AS_JSON, _EXTENSIONS, _checkpoints(release))


_EPOCHS = Query(
    columns=(STARTED, RESET),
    sql="""select date_part('epoch', pg_postmaster_start_time())::bigint,
                  date_part('epoch', greatest((select max(stats_reset) from pg_stat_database),
                                              (select stats_reset from pg_stat_bgwriter)))::bigint""",
)


def watching(release: int) -> tuple[Query, ...]:
    """The queries repeated while a server is watched, besides those of `counter_queries`; for every role."""
    position = _POSITION if release >= FIRST_LSN else _POSITION_BEFORE
    return (*_COUNTS, _checkpoints(release), position, _EPOCHS)


def _checkpoints(release: int) -> Query:
    return _OF_CHECKPOINTER if release >= FIRST_CHECKPOINTER else _OF_BGWRITER

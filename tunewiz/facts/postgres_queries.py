"""What a server is asked, by version; every statement gives one row, and every role may try it.

Names are looked up in pg_catalog alone: the session's search path is emptied before these run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import LiteralString

FIRST_CHECKPOINTER = 170_000
"""From 17 on pg_stat_checkpointer counts the checkpoints that pg_stat_bgwriter counted before."""

COLUMNS = ("name", "setting", "unit", "source", "sourcefile", "sourceline", "pending_restart")
"""Of pg_settings, as SETTINGS gives them."""
SETTINGS: LiteralString = """
    select name, setting, unit, source, sourcefile, sourceline, pending_restart
    from pg_catalog.pg_settings"""
LIMITS: LiteralString = """
    select pg_catalog.set_config('statement_timeout', %s, true),
           pg_catalog.set_config('search_path', '', true)"""
IDENTITY: LiteralString = """
    select current_setting('port')::int, date_part('epoch', pg_postmaster_start_time())::bigint"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """One statement and what its columns are called in the answer."""

    columns: tuple[str, ...]
    sql: LiteralString


_ALWAYS = (
    Query(columns=("role",), sql="select case when pg_is_in_recovery() then 'standby' else 'primary' end"),
    Query(columns=("system_identifier",), sql="select system_identifier::text from pg_control_system()"),
    Query(
        # From 15 on a database's own time is empty until someone resets it; the writer's is always there.
        columns=("since",),
        sql="""select to_char(coalesce(min(stats_reset), (select stats_reset from pg_stat_bgwriter))
                              at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
               from pg_stat_database""",
    ),
    Query(
        columns=("commits", "rollbacks", "rows_read", "rows_written"),
        sql="""select sum(xact_commit)::bigint, sum(xact_rollback)::bigint,
                      (sum(tup_returned) + sum(tup_fetched))::bigint,
                      (sum(tup_inserted) + sum(tup_updated) + sum(tup_deleted))::bigint
               from pg_stat_database""",
    ),
    Query(
        columns=("blocks_hit", "blocks_read", "temp_bytes", "connections"),
        sql="""select sum(blks_hit)::bigint, sum(blks_read)::bigint, sum(temp_bytes)::bigint,
                      (sum(numbackends) - 1)::bigint
               from pg_stat_database""",
    ),
    Query(columns=("databases_size",), sql="select sum(pg_database_size(oid))::bigint from pg_database"),
)
_CHECKPOINTS = ("checkpoints_timed", "checkpoints_requested")
_OF_BGWRITER = Query(
    columns=_CHECKPOINTS, sql="select checkpoints_timed, checkpoints_req from pg_stat_bgwriter"
)
_OF_CHECKPOINTER = Query(
    columns=_CHECKPOINTS, sql="select num_timed, num_requested from pg_stat_checkpointer"
)


def queries(release: int) -> tuple[Query, ...]:
    """The statements for a server_version_num."""
    return (*_ALWAYS, _OF_CHECKPOINTER if release >= FIRST_CHECKPOINTER else _OF_BGWRITER)

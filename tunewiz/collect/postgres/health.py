"""One look at a server's health: open and prepared transactions, waiting sessions, its databases.

Locks are not listed, and nobody is asked who blocks whom.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, LiteralString

from tunewiz.collect.postgres.protocol import Answer
from tunewiz.collect.postgres.queries import FIRST_LSN, Query
from tunewiz.core.facts.health import DatabaseHealth, Health, OpenTransaction, Replay
from tunewiz.core.values.known import Fact, Known, Unknown

_NAME = "health"
_FIRST_WAIT_EVENTS = 90_600
_FIRST_CHECKSUM_COUNTS = 120_000
_FIRST_PAUSE_STATES = 140_000
_FIRST_DATABASE_COLLATIONS = 150_000
_FIRST_RECOVERY_VIEW = 190_000
"""From 19 on pg_stat_recovery tells when replay last had caught up, to roles that may read all statistics."""

_SQL: LiteralString = """
    select json_build_object(
        'transactions', (select coalesce(json_agg(row_to_json(h)), '[]') from (
            select case when r.pid is null then 'session' else 'standby' end as kind,
                   a.pid, '' as prepared_as,
                   coalesce(a.datname, '') as database, coalesce(a.usename, '') as role,
                   coalesce(a.application_name, '') as application, coalesce(a.state, '') as state,
                   greatest(age(a.backend_xmin), age(a.backend_xid), 0) as age,
                   greatest(0, coalesce(date_part('epoch', clock_timestamp() - a.xact_start), 0))::bigint
                       as seconds,
                   case when a.state like 'idle%' then
                       coalesce(greatest(0, date_part('epoch', clock_timestamp() - a.state_change)), 0)
                   else 0 end::bigint as idle_seconds
            from pg_stat_activity as a
            left join pg_stat_replication as r on r.pid = a.pid
            where a.pid <> pg_backend_pid() and NOT_OUR_CONCERN
              and (a.backend_xmin is not null or a.backend_xid is not null
                   or a.state like 'idle in transaction%')
            union all
            select 'prepared transaction', 0, gid, database, owner, '', '', age(transaction),
                   greatest(0, date_part('epoch', clock_timestamp() - prepared))::bigint, 0
            from pg_prepared_xacts
            order by age desc, seconds desc limit 20) as h),
        'hidden_sessions', (select count(*) from pg_stat_activity
                            where query = '<insufficient privilege>'),
        'lock_waits', (select count(*) from pg_stat_activity as a where WAITS),
        'longest_lock_wait', (select coalesce(max(greatest(
                0, date_part('epoch', clock_timestamp() - a.query_start))), 0)::bigint
            from pg_stat_activity as a where WAITS),
        'lock_waiter', coalesce((select a.pid from pg_stat_activity as a where WAITS
                                 order by a.query_start limit 1), 0),
        'replay', case when pg_is_in_recovery() then json_build_object(
            'pause', PAUSE,
            'behind', BEHIND::bigint,
            'caught_up_seconds', CAUGHT_UP,
            'commit_seconds',
            date_part('epoch', clock_timestamp() - pg_last_xact_replay_timestamp())::bigint) end,
        'databases', (select coalesce(json_agg(row_to_json(b)), '[]') from (
            select d.datname as database, age(d.datfrozenxid) as transaction_age,
                   mxid_age(d.datminmxid) as multixact_age, CHECKSUMS as checksum_failures,
                   RECORDED as collation_recorded, ACTUAL as collation_actual
            from pg_database as d join pg_stat_database as s on s.datid = d.oid
            order by transaction_age desc, d.datname limit 100) as b))::text"""


def health_query(release: int) -> Query:
    """The statement for a server_version_num."""
    wait: LiteralString = "a.wait_event_type = 'Lock'" if release >= _FIRST_WAIT_EVENTS else "a.waiting"
    # Their snapshots keep nothing from other vacuums.
    vacuum: LiteralString = (
        "not exists (select from pg_stat_progress_vacuum as v where v.pid = a.pid)"
        if release >= _FIRST_WAIT_EVENTS
        else "a.query not like 'autovacuum: %'"
    )
    kind: LiteralString = (
        " and a.backend_type not in ('autovacuum worker', 'walsummarizer')" if release >= FIRST_LSN else ""
    )
    sums: LiteralString = "s.checksum_failures" if release >= _FIRST_CHECKSUM_COUNTS else "null::bigint"
    recorded: LiteralString = "''"
    actual: LiteralString = "''"
    if release >= _FIRST_DATABASE_COLLATIONS:
        recorded = "coalesce(d.datcollversion, '')"
        actual = "coalesce(pg_database_collation_actual_version(d.oid), '')"
    sql = _SQL.replace("WAITS", wait).replace("NOT_OUR_CONCERN", vacuum + kind).replace("CHECKSUMS", sums)
    sql = sql.replace("RECORDED", recorded).replace("ACTUAL", actual)
    return Query(columns=(_NAME,), sql=_with_replay(sql, release))


def _with_replay(sql: LiteralString, release: int) -> LiteralString:
    pause: LiteralString = "case when pg_is_wal_replay_paused() then 'paused' else 'not paused' end"
    if release >= _FIRST_PAUSE_STATES:
        pause = "pg_get_wal_replay_pause_state()"
    behind: LiteralString = "pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())"
    if release < FIRST_LSN:
        pause = pause.replace("wal", "xlog")
        behind = "pg_xlog_location_diff(pg_last_xlog_receive_location(), pg_last_xlog_replay_location())"
    caught_up: LiteralString = "null::bigint"
    if release >= _FIRST_RECOVERY_VIEW:
        caught_up = """(select date_part('epoch', clock_timestamp() - current_chunk_start_time)::bigint
                        from pg_stat_recovery)"""
    return sql.replace("PAUSE", pause).replace("BEHIND", behind).replace("CAUGHT_UP", caught_up)


def health_of(answer: Answer) -> Fact[Health]:
    """What the look showed."""
    if _NAME not in answer.texts:
        return Unknown(answer.refused.get(_NAME, "the server did not report it"))
    load: Mapping[str, Any] = json.loads(answer.texts[_NAME])
    health = Health(
        transactions=tuple(OpenTransaction(**entry) for entry in load["transactions"]),
        hidden_sessions=load["hidden_sessions"],
        lock_waits=load["lock_waits"],
        longest_lock_wait=load["longest_lock_wait"],
        lock_waiter=load["lock_waiter"],
        databases=tuple(DatabaseHealth(**entry) for entry in load["databases"]),
        replay=_replay(load["replay"]) if load["replay"] else None,
    )
    return Known(health, f"pg_stat_activity, pg_prepared_xacts and pg_database {answer.how}")


def _replay(load: Mapping[str, Any]) -> Replay:
    """A clock that is behind, or WAL from the archive, would make numbers negative."""

    def at_least_none(name: str) -> int | None:
        return None if load[name] is None else max(0, load[name])

    return Replay(
        pause=load["pause"],
        behind=at_least_none("behind"),
        caught_up_seconds=at_least_none("caught_up_seconds"),
        commit_seconds=at_least_none("commit_seconds"),
    )

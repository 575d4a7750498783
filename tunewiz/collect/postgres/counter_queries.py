"""Queries for the counters of newer views and for current sessions; any role may try them."""

from __future__ import annotations

from tunewiz.collect.postgres.queries import Query

_FIRST_WAIT_EVENT = 90_600
"""From 9.6 on pg_stat_activity shows what a session waits for."""
_FIRST_KIND = 100_000
"""From 10 on it has a row for every process, with its kind."""
_FIRST_WAL = 140_000
"""From 14 on there is pg_stat_wal, and databases count the time of their sessions."""
_FIRST_SYNCS_IN_IO = 180_000
"""From 18 on pg_stat_io counts the syncs of WAL."""
_FIRST_READ_CALLS = 180_000
"""From 18 on pg_stat_io counts reads and their bytes apart: one read takes several pages since 17."""
_FIRST_FULL_PAGE_BYTES = 190_000
_FIRST_LOCKS = 190_000
"""From 19 on pg_stat_lock counts the waits that log_lock_waits would name."""

_READS = Query(
    columns=("read_us",),
    sql="""select case when current_setting('track_io_timing')::bool
                       then (sum(blk_read_time) * 1000)::bigint end
           from pg_stat_database""",
)
_READ_CALLS = Query(
    columns=("read_calls", "read_call_bytes", "read_call_us"),
    sql="""select sum(reads)::bigint, sum(read_bytes)::bigint,
                  case when current_setting('track_io_timing')::bool
                       then (sum(read_time) * 1000)::bigint end
           from pg_stat_io where object = 'relation' and context = 'normal'""",
)
"""Without large scans and vacuum, which have contexts of their own: mostly reads by an index remain."""
_PERIOD = Query(
    columns=("counted_seconds",),
    sql="""select date_part('epoch', now() - coalesce(min(stats_reset),
                                                      (select stats_reset from pg_stat_bgwriter)))::bigint
           from pg_stat_database""",
)
_IDS = Query(columns=("transaction_ids",), sql="select txid_snapshot_xmax(txid_current_snapshot())::bigint")
_SESSION_TIMES = Query(
    columns=("session_ms", "active_ms", "idle_in_transaction_ms"),
    sql="""select sum(session_time)::bigint, sum(active_time)::bigint,
                  sum(idle_in_transaction_time)::bigint
           from pg_stat_database""",
)
_WAL = Query(
    columns=("wal_bytes", "full_pages", "wal_buffers_full"),
    sql="select wal_bytes::bigint, wal_fpi, wal_buffers_full from pg_stat_wal",
)
_FULL_PAGES = Query(columns=("full_page_bytes",), sql="select wal_fpi_bytes::bigint from pg_stat_wal")
_LOCKS = Query(
    columns=("lock_waits", "lock_wait_ms", "fast_path_exceeded"),
    sql="""select sum(waits)::bigint, sum(wait_time)::bigint, sum(fastpath_exceeded)::bigint
           from pg_stat_lock""",
)
_SYNCS = Query(
    columns=("wal_syncs", "wal_sync_us"),
    sql="""select wal_sync, case when current_setting('track_wal_io_timing')::bool
                                 then (wal_sync_time * 1000)::bigint end
           from pg_stat_wal""",
)
_SYNCS_IN_IO = Query(
    columns=("wal_syncs", "wal_sync_us"),
    sql="""select sum(fsyncs)::bigint, case when current_setting('track_wal_io_timing')::bool
                                            then (sum(fsync_time) * 1000)::bigint end
           from pg_stat_io where object = 'wal'""",
)

SESSIONS = (
    "active",
    "idle",
    "idle_in_transaction",
    "waiting",
    "longest_idle_in_transaction",
    "autovacuums",
    "longest_autovacuum",
)
HIDDEN = "hidden_sessions"
"""Other roles' sessions, whose activity this role may not see."""
_OF_10 = Query(
    columns=(*SESSIONS, HIDDEN),
    sql="""
    select count(case when client and state = 'active' then 1 end),
           count(case when client and state = 'idle' then 1 end),
           count(case when client and state like 'idle in transaction%' then 1 end),
           count(case when client and waits then 1 end),
           coalesce(max(case when client and state like 'idle in transaction%'
                             then date_part('epoch', now() - state_change) end), 0)::bigint,
           count(case when vacuums then 1 end),
           coalesce(max(case when vacuums then date_part('epoch', now() - xact_start) end), 0)::bigint,
           count(case when hidden then 1 end)
    from (select state, state_change, xact_start,
                 datid is not null and query = '<insufficient privilege>' as hidden,
                 backend_type = 'client backend' as client,
                 wait_event_type is not distinct from 'Lock' as waits,
                 backend_type = 'autovacuum worker' as vacuums
          from pg_stat_activity where pid <> pg_backend_pid()) as s""",
)
_OF_9_6 = Query(
    columns=_OF_10.columns,
    sql=_OF_10.sql.replace(
        "backend_type = 'client backend'", "datid is not null and query not like 'autovacuum:%'"
    ).replace("backend_type = 'autovacuum worker'", "query like 'autovacuum:%'"),
)
_OF_9_5 = Query(
    columns=_OF_10.columns,
    sql=_OF_9_6.sql.replace("wait_event_type is not distinct from 'Lock'", "waiting"),
)


def counter_queries(release: int) -> tuple[Query, ...]:
    """What is counted since the statistics were reset, for a server_version_num."""
    return (*_counted(release), _PERIOD, _sessions(release))


def counters_while_watching(release: int) -> tuple[Query, ...]:
    """The same at each look, with what grows for ever."""
    return (*_counted(release), _IDS, _sessions(release))


def _counted(release: int) -> tuple[Query, ...]:
    if release < _FIRST_WAL:
        return (_READS,)
    syncs = _SYNCS_IN_IO if release >= _FIRST_SYNCS_IN_IO else _SYNCS
    reads = (_READS, _READ_CALLS) if release >= _FIRST_READ_CALLS else (_READS,)
    full_pages = (_FULL_PAGES,) if release >= _FIRST_FULL_PAGE_BYTES else ()
    locks = (_LOCKS,) if release >= _FIRST_LOCKS else ()
    return (*reads, _SESSION_TIMES, _WAL, *full_pages, *locks, syncs)


def _sessions(release: int) -> Query:
    if release >= _FIRST_KIND:
        return _OF_10
    return _OF_9_6 if release >= _FIRST_WAIT_EVENT else _OF_9_5

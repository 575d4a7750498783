"""The queries for the tables of one database, by version; no statement opens a table or waits for its lock.

A sequence is opened only where nobody holds it exclusively; the limit on time bounds what comes in between.
Sizes are those that pg_class has: pg_relation_size would wait for whoever holds a table exclusively.
"""

from __future__ import annotations

from typing import LiteralString

from tunewiz.collect.postgres.queries import FIRST_LSN, Query

BUSIEST_DATABASES: LiteralString = """
    select d.datname from pg_database as d
    join pg_stat_database as s on s.datid = d.oid
    where d.datallowconn and not d.datistemplate and has_database_privilege(d.oid, 'CONNECT')
    order by s.tup_inserted + s.tup_updated + s.tup_deleted + s.blks_read desc, d.datname limit 10"""

_FIRST_INSERT_COUNT = 130_000
_FIRST_NEW_PAGE_COUNT = 160_000
_FIRST_SCORES = 190_000
"""From 19 on the server tells how far a table is from its next autovacuum, and has REPACK."""

_OURS: LiteralString = """
    n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_toast'
    and not exists (select from pg_depend as d where d.classid = 'pg_class'::regclass
                    and d.objid = c.oid and d.deptype = 'e')"""
"""Tables of extensions are their makers' business."""

_TIME: LiteralString = """'YYYY-MM-DD"T"HH24:MI:SS"Z"'"""

_SINCE = Query(
    columns=("since", "counted_seconds"),
    sql=f"""select to_char(r.at at time zone 'UTC', {_TIME}),
                   date_part('epoch', now() - r.at)::bigint
            from (select coalesce((select stats_reset from pg_stat_database
                                   where datname = current_database()),
                                  (select stats_reset from pg_stat_bgwriter)) as at) as r""",  # noqa: S608 - as below
)

_SERVES_A_KEY: LiteralString = """
    (i.indkey::int2[])[0:array_length(k.conkey, 1) - 1] @> k.conkey"""
"""Whether the index begins with the columns of the foreign key, in any order."""

_UNUSED = Query(
    columns=("unused_indexes",),
    sql=f"""select coalesce(json_agg(row_to_json(u)), '[]')::text from (
            select n.nspname as schema, c.relname as "table", x.relname as name,
                   x.relpages::bigint * current_setting('block_size')::int as bytes,
                   pg_get_indexdef(x.oid) as definition, coalesce(s.spcname, '') as tablespace
            from pg_index as i join pg_class as x on x.oid = i.indexrelid
            join pg_class as c on c.oid = i.indrelid join pg_namespace as n on n.oid = c.relnamespace
            left join pg_tablespace as s on s.oid = x.reltablespace
            where c.relkind = 'r' and c.relpersistence <> 't' and x.relpages >= 128 and i.indisvalid
              and not (i.indisunique or i.indisprimary or i.indisexclusion or i.indisreplident
                       or i.indisclustered)
              -- The planner uses the statistics of an expression without a scan of its index.
              and i.indexprs is null and pg_stat_get_numscans(x.oid) = 0 and {_OURS}
              -- pg_get_indexdef opens the table, and would wait for whoever has it exclusively.
              and not exists (select from pg_locks as l where l.relation = c.oid
                              and l.mode = 'AccessExclusiveLock')
              and not exists (select from pg_constraint where conindid = x.oid)
              and not exists (select from pg_inherits where inhrelid = x.oid)
              and not exists (select from pg_constraint as k where k.contype = 'f' and k.conrelid = c.oid
                              and {_SERVES_A_KEY})
            order by x.relpages desc, n.nspname, x.relname limit 20) as u""",  # noqa: S608 - as below
)

_BARE_KEYS = Query(
    columns=("bare_foreign_keys",),
    sql=f"""select coalesce(json_agg(row_to_json(f)), '[]')::text from (
            select n.nspname as schema, c.relname as "table", k.conname as name,
                   c.relpages::bigint * current_setting('block_size')::int as bytes,
                   (select json_agg(a.attname order by p.place)
                    from unnest(k.conkey) with ordinality as p (number, place)
                    join pg_attribute as a on a.attrelid = c.oid and a.attnum = p.number) as columns,
                   rn.nspname as referenced_schema, r.relname as referenced,
                   pg_stat_get_tuples_deleted(r.oid) as referenced_deleted,
                   pg_stat_get_tuples_updated(r.oid) as referenced_updated
            from pg_constraint as k join pg_class as c on c.oid = k.conrelid
            join pg_namespace as n on n.oid = c.relnamespace
            join pg_class as r on r.oid = k.confrelid join pg_namespace as rn on rn.oid = r.relnamespace
            where k.contype = 'f' and c.relkind = 'r' and c.relpages >= 128 and {_OURS}
              and not exists (select from pg_index as i where i.indrelid = c.oid and i.indisvalid
                              and i.indpred is null and {_SERVES_A_KEY})
            order by c.relpages desc, n.nspname, k.conname limit 20) as f""",  # noqa: S608 - as below
)

_INVALID = Query(
    columns=("invalid_indexes",),
    sql=f"""select coalesce(json_agg(row_to_json(v)), '[]')::text from (
            select n.nspname as schema, c.relname as "table", x.relname as name,
                   x.relpages::bigint * current_setting('block_size')::int as bytes
            from pg_index as i join pg_class as x on x.oid = i.indexrelid
            join pg_class as c on c.oid = i.indrelid join pg_namespace as n on n.oid = c.relnamespace
            where not i.indisvalid and x.relkind = 'i' and c.relpersistence <> 't' and {_OURS}
              -- Whoever builds it now has this lock, and so has a vacuum: the next look will tell.
              and not exists (select from pg_locks as l where l.relation = c.oid
                              and l.mode = 'ShareUpdateExclusiveLock')
            order by x.relpages desc, n.nspname, x.relname limit 20) as v""",  # noqa: S608 - as below
)

_DUPLICATES = Query(
    columns=("duplicate_indexes",),
    sql=f"""select coalesce(json_agg(row_to_json(e)), '[]')::text from (
            with plain as (
                select i.*, x.relname, x.relam, x.relpages, x.reltablespace,
                       i.indisunique or i.indisexclusion or i.indisreplident or i.indisclustered
                       or exists (select from pg_constraint where conindid = x.oid)
                       or exists (select from pg_inherits where inhrelid = x.oid) as has_duties
                from pg_index as i join pg_class as x on x.oid = i.indexrelid
                where i.indisvalid and i.indexprs is null and i.indpred is null and x.relkind = 'i'),
            -- A join by equal values: on ten thousand tables a look for each index would take minutes.
            same as (
                select distinct on (i.indexrelid) i.indexrelid, p.relname as same_as
                from plain as i join plain as p
                  on p.indrelid = i.indrelid and p.relam = i.relam and p.indkey::text = i.indkey::text
                  and p.indclass::text = i.indclass::text and p.indcollation::text = i.indcollation::text
                  and p.indoption::text = i.indoption::text
                where p.indexrelid <> i.indexrelid and not i.has_duties
                  and (p.has_duties or p.indexrelid < i.indexrelid)
                order by i.indexrelid, p.has_duties desc, p.indexrelid)
            select n.nspname as schema, c.relname as "table", i.relname as name, o.same_as,
                   i.relpages::bigint * current_setting('block_size')::int as bytes,
                   pg_get_indexdef(i.indexrelid) as definition, coalesce(s.spcname, '') as tablespace
            from plain as i join same as o on o.indexrelid = i.indexrelid
            join pg_class as c on c.oid = i.indrelid join pg_namespace as n on n.oid = c.relnamespace
            left join pg_tablespace as s on s.oid = i.reltablespace
            where c.relpersistence <> 't' and {_OURS}
              and not exists (select from pg_locks as l where l.relation = c.oid
                              and l.mode = 'AccessExclusiveLock')
            order by i.relpages desc, n.nspname, i.relname limit 20) as e""",  # noqa: S608 - as below
)
"""Indexes of plain columns alone: two expressions with one text may differ."""

_OUTDATED = Query(
    columns=("outdated_indexes",),
    sql=f"""select coalesce(json_agg(row_to_json(o)), '[]')::text from (
            select n.nspname as schema, x.relname as name,
                   x.relpages::bigint * current_setting('block_size')::int as bytes,
                   l.nspname as collation_schema, l.collname as collation,
                   l.collversion as recorded, l.actual
            from (select k.oid, k.collname, k.collversion, s.nspname,
                         pg_collation_actual_version(k.oid) as actual
                  from pg_collation as k join pg_namespace as s on s.oid = k.collnamespace
                  where k.collversion is not null) as l
            join pg_index as i on l.oid = any (i.indcollation::oid[])
            join pg_class as x on x.oid = i.indexrelid
            join pg_class as c on c.oid = i.indrelid join pg_namespace as n on n.oid = c.relnamespace
            where l.actual <> l.collversion and x.relkind = 'i' and c.relpersistence <> 't' and {_OURS}
            order by x.relpages desc, n.nspname, x.relname limit 200) as o""",  # noqa: S608 - as below
)

_SEQUENCES = Query(
    columns=("ending_sequences",),
    sql=f"""select coalesce(json_agg(row_to_json(e)), '[]')::text from (
            select s.* from (
                select n.nspname as schema, c.relname as name,
                       coalesce(t.relname || '.' || a.attname, '') as "column",
                       pg_sequence_last_value(q.seqrelid) as last_value,
                       least(q.seqmax, case coalesce(nullif(y.typbasetype, 0), y.oid)
                                       when 'int2'::regtype then 32767
                                       when 'int4'::regtype then 2147483647 end) as largest
                from pg_sequence as q join pg_class as c on c.oid = q.seqrelid
                join pg_namespace as n on n.oid = c.relnamespace
                left join pg_depend as d on d.classid = 'pg_class'::regclass and d.objid = c.oid
                     and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
                left join pg_class as t on t.oid = d.refobjid
                left join pg_attribute as a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
                left join pg_type as y on y.oid = a.atttypid
                -- A standby has no file of an unlogged sequence.
                where not q.seqcycle and q.seqincrement > 0
                  and (c.relpersistence = 'p' or c.relpersistence = 'u' and not pg_is_in_recovery())
                  and has_sequence_privilege(q.seqrelid, 'SELECT') and {_OURS}
                  and not exists (select from pg_locks as l where l.relation = c.oid
                                  and l.mode = 'AccessExclusiveLock')
                limit 10000) as s
            where s.last_value > s.largest / 4 * 3
            order by s.last_value::numeric / s.largest desc, s.schema, s.name limit 20) as e""",  # noqa: S608 - as below
)
"""From three quarters on: changing the type of a large table's column wants to be planned."""


_TABLES: LiteralString = f"""
        with ranked as (
            select c.oid, n.nspname,
                   row_number() over (order by c.relpages + coalesce(t.relpages, 0) desc, c.oid) as by_size,
                   row_number() over (order by pg_stat_get_tuples_inserted(c.oid)
                       + pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid) desc,
                       c.oid) as by_writes,
                   row_number() over (order by age(c.relfrozenxid) desc, c.oid) as by_age
            from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
            left join pg_class as t on t.oid = c.reltoastrelid
            where c.relkind = 'r' and c.relpersistence <> 't' and {_OURS})
        select coalesce(json_agg(row_to_json(e)), '[]')::text from (
            select r.nspname as schema, c.relname as name,
                   (c.relpages + coalesce(t.relpages, 0))::bigint * b.size as bytes,
                   c.relpages::bigint * b.size as main_bytes, b.size as page_bytes,
                   pg_stat_get_live_tuples(c.oid) as live_rows, pg_stat_get_dead_tuples(c.oid) as dead_rows,
                   pg_stat_get_tuples_inserted(c.oid) as inserted,
                   pg_stat_get_tuples_updated(c.oid) as updated,
                   pg_stat_get_tuples_hot_updated(c.oid) as hot_updated, NEW_PAGE as new_page_updated,
                   pg_stat_get_tuples_deleted(c.oid) as deleted,
                   pg_stat_get_mod_since_analyze(c.oid) as changed_since_analyze,
                   INSERTED as inserted_since_vacuum,
                   pg_stat_get_numscans(c.oid) as sequential_scans,
                   pg_stat_get_tuples_returned(c.oid) as rows_by_sequential_scans,
                   (select coalesce(sum(pg_stat_get_numscans(i.indexrelid)), 0)::bigint
                    from pg_index as i where i.indrelid = c.oid) as index_scans,
                   coalesce(to_char(pg_stat_get_last_vacuum_time(c.oid) at time zone 'UTC', {_TIME}), '')
                       as last_vacuum,
                   coalesce(to_char(pg_stat_get_last_autovacuum_time(c.oid) at time zone 'UTC', {_TIME}), '')
                       as last_autovacuum,
                   coalesce(to_char(pg_stat_get_last_analyze_time(c.oid) at time zone 'UTC', {_TIME}), '')
                       as last_analyze,
                   coalesce(to_char(pg_stat_get_last_autoanalyze_time(c.oid) at time zone 'UTC', {_TIME}), '')
                       as last_autoanalyze,
                   greatest(age(c.relfrozenxid), age(t.relfrozenxid)) as transaction_age,
                   greatest(mxid_age(c.relminmxid), mxid_age(t.relminmxid)) as multixact_age,
                   coalesce(c.reloptions, '{{}}') as options,
                   VACUUM_DUE as vacuum_due, ANALYZE_DUE as analyze_due, REPACKABLE as repackable,
                   LARGE_COUNT as large_indexes, LARGE_SIZE as large_index_bytes,
                   (select case when count(*) = count(p.avg_width)
                                then ceil(sum((1 - p.null_frac) * p.avg_width))::bigint end
                    from pg_attribute as a
                    left join pg_stats as p on p.schemaname = r.nspname and p.tablename = c.relname
                              and p.attname = a.attname and not p.inherited
                    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as row_width
            from ranked as r join pg_class as c on c.oid = r.oid
            left join pg_class as t on t.oid = c.reltoastrelid JOINED
            cross join (select current_setting('block_size')::int as size) as b
            where r.by_size <= 15 or r.by_writes <= 15 or r.by_age <= 5
            order by bytes desc, r.nspname, c.relname) as e"""  # noqa: S608 - of fragments that are all ours
"""The largest, the busiest and the oldest tables, each row as JSON."""


def table_queries(release: int) -> tuple[Query, ...]:
    """The statements for a server_version_num, each of which returns one row."""
    of_10 = (_SEQUENCES, _OUTDATED) if release >= FIRST_LSN else ()
    return (_SINCE, _tables(release), _UNUSED, _BARE_KEYS, _INVALID, _DUPLICATES, *of_10)


def _tables(release: int) -> Query:
    """What an older server does not count is null."""
    inserted: LiteralString = (
        "pg_stat_get_ins_since_vacuum(c.oid)" if release >= _FIRST_INSERT_COUNT else "null::bigint"
    )
    new_page: LiteralString = (
        "pg_stat_get_tuples_newpage_updated(c.oid)" if release >= _FIRST_NEW_PAGE_COUNT else "null::bigint"
    )
    sql = _TABLES.replace("INSERTED", inserted).replace("NEW_PAGE", new_page)
    if release >= _FIRST_SCORES:
        sql = sql.replace("VACUUM_DUE", _VACUUM_DUE).replace("ANALYZE_DUE", _ANALYZE_DUE)
        sql = sql.replace("REPACKABLE", _REPACKABLE).replace("JOINED", _SCORES + _LARGE_INDEXES)
        sql = sql.replace("LARGE_COUNT", "g.count").replace("LARGE_SIZE", "g.size")
    else:
        sql = sql.replace("VACUUM_DUE", "null::bigint").replace("ANALYZE_DUE", "null::bigint")
        sql = sql.replace("REPACKABLE", "null::boolean").replace("JOINED", "")
        sql = sql.replace("LARGE_COUNT", "null::bigint").replace("LARGE_SIZE", "null::bigint")
    return Query(columns=("tables",), sql=sql)


_SCORES: LiteralString = "left join pg_stat_get_autovacuum_scores() as o on o.oid = c.oid"
_LARGE_INDEXES: LiteralString = """
            left join lateral (
                select count(*),
                       coalesce(sum(x.relpages), 0)::bigint * current_setting('block_size')::int as size
                from pg_index as l join pg_class as x on x.oid = l.indexrelid
                where l.indrelid = c.oid and x.relpages::bigint * current_setting('block_size')::int
                      >= pg_size_bytes(current_setting('min_parallel_index_scan_size'))) as g on true"""
_VACUUM_DUE: LiteralString = """
                   case when o.vacuum_score < 1e9 then round(100 * o.vacuum_score / nullif(
                       current_setting('autovacuum_vacuum_score_weight')::float8, 0))::bigint end"""
_ANALYZE_DUE: LiteralString = """
                   case when o.analyze_score < 1e9 then round(100 * o.analyze_score / nullif(
                       current_setting('autovacuum_analyze_score_weight')::float8, 0))::bigint end"""
"""Without their weights, which order the work and say nothing of when it is due."""
_REPACKABLE: LiteralString = """
                   c.relpersistence = 'p' and exists (
                       select from pg_index as y where y.indrelid = c.oid and y.indisvalid and y.indimmediate
                       and case c.relreplident when 'd' then y.indisprimary
                                               when 'i' then y.indisreplident else false end)"""

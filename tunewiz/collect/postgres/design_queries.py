"""The queries for how the tables of one database are made: keys, partitions, persistence, indexes in vain."""

from __future__ import annotations

from typing import LiteralString

from tunewiz.collect.postgres.queries import FIRST_LSN, Query

_FIRST_DEFAULT_PARTITIONS = 110_000

_COLUMNS: LiteralString = """
    n.nspname as schema, c.relname as name,
    c.relpages::bigint * current_setting('block_size')::int as bytes"""
_FROM: LiteralString = """
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_toast'
      and not exists (select from pg_depend as d where d.classid = 'pg_class'::regclass
                      and d.objid = c.oid and d.deptype = 'e')"""
_WITHOUT_KEY: LiteralString = """
    (select 'no primary key' as kind, COLUMNS, 0 as count FROM
       and c.relkind = 'r' and c.relpersistence = 'p' and c.relpages >= 128 and NO_PARTITION
       and not exists (select from pg_index as i where i.indrelid = c.oid and i.indisvalid
                       and i.indisunique and i.indpred is null)
     order by c.relpages desc, c.oid limit 20)"""
_UNLOGGED: LiteralString = """
    (select 'unlogged table', COLUMNS, 0 FROM and c.relkind = 'r' and c.relpersistence = 'u'
     order by c.relpages desc, c.oid limit 20)"""
_WITHOUT_IDENTITY: LiteralString = """
    (select 'no replica identity', COLUMNS, 0 FROM
       and c.relkind = 'r' and c.relpersistence = 'p'
       and (c.relreplident = 'n' or c.relreplident = 'd' and not exists (
            select from pg_index as i where i.indrelid = c.oid and i.indisprimary))
       and exists (select from pg_publication as p where (p.pubupdate or p.pubdelete)
                   and (p.puballtables or exists (select from pg_publication_rel as r
                                                  where r.prpubid = p.oid and r.prrelid = c.oid)))
     order by c.relpages desc, c.oid limit 20)"""
_PARTITIONS: LiteralString = """
    (select 'many partitions', COLUMNS, p.count FROM_PARTITIONS
     order by p.count desc, c.oid limit 20)"""
_DEFAULT: LiteralString = """
    (select 'default partition', COLUMNS, pg_stat_get_live_tuples(c.oid) FROM
       and c.relkind = 'r' and pg_stat_get_live_tuples(c.oid) > 0
       and c.oid in (select partdefid from pg_partitioned_table)
     order by c.relpages desc, c.oid limit 20)"""
_FROM_PARTITIONS: LiteralString = """
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    join (select inhparent, count(*) as count from pg_inherits group by 1 having count(*) > 1000) as p
         on p.inhparent = c.oid
    where c.relkind = 'p'"""

_REDUNDANT = Query(
    columns=("redundant_indexes",),
    sql="""select coalesce(json_agg(row_to_json(e)), '[]')::text from (
            with plain as (
                select i.indexrelid, i.indrelid, i.indkey::text as key, i.indclass::text as class,
                       i.indcollation::text as collation, i.indoption::text as option,
                       x.relname, x.relam, x.relpages, x.reltablespace,
                       i.indnatts = array_length(string_to_array(i.indclass::text, ' '), 1) as includes_none,
                       i.indisunique or i.indisexclusion or i.indisreplident or i.indisclustered
                       or exists (select from pg_constraint where conindid = x.oid)
                       or exists (select from pg_inherits where inhrelid = x.oid) as has_duties
                from pg_index as i join pg_class as x on x.oid = i.indexrelid
                join pg_am as m on m.oid = x.relam
                where i.indisvalid and i.indexprs is null and i.indpred is null and x.relkind = 'i'
                  and m.amname = 'btree'),
            longer as (
                select distinct on (i.indexrelid) i.indexrelid, p.relname as same_as
                from plain as i join plain as p on p.indrelid = i.indrelid and p.relam = i.relam
                  -- Columns, classes, collations and order of the shorter begin those of the longer.
                  and p.key like i.key || ' %' and p.class like i.class || ' %'
                  and p.collation like i.collation || ' %' and p.option like i.option || ' %'
                where not i.has_duties and i.includes_none and i.relpages >= 128
                order by i.indexrelid, p.relpages, p.indexrelid)
            select n.nspname as schema, c.relname as "table", i.relname as name, o.same_as,
                   i.relpages::bigint * current_setting('block_size')::int as bytes,
                   pg_get_indexdef(i.indexrelid) as definition, coalesce(s.spcname, '') as tablespace
            from plain as i join longer as o on o.indexrelid = i.indexrelid
            join pg_class as c on c.oid = i.indrelid join pg_namespace as n on n.oid = c.relnamespace
            left join pg_tablespace as s on s.oid = i.reltablespace
            where c.relpersistence <> 't'
              and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_toast'
              and not exists (select from pg_depend as d where d.classid = 'pg_class'::regclass
                              and d.objid = c.oid and d.deptype = 'e')
              -- pg_get_indexdef opens the table, and would wait for whoever has it exclusively.
              and not exists (select from pg_locks as l where l.relation = c.oid
                              and l.mode = 'AccessExclusiveLock')
            order by i.relpages desc, n.nspname, i.relname limit 20) as e""",
)


def design_queries(release: int) -> tuple[Query, ...]:
    """The statements for a server_version_num, each of which returns one row."""
    no_partition: LiteralString = "not c.relispartition" if release >= FIRST_LSN else "true"
    of_10: LiteralString = " union all " + _WITHOUT_IDENTITY + " union all " + _PARTITIONS
    of_11: LiteralString = " union all " + _DEFAULT
    flaws = _WITHOUT_KEY + " union all " + _UNLOGGED
    if release >= FIRST_LSN:
        flaws += of_10
    if release >= _FIRST_DEFAULT_PARTITIONS:
        flaws += of_11
    flaws = flaws.replace("NO_PARTITION", no_partition).replace("FROM_PARTITIONS", _FROM_PARTITIONS)
    flaws = flaws.replace("FROM", _FROM).replace("COLUMNS", _COLUMNS)
    sql = "select coalesce(json_agg(row_to_json(f)), '[]')::text from (" + flaws + ") as f"  # noqa: S608 - of fragments that are all ours
    return (Query(columns=("design_flaws",), sql=sql), _REDUNDANT)

"""The statements of a deep look at one database; none takes more than AccessShareLock, none writes."""

from __future__ import annotations

from typing import LiteralString

FIRST_AMCHECK = 100_000
FIRST_HEAP_CHECK = 140_000
_FIRST_OWNER_CHECKS: dict[int, int] = {10: 100_021, 11: 110_016, 12: 120_011, 13: 130_007, 14: 140_003}
"""By major: the first release whose amcheck runs a type's operators with the rights of the table's owner."""

DATABASES: LiteralString = """
    select datname from pg_database
    where datallowconn and not datistemplate and has_database_privilege(oid, 'CONNECT')
    order by datname limit 1000"""

CHECKER: LiteralString = """
    select e.extversion, n.nspname, has_schema_privilege(n.oid, 'USAGE'),
           (select has_function_privilege(p.oid, 'EXECUTE') from pg_proc as p join pg_depend as d
                   on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
            where d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid and p.proname = %s
            order by p.pronargs limit 1)
    from pg_extension as e join pg_namespace as n on n.oid = e.extnamespace
    where e.extname = 'amcheck'"""
"""Where amcheck is, and whether this role may run the named function of it; no row where it is not."""

IS_AVAILABLE: LiteralString = "select exists (select from pg_available_extensions where name = 'amcheck')"

# First indexes of a collation whose library changed, as most of them are damaged; then those that keep
# duplicates out; the smallest first. A standby has no file of an unlogged index; temporary ones are others'.
_INDEXES: LiteralString = """
    select x.oid::bigint, n.nspname, x.relname, c.relname,
           x.relpages::bigint * current_setting('block_size')::int, c.oid < 16384
    from pg_index as i join pg_class as x on x.oid = i.indexrelid join pg_am as a on a.oid = x.relam
    join pg_class as c on c.oid = i.indrelid join pg_namespace as n on n.oid = x.relnamespace
    where a.amname = 'btree' and x.relkind = 'i' and i.indisvalid and i.indisready
      and (x.relpersistence = 'p' or x.relpersistence = 'u' and not pg_is_in_recovery())
      and not exists (select from pg_locks as l where l.relation in (c.oid, x.oid)
                      and l.mode = 'AccessExclusiveLock' and l.granted)
      and (%s or not c.relisshared) BUILT_IN
    order by case when CHANGED then 0 when i.indisunique or i.indisexclusion then 1 else 2 end,
             x.relpages, x.oid
    limit 100000"""
LOCKED_INDEXES: LiteralString = """
    select count(distinct x.oid) from pg_index as i join pg_class as x on x.oid = i.indexrelid
    join pg_am as a on a.oid = x.relam
    join pg_locks as l on l.relation in (i.indrelid, x.oid) and l.mode = 'AccessExclusiveLock' and l.granted
    where a.amname = 'btree' and x.relkind = 'i' and i.indisvalid and i.indisready
      and l.database = (select oid from pg_database where datname = current_database())"""
_BUILT_IN: LiteralString = """
      and not exists (select from unnest(i.indclass::oid[]) as k (oid) join pg_opclass as o on o.oid = k.oid
                      where o.oid >= 16384 or o.opcintype in ('anyarray'::regtype, 'record'::regtype,
                                                              'anyrange'::regtype))"""
"""Whose comparison runs code of the server's makers alone."""
_CHANGED_COLLATION: LiteralString = """
    exists (select from unnest(i.indcollation::oid[]) as k (oid) join pg_collation as v on v.oid = k.oid
            where v.collversion <> pg_collation_actual_version(v.oid) DEFAULT_CHANGED)"""
_CHANGED_DEFAULT: LiteralString = """
            or k.oid = 100 and (select d.datcollversion <> pg_database_collation_actual_version(d.oid)
                                from pg_database as d where d.datname = current_database())"""
"""100 is the collation named default, which has the database's version (15 and newer)."""
_FIRST_DEFAULT_VERSIONS = 150_000

TABLES: LiteralString = """
    select c.oid::bigint, n.nspname, c.relname, c.relname,
           c.relpages::bigint * current_setting('block_size')::int, c.oid < 16384
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace join pg_am as a on a.oid = c.relam
    where c.relkind in ('r', 't', 'm') and a.amname = 'heap'
      and (c.relpersistence = 'p' or c.relpersistence = 'u' and not pg_is_in_recovery())
      and (%s or not c.relisshared)
      and not exists (select from pg_locks as l where l.relation = c.oid
                      and l.mode = 'AccessExclusiveLock' and l.granted)
    order by c.relpages, c.oid limit 100000"""
LOCKED_TABLES: LiteralString = """
    select count(distinct c.oid) from pg_class as c join pg_am as a on a.oid = c.relam
    join pg_locks as l on l.relation = c.oid and l.mode = 'AccessExclusiveLock' and l.granted
    where c.relkind in ('r', 't', 'm') and a.amname = 'heap'
      and l.database = (select oid from pg_database where datname = current_database())"""


def runs_as_owner(release: int) -> bool:
    """Whether amcheck of this server_version_num runs a type's own operators with its owner's rights."""
    return release >= _FIRST_OWNER_CHECKS.get(release // 10_000, 0)


def index_query(release: int) -> LiteralString:
    """The indexes to check, in their order; without those whose operators would run with our rights."""
    default: LiteralString = _CHANGED_DEFAULT if release >= _FIRST_DEFAULT_VERSIONS else ""
    changed = _CHANGED_COLLATION.replace("DEFAULT_CHANGED", default)
    built_in: LiteralString = "" if runs_as_owner(release) else _BUILT_IN
    return _INDEXES.replace("BUILT_IN", built_in).replace("CHANGED", changed)

"""Files in a database's directories that no relation of its catalogue has.

A file of a running transaction is in no catalogue that others see, and cannot be older than that transaction:
only files older than every open transaction are looked at. A dropped relation's first file stays until the
next checkpoint, with no bytes in it: empty files, and those newer than the last checkpoint, are left out too.
"""

from __future__ import annotations

from typing import LiteralString

FIRST_CONTROL = 90_600
"""The first release with pg_control_checkpoint()."""
MARGIN = 60
"""Seconds by which the clock of a file system and the server's may differ."""
PAUSE = 2.0
"""Seconds until what looked orphaned is looked up again: a DROP deletes its files after it is committed."""

WHY_NOT: LiteralString = """
    select case
        when pg_is_in_recovery() then 'a standby deletes files as its primary did, some time later'
        when not (has_function_privilege('pg_ls_dir(text, boolean, boolean)', 'EXECUTE')
                  and has_function_privilege('pg_stat_file(text, boolean)', 'EXECUTE'))
            then 'this role may not list files (a superuser may)'
        when exists (select from pg_stat_activity
                     where query = '<insufficient privilege>' or state = 'disabled')
            then 'how old the transactions of some sessions are is hidden from this role, or not tracked'
        when exists (select from pg_prepared_xacts where database = current_database())
            then 'a prepared transaction may have made files that the catalogue does not show'
        else '' end"""
"""Why nothing can be said of the files; empty if something can."""

# The limit is read before the files are listed: whatever begins later makes newer files.
LIMIT: LiteralString = """
    select date_part('epoch', least((select checkpoint_time from pg_control_checkpoint()), now(),
               (select min(xact_start) from pg_stat_activity where pid <> pg_backend_pid())))::float8"""

UNKNOWN_FILES: LiteralString = r"""
    with directories as (
        select t.oid::bigint as tablespace,
               case when t.spcname = 'pg_default' then 'base/'
                    else 'pg_tblspc/' || t.oid || '/PG_' || %s || '_' || v.catalog_version_no || '/'
               end || d.oid as directory
        from pg_database as d cross join pg_tablespace as t cross join pg_control_system() as v
        where d.datname = current_database() and t.spcname <> 'pg_global'),
    files as (
        select p.tablespace, p.directory || '/' || f.name as path,
               substring(f.name from '^[0-9]+')::bigint as number
        from directories as p cross join lateral pg_ls_dir(p.directory, true, false) as f (name)
        where f.name ~ '^[0-9]{1,10}(_(fsm|vm|init))?(\.[0-9]+)?$'),
    known as (
        select coalesce(nullif(c.reltablespace, 0), d.dattablespace)::bigint as tablespace,
               pg_relation_filenode(c.oid)::bigint as number
        from pg_class as c cross join pg_database as d
        where c.relkind in ('r', 'i', 'S', 't', 'm') and d.datname = current_database())
    select f.path, f.tablespace, f.number
    from files as f left join known as k on k.tablespace = f.tablespace and k.number = f.number
    cross join lateral pg_stat_file(f.path, true) as s
    where k.number is null and s.size > 0 and date_part('epoch', s.modification) < %s
    order by f.path limit 10000"""
"""Temporary files have other names (`t3_16412`); the server deletes them when it starts."""

STILL_UNKNOWN: LiteralString = """
    select f.path, s.size
    from json_to_recordset(%s::json) as f (path text, tablespace bigint, number bigint)
    cross join lateral pg_stat_file(f.path, true) as s
    where pg_filenode_relation(f.tablespace::oid, f.number::oid) is null
      and s.size > 0 and date_part('epoch', s.modification) < %s
    order by f.path"""


def version_in_paths(release: int) -> str:
    """As directories of tablespaces are named: `9.6`, `15`."""
    major, rest = divmod(release, 10_000)
    return str(major) if major >= 10 else f"{major}.{rest // 100}"  # noqa: PLR2004 - the first of one number

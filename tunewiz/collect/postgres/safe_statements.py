"""Whether a statement can be run repeatedly and does nothing but read or change rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import LiteralString

from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.core.proof.script_statement import called
from tunewiz.core.proof.statement_parameters import conditions, nodes
from tunewiz.core.proof.statement_text import parts

HARMLESS = ("random", "clock_timestamp", "timeofday", "gen_random_uuid", "uuidv4", "uuidv7")
"""Built-in functions that are volatile only because their result changes."""

# `table_to_xml` and its like count as stable, but run whatever a view of that name calls.
# System objects have numbers below 16384 (PostgreSQL's source, access/transam.h, FirstNormalObjectId).
_FUNCTIONS: LiteralString = """
    select distinct p.proname::text, p.oid < 16384 from pg_catalog.pg_proc as p
    join pg_catalog.pg_roles as r on r.oid = p.proowner
    join pg_catalog.pg_language as l on l.oid = p.prolang
    where p.proname = any(%s)
      and ((p.provolatile = 'v' and not (p.oid < 16384 and p.proname = any(%s)))
           or (p.oid < 16384 and p.proname ~ '^(table|schema|database)_to_xml')
           or (p.oid >= 16384 and not (l.lanname in ('internal', 'c') and r.rolsuper)))
    order by 1"""
_OPERATORS: LiteralString = """
    select distinct o.oprname::text from pg_catalog.pg_operator as o
    join pg_catalog.pg_proc as p on p.oid = o.oprcode
    join pg_catalog.pg_roles as r on r.oid = p.proowner
    where o.oid >= 16384 and (p.provolatile = 'v' or not r.rolsuper)"""
_CASTS: LiteralString = """
    select count(*) from pg_catalog.pg_cast as c join pg_catalog.pg_proc as p on p.oid = c.castfunc
    join pg_catalog.pg_language as l on l.oid = p.prolang
    where p.oid >= 16384 and (p.provolatile = 'v' or l.lanname not in ('internal', 'c'))"""
_DOMAINS: LiteralString = "select typname::text from pg_catalog.pg_type where typtype = 'd' and oid >= 16384"
# A change of a table may be one of its partitions and heirs, whose triggers and checks are their own.
_FAMILY: LiteralString = """
    with recursive family (oid) as (
        select c.oid from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = %s and c.relname = %s
        union select i.inhrelid from pg_catalog.pg_inherits as i join family as f on f.oid = i.inhparent)"""
# What changing rows can call: triggers, and functions in checks, defaults and indexes; system functions
# leave no dependency. A rule's actions are in the plan.
_TRIGGERS: LiteralString = f"""{_FAMILY}
    select pg_catalog.bool_or(
             exists (select from pg_catalog.pg_trigger as t where t.tgrelid = c.oid and not t.tgisinternal)
             or exists (
               select from pg_catalog.pg_depend as d where d.refclassid = 'pg_catalog.pg_proc'::regclass
               and ((d.classid = 'pg_catalog.pg_constraint'::regclass
                     and d.objid in (select oid from pg_catalog.pg_constraint where conrelid = c.oid))
                 or (d.classid = 'pg_catalog.pg_attrdef'::regclass
                     and d.objid in (select oid from pg_catalog.pg_attrdef where adrelid = c.oid))
                 or (d.classid = 'pg_catalog.pg_class'::regclass
                     and d.objid in (select indexrelid from pg_catalog.pg_index where indrelid = c.oid))))),
           pg_catalog.bool_or(exists (select from pg_catalog.pg_index
                   where indrelid = c.oid and (indisunique or indisexclusion))),
           pg_catalog.bool_or(exists (select from pg_catalog.pg_constraint where confrelid = c.oid))
    from family as c having pg_catalog.count(*) > 0"""  # noqa: S608 - both parts are ours
_CHECKS: LiteralString = f"""{_FAMILY}
    select pg_catalog.pg_get_constraintdef(k.oid) from pg_catalog.pg_constraint as k
    where k.contype = 'c' and k.conrelid in (select oid from family)"""  # noqa: S608 - both parts are ours


def why_not_safe(connection: Connection, text: str, plan: object) -> str:
    """Why the statement is not safe; empty if it is. An empty search path keeps out other users' functions.

    Args:
        connection: A session in the statement's database.
        text: The statement; its text has been checked by `why_left_out`.
        plan: Its plan, in which views and functions are expanded; empty if there is none yet.

    Raises:
        psycopg.Error: The server did not answer.
    """
    texts = (text, *(said for node in nodes(plan) for said in conditions(node)))
    return (
        _of_functions(connection, texts)
        or _of_operators(connection, texts)
        or _of_types(connection, texts)
        or _of_changes(connection, plan)
    )


def _of_functions(connection: Connection, texts: Sequence[str]) -> str:
    names = sorted({name for text in texts for name in called(text)})
    row = connection.execute(_FUNCTIONS, (names, list(HARMLESS))).fetchone()
    if row is None:
        return ""
    what = (
        "which is volatile or reads any view"
        if row[1]
        else "which is neither built in nor an extension's C function"
    )
    return f"it calls {row[0]}(), {what}: it may do more than read rows"


def _of_operators(connection: Connection, texts: Sequence[str]) -> str:
    for (name,) in connection.execute(_OPERATORS):
        if any(name in text for text in texts):
            return f"it may use the user-defined operator {name}, which could do more than read rows"
    return ""


def _of_types(connection: Connection, texts: Sequence[str]) -> str:
    row = connection.execute(_CASTS).fetchone()
    if row and row[0]:
        return "the database has casts with user-defined functions, which could do more than read rows"
    words = {part.strip('"') for text in texts for kind, part in parts(text) if kind in ("word", "quoted")}
    for (name,) in connection.execute(_DOMAINS):
        if name in words or name in {word.lower() for word in words}:
            return f"it uses the domain {name}, whose checks could do more than read rows"
    return ""


def _of_changes(connection: Connection, plan: object) -> str:
    for node in nodes(plan):
        if node["Node Type"] != "ModifyTable":
            continue
        table = (node.get("Schema"), node.get("Relation Name"))
        row = connection.execute(_TRIGGERS, table).fetchone()
        calls, is_unique, is_referenced = row or (True, True, True)
        if calls:
            return (
                "it changes a table with triggers, or with functions in its constraints, defaults or indexes"
            )
        if _of_functions(connection, [check for (check,) in connection.execute(_CHECKS, table)]):
            return "it changes a table whose checks could do more than read rows"
        if is_unique and node.get("Operation") in ("Insert", "Merge"):
            return "it adds rows to a table with a unique or exclusion constraint: a second run would fail"
        if is_referenced and node.get("Operation") in ("Delete", "Merge"):
            return "it deletes rows that other tables may refer to"
    return ""

"""What can be done for single tables of a server, from what its own catalogue told."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TypeAlias

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.tables import DatabaseTables, Table
from tunewiz.core.facts.trusted_counters import not_counting
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.server.replication import signs_of_standbys, standbys
from tunewiz.core.tables.bloat import empty_space
from tunewiz.core.tables.design import drop_redundant, of_design
from tunewiz.core.tables.fill import fill_of
from tunewiz.core.tables.helpers_of_vacuum import parallel_vacuum
from tunewiz.core.tables.indexes import (
    DAY,
    LONG_ENOUGH,
    drop_duplicate,
    drop_unused,
    index_key,
    repair_invalid,
)
from tunewiz.core.tables.items import Relation, Sight, StorageChange, TableAdvice, TableDecision
from tunewiz.core.tables.sights import ending, relation, sights_of
from tunewiz.core.tables.thresholds import threshold_changes
from tunewiz.core.values.identifiers import qualified
from tunewiz.core.values.known import Known, Unknown, known_or
from tunewiz.core.values.plural import how_many

Item: TypeAlias = StorageChange | TableDecision | Sight

_OFF = frozenset({"false", "off", "no", "0"})
"""How a boolean parameter is written, by the manual."""


def advice_on_tables(plan: Plan) -> TableAdvice:
    """All that is to be said of the planned server's tables; the plan's own settings count as in force."""
    why = _why_none(plan.start)
    if why or isinstance(plan.start.server, NoServer):
        return TableAdvice(why_none=why)
    databases = known_or(plan.start.server.tables, ())
    why_not = _why_no_index_is_judged(plan.start)
    items = tuple(chain.from_iterable(_of_database(database, plan.end, why_not) for database in databases))
    return TableAdvice(
        changes=tuple(item for item in items if isinstance(item, StorageChange)),
        decisions=tuple(item for item in items if isinstance(item, TableDecision)),
        sights=tuple(item for item in items if isinstance(item, Sight)),
    )


def _why_none(start: Situation) -> str:
    match start.server:
        case NoServer(why=why):
            return why
        case PostgresServer(role=Known(value="standby")):
            return "a standby counts no writes: read the tables of its primary"
        case PostgresServer(tables=Unknown(why=why)):
            return f"the tables were not read: {why}"
        case _:
            return ""


def _why_no_index_is_judged(start: Situation) -> str:
    """Why the scans that this server counted do not show that nobody uses an index; empty if they do."""
    if isinstance(start.server, PostgresServer) and (why := not_counting(start.server)):
        return why
    if standbys(start):
        signs = ", ".join(signs_of_standbys(start)) or "as answered"
        elsewhere = "each counts its own scans: ask pg_stat_user_indexes there"
        return f"standbys follow this server ({signs}), and {elsewhere}"
    return ""


def _of_database(database: DatabaseTables, situation: Situation, why_not: str) -> Iterator[Item]:
    for table in known_or(database.tables, ()):
        yield from _of_table(table, database, situation)
    for index in known_or(database.invalid_indexes, ()):
        yield repair_invalid(index, database.database, situation.major)
    for duplicate in known_or(database.duplicate_indexes, ()):
        if decision := drop_duplicate(duplicate, database.database):
            yield decision
    yield from _designed(database, situation)
    for sequence in known_or(database.ending_sequences, ()):
        yield ending(sequence, database.database)
    yield from _unused(database, why_not)
    for key in known_or(database.bare_foreign_keys, ()):
        if key.referenced_deleted or key.referenced_updated:
            yield index_key(key, database.database)


def _designed(database: DatabaseTables, situation: Situation) -> Iterator[Item]:
    for redundant in known_or(database.redundant_indexes, ()):
        if decision := drop_redundant(redundant, database.database):
            yield decision
    has_standbys = bool(standbys(situation))
    for flaw in known_or(database.design_flaws, ()):
        yield from of_design(flaw, database.database, has_standbys=has_standbys)


def _of_table(table: Table, database: DatabaseTables, situation: Situation) -> Iterator[Item]:
    where = relation(table, database)
    if table.options.get("autovacuum_enabled", "").lower() in _OFF:
        yield _switched_off(where, table)
    else:
        for parameter, value, because in threshold_changes(table, situation):
            before = table.options.get(parameter, "")
            yield StorageChange(table=where, parameter=parameter, before=before, value=value, because=because)
    yield from _filled(where, table)
    yield from _repacked(where, table)
    yield from parallel_vacuum(where, table, situation)
    yield from sights_of(table, database, situation)


def _switched_off(where: Relation, table: Table) -> TableDecision:
    name = qualified(where.schema, where.name)
    value = table.options["autovacuum_enabled"].lower()
    return TableDecision(
        kind="autovacuum is off",
        table=where,
        what="autovacuum_enabled",
        because="only vacuums against wraparound come to this table, and nothing samples it anew. Find out "
        "who vacuums and analyzes it instead, and when",
        do=(f"ALTER TABLE {name} RESET (autovacuum_enabled);",),
        undo=(f"ALTER TABLE IF EXISTS {name} SET (autovacuum_enabled = {value});",),
    )


def _filled(where: Relation, table: Table) -> Iterator[Item]:
    fill = fill_of(table)
    if fill is None:
        return
    before = table.options.get("fillfactor", "")
    if fill.sure:
        yield StorageChange(
            table=where, parameter="fillfactor", before=before, value=str(fill.value), because=fill.because
        )
        return
    name = qualified(where.schema, where.name)
    yield TableDecision(
        kind="fillfactor",
        table=where,
        what=f"{before or 'not set'} -> {fill.value}",
        because=f"{fill.because}. It helps only if the updates change no indexed column, which this server "
        "does not count",
        do=(f"ALTER TABLE {name} SET (fillfactor = {fill.value});",),
        undo=(
            f"ALTER TABLE IF EXISTS {name} "
            + (f"SET (fillfactor = {before});" if before else "RESET (fillfactor);"),
        ),
    )


def _repacked(where: Relation, table: Table) -> Iterator[TableDecision]:
    """REPACK (CONCURRENTLY) of a table that is half empty, where the server has it and takes the table."""
    if not table.repackable:
        return
    if empty := empty_space(table):
        yield TableDecision(
            kind="bloat (estimate)",
            table=where,
            what="REPACK (CONCURRENTLY)",
            because=f"{empty}. REPACK (CONCURRENTLY) copies the table and its indexes while it is read and "
            "written, and locks it for a moment at the end: it needs room for the copy, a free one of "
            "max_repack_replication_slots, and wal_level above minimal",
            do=(f"REPACK (CONCURRENTLY, ANALYZE) {qualified(where.schema, where.name)};",),
            undo=(),
        )


def _unused(database: DatabaseTables, why_not: str) -> Iterator[Item]:
    """Judged only after a month of counting, by every server that reads."""
    indexes = known_or(database.unused_indexes, ())
    counted = known_or(database.counted_seconds, 0)
    if indexes and why_not:
        yield Sight(
            kind="not judged",
            table=Relation(database=database.database, schema="", name=""),
            because=f"{how_many(len(indexes), 'index')} without a scan: {why_not}. No DROP INDEX is proposed",
        )
    elif counted >= LONG_ENOUGH:
        yield from (decision for index in indexes if (decision := drop_unused(index, database)))
    elif indexes:
        yield Sight(
            kind="not judged",
            table=Relation(database=database.database, schema="", name=""),
            because=f"{how_many(len(indexes), 'index')} had no scan in {how_many(counted // DAY, 'day')} "
            f"of counting; {LONG_ENOUGH // DAY} days at least are needed to call one unused",
        )

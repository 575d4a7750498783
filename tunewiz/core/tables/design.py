"""What follows from how tables are made: what a person decides on, and what is only to be looked at."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.design import DesignFlaw
from tunewiz.core.facts.health import DuplicateIndex
from tunewiz.core.tables.indexes import is_one_line, made_again
from tunewiz.core.tables.items import Relation, Sight, TableDecision
from tunewiz.core.values.identifiers import qualified
from tunewiz.core.values.plural import in_millions
from tunewiz.core.values.units import Bytes


def drop_redundant(index: DuplicateIndex, database: str) -> TableDecision | None:
    """The decision to drop an index with whose columns another begins; None without a usable definition."""
    if not is_one_line(index.definition):
        return None
    return TableDecision(
        kind="redundant index",
        table=Relation(database=database, schema=index.schema, name=index.table),
        what=index.name,
        because=f"{index.same_as} begins with the same columns in the same order, and can serve its queries: "
        f"dropping it frees {Bytes(index.bytes).human()}, and saves work at every change. The longer one has "
        "more pages to read: compare the plans of its queries before and after. A hint may name it",
        do=(f"DROP INDEX CONCURRENTLY {qualified(index.schema, index.name)};",),
        undo=tuple(made_again(index.definition, index.tablespace)),
    )


def of_design(flaw: DesignFlaw, database: str, *, has_standbys: bool) -> Iterator[TableDecision | Sight]:
    """What is said of one table."""
    table = Relation(database=database, schema=flaw.schema, name=flaw.name)
    match flaw.kind:
        case "no replica identity":
            yield _identity(table)
        case "unlogged table" if has_standbys:
            yield _logged(table, flaw)
        case "unlogged table":
            pass
        case "no primary key":
            yield Sight(
                kind="no primary key",
                table=table,
                because=f"{Bytes(flaw.bytes).human()} without a primary key and without a unique index: "
                "equal rows cannot be told apart, logical replication finds no row to update, and pg_repack "
                "refuses it. Logs and staging tables may do without",
            )
        case "many partitions":
            yield Sight(
                kind="many partitions",
                table=table,
                because=f"{flaw.count:,} partitions: planning time and each session's memory grow with those "
                "that a query does not rule out. Check that queries name the partition key, or make "
                "partitions larger",
            )
        case "default partition":
            yield Sight(
                kind="default partition",
                table=table,
                because=f"{in_millions(flaw.count)} rows are in the default partition: a new partition for "
                "values that it holds cannot be attached, and each attach scans it. Move them to "
                "partitions of their own",
            )


def _identity(table: Relation) -> TableDecision:
    name = qualified(table.schema, table.name)
    return TableDecision(
        kind="no replica identity",
        table=table,
        what="REPLICA IDENTITY",
        because="it is published, and has no primary key and no other replica identity: each UPDATE and "
        "DELETE fails. A primary key is best; until then FULL writes whole old rows to the WAL",
        do=(f"ALTER TABLE {name} REPLICA IDENTITY FULL;",),
        undo=(f"ALTER TABLE IF EXISTS {name} REPLICA IDENTITY DEFAULT;",),
    )


def _logged(table: Relation, flaw: DesignFlaw) -> TableDecision:
    name = qualified(table.schema, table.name)
    return TableDecision(
        kind="unlogged table",
        table=table,
        what="UNLOGGED",
        because=f"its {Bytes(flaw.bytes).human()} are not on any standby: after a failover or a crash the "
        "table is empty. Decide whether its rows can be lost; SET LOGGED writes all of it to the WAL and "
        "locks it meanwhile",
        do=(f"ALTER TABLE {name} SET LOGGED;",),
        undo=(f"ALTER TABLE IF EXISTS {name} SET UNLOGGED;",),
    )

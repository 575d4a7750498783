"""What a deep look came to: damaged indexes and tables, how much was read, files of no relation."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.deep_look import (
    CheckedCount,
    DamagedRelation,
    DeepDatabase,
    DeepLook,
    OrphanedFiles,
    RelationKind,
)
from tunewiz.core.facts.server import NOT_LOOKED_DEEPER, PostgresServer
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.values.identifiers import qualified
from tunewiz.core.values.known import Fact, Known, Unknown, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import V12, Major

_WHAT: dict[RelationKind, str] = {"index": "B-tree index", "table": "table"}
_TOAST = "pg_toast"


def of_deep_look(look: DeepLook, major: Major) -> Iterator[Trouble]:
    """A trouble for each relation that does not hold together."""
    for database in look.databases:
        for damaged in database.damaged:
            yield _damaged(damaged, database.database, major)
        if database.cut_off is not None:
            yield _cut_off(database.cut_off, database.database)


def _damaged(damaged: DamagedRelation, database: str, major: Major) -> Trouble:
    match damaged.kind:
        case "index":
            return _damaged_index(damaged, database, major)
        case "table":
            return _damaged_table(damaged, database)


def _damaged_index(damaged: DamagedRelation, database: str, major: Major) -> Trouble:
    how = "INDEX" if damaged.is_catalog or major < V12 else "INDEX CONCURRENTLY"
    name = qualified(damaged.schema, damaged.name)
    return Trouble(
        kind="damaged index",
        who="administrator",
        what=f"{damaged.schema}.{damaged.name} on {damaged.table}, {Bytes(damaged.bytes).human()}",
        because=f"amcheck: {damaged.message}. Queries by it miss rows or fail, and a unique one takes "
        "duplicates. Its table has the rows; rebuild it from them once the cause is known: a changed "
        "collation, a disk, memory, or a copy of files that was not whole.",
        do=(f"REINDEX {how} {name};",),
        after=("look again with `tunewiz health --deep`: where one index is damaged, others may be",),
        database=database,
    )


def _damaged_table(damaged: DamagedRelation, database: str) -> Trouble:
    owner = " (values of a table that are kept outside its rows)" if damaged.schema == _TOAST else ""
    return Trouble(
        kind="damaged table",
        who="administrator",
        what=f"{damaged.schema}.{damaged.name}{owner}, {Bytes(damaged.bytes).human()}",
        because=f"amcheck: {damaged.message}. No statement mends it: rows can be lost. Keep the newest "
        "backup from before that, copy the data directory while the server is stopped, look at the disks, "
        "and restore the table.",
        database=database,
    )


def _cut_off(relation: DamagedRelation, database: str) -> Trouble:
    return Trouble(
        kind="reading was cut off",
        who="administrator",
        what=f"{relation.schema}.{relation.name}",
        because=f"the server's process ended while amcheck read it ({relation.message}). A damaged page can "
        "do that, and then any query that meets it; so can a killed process, or too little memory. "
        "The server's log tells the signal: after 11 (a crash), do not read it again on this server; check "
        "it in a restored backup, and rebuild it if it is an index.",
        database=database,
    )


def look_of(server: PostgresServer) -> DeepLook | None:
    """The deep look, if one was taken."""
    return known_or(server.deep, None)


def deep_lines(look: DeepLook) -> Iterator[str]:
    """How much was read, database by database."""
    for database in look.databases:
        parts = [_counted(kind, count.value) for kind, count in _counts(database) if isinstance(count, Known)]
        if parts:
            yield f"{database.database}: {'; '.join(parts)}"


def _counts(database: DeepDatabase) -> tuple[tuple[RelationKind, Fact[CheckedCount]], ...]:
    return ("index", database.indexes), ("table", database.tables)


def _counted(kind: RelationKind, count: CheckedCount) -> str:
    left = count.total - count.checked - count.locked - count.failed
    parts = [f"{count.checked:,} of {how_many(count.total, _WHAT[kind])} read"]
    if left:
        parts.append(f"no time for {left:,}")
    if count.locked:
        parts.append(f"{count.locked:,} held exclusively by others")
    if count.failed:
        parts.append(f"{count.failed:,} could not be read ({count.failure})")
    return ", ".join(parts)


def orphan_notes(look: DeepLook) -> Iterator[str]:
    """Files of no relation, and what to check before anybody touches them."""
    for database in look.databases:
        match database.orphans:
            case Known(value=OrphanedFiles(files=files) as orphans) if files:
                yield _orphaned(orphans, database.database)
            case _:
                pass


def _orphaned(orphans: OrphanedFiles, database: str) -> str:
    count, size = how_many(orphans.files, "file"), Bytes(orphans.bytes).human()
    some = ", ".join(orphans.paths)
    more = ", …" if orphans.files > len(orphans.paths) else ""
    belongs = "belongs" if orphans.files == 1 else "belong"
    return (
        f"{count} ({size}) of database {database} {belongs} to no table or index that its catalogue has "
        f"({some}{more}): a crash in the middle of CREATE, REINDEX or VACUUM FULL leaves such files. Delete "
        "none because of this note. Check first: a damaged catalogue (pg_class) shows the same, so look for "
        "missing tables; restart the server and look again; have a backup that was restored once; then move "
        "them away while the server is stopped, and keep them until all is seen to work"
    )


def unseen_deeper(server: PostgresServer) -> Iterator[str]:
    """What a deep look could not look at, each reason once."""
    match server.deep:
        case Unknown() as unknown:
            if unknown != NOT_LOOKED_DEEPER:
                yield f"indexes, tables and files: {unknown.why}"
        case Known(value=look):
            yield from _unseen(look)


def _unseen(look: DeepLook) -> Iterator[str]:
    if look.ended:
        yield f"the deep look ended early: {look.ended}"
    facts_of: dict[str, list[Fact[CheckedCount] | Fact[OrphanedFiles]]] = {
        "damage of B-tree indexes": [database.indexes for database in look.databases],
        "damage of tables": [database.tables for database in look.databases],
        "files of no table": [database.orphans for database in look.databases],
    }
    for what, facts in facts_of.items():
        whys = [fact.why if isinstance(fact, Unknown) else "" for fact in facts]
        for why in dict.fromkeys(filter(None, whys)):
            databases = [
                database.database
                for database, reason in zip(look.databases, whys, strict=True)
                if reason == why
            ]
            yield f"{what} in {_some(databases)}: {why}"


MAX_NAMED = 5


def _some(names: list[str]) -> str:
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more:,} more" if more > 0 else "")

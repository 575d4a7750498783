"""Indexes that nobody uses, and foreign keys without one: decisions, with what they rest on."""

from __future__ import annotations

from tunewiz.core.facts.tables import BareForeignKey, DatabaseTables, UnusedIndex
from tunewiz.core.tables.items import Relation, TableDecision
from tunewiz.core.values.identifiers import identifier, qualified
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many, in_millions
from tunewiz.core.values.units import Bytes

DAY = 86_400
LONG_ENOUGH = 31 * DAY
"""Seconds: what runs once a month has run."""

MAX_NAME = 63
"""Bytes of a name (NAMEDATALEN - 1)."""

_DEFINES = "CREATE INDEX "


def drop_unused(index: UnusedIndex, database: DatabaseTables) -> TableDecision | None:
    """The decision to drop it; None if its definition cannot be written on one line of a file."""
    if not index.definition.startswith(_DEFINES) or not index.definition.isprintable():
        return None
    days = known_or(database.counted_seconds, 0) // DAY
    since = known_or(database.since, "")[:10]
    return TableDecision(
        kind="unused index",
        table=Relation(database=database.database, schema=index.schema, name=index.table),
        what=index.name,
        because=f"{Bytes(index.bytes).human()}, and no scan since {since}, for {how_many(days, 'day')}, "
        "or since it was made. Standbys count for themselves: ask each of them (pg_stat_user_indexes). "
        "What runs once a year is not seen, nor a hint (pg_hint_plan) that names it; a comment on it is lost",
        do=(f"DROP INDEX CONCURRENTLY {qualified(index.schema, index.name)};",),
        undo=tuple(_made_again(index)),
    )


def _made_again(index: UnusedIndex) -> list[str]:
    """pg_get_indexdef does not tell the tablespace."""
    made = f"{_DEFINES}CONCURRENTLY {index.definition.removeprefix(_DEFINES)};"
    if not index.tablespace:
        return [made]
    return [f"SET default_tablespace = {identifier(index.tablespace)};", made, "RESET default_tablespace;"]


def index_key(key: BareForeignKey, database: str) -> TableDecision:
    """The decision to index a foreign key's columns."""
    name = _name_for(key)
    table, columns = qualified(key.schema, key.table), ", ".join(map(identifier, key.columns))
    deleted, updated = in_millions(key.referenced_deleted), in_millions(key.referenced_updated)
    referenced = f"{key.referenced_schema}.{key.referenced}"
    return TableDecision(
        kind="foreign key without an index",
        table=Relation(database=database, schema=key.schema, name=key.table),
        what=key.name,
        because=f"each delete in {referenced}, and each update of its key, reads all "
        f"{Bytes(key.bytes).human()} of this table; {deleted} rows were deleted there, {updated} updated. "
        "If its rows and keys stay, an index only costs",
        do=(f"CREATE INDEX CONCURRENTLY {identifier(name)} ON {table} ({columns});",),
        undo=(f"DROP INDEX CONCURRENTLY IF EXISTS {qualified(key.schema, name)};",),
    )


def _name_for(key: BareForeignKey) -> str:
    end = "_fk_idx"
    start = f"{key.table}_{'_'.join(key.columns)}".encode("utf-8", "replace")[: MAX_NAME - len(end)]
    return start.decode("utf-8", "ignore") + end

"""Indexes that serve nobody, and foreign keys without one: decisions, with what they rest on."""

from __future__ import annotations

import re

from tunewiz.core.facts.health import DuplicateIndex, InvalidIndex
from tunewiz.core.facts.tables import BareForeignKey, DatabaseTables, UnusedIndex
from tunewiz.core.tables.items import Relation, TableDecision
from tunewiz.core.values.identifiers import identifier, qualified
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many, in_millions
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import V12, Major

DAY = 86_400
LONG_ENOUGH = 31 * DAY
"""Seconds: what runs once a month has run."""

MAX_NAME = 63
"""Bytes of a name (NAMEDATALEN - 1)."""

_DEFINES = "CREATE INDEX "

_REMNANT = re.compile(r"_cc(new|old)[0-9]*$")
"""How REINDEX CONCURRENTLY ends the names of what a failure leaves, to be dropped (manual, REINDEX)."""


def repair_invalid(index: InvalidIndex, database: str, major: Major) -> TableDecision:
    """The decision to build it again, or to drop it where that cannot be done or it only is in the way."""
    name = qualified(index.schema, index.name)
    is_remnant = _REMNANT.search(index.name) is not None
    is_rebuilt = major >= V12 and not is_remnant
    size = f" ({Bytes(index.bytes).human()})" if index.bytes else ""
    then = "build it again" if is_rebuilt else "drop it" if is_remnant else "drop it and create it anew"
    return TableDecision(
        kind="invalid index",
        table=Relation(database=database, schema=index.schema, name=index.table),
        what=index.name,
        because=f"building it failed: every change of the table writes it{size}, "
        "and no query reads it; a unique one may still refuse rows. Find out why in the server's log, "
        f"then {then}",
        do=(f"{'REINDEX' if is_rebuilt else 'DROP'} INDEX CONCURRENTLY {name};",),
        undo=(),
    )


def drop_duplicate(index: DuplicateIndex, database: str) -> TableDecision | None:
    """The decision to drop it; None if its definition cannot be written on one line of a file."""
    if not is_one_line(index.definition):
        return None
    return TableDecision(
        kind="duplicate index",
        table=Relation(database=database, schema=index.schema, name=index.table),
        what=index.name,
        because=f"{index.same_as} has the same columns in the same order, and does all that this one does: "
        f"dropping it frees {Bytes(index.bytes).human()}, and saves work at every change. "
        "A hint (pg_hint_plan) may name it",
        do=(f"DROP INDEX CONCURRENTLY {qualified(index.schema, index.name)};",),
        undo=tuple(made_again(index.definition, index.tablespace)),
    )


def drop_unused(index: UnusedIndex, database: DatabaseTables) -> TableDecision | None:
    """The decision to drop it; None if its definition cannot be written on one line of a file."""
    if not is_one_line(index.definition):
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
        undo=tuple(made_again(index.definition, index.tablespace)),
    )


def is_one_line(definition: str) -> bool:
    """Whether a definition can be written on one line of a file, as pg_get_indexdef writes it."""
    return definition.startswith(_DEFINES) and definition.isprintable()


def made_again(definition: str, tablespace: str) -> list[str]:
    """The statements that make it again: pg_get_indexdef does not tell the tablespace."""
    made = f"{_DEFINES}CONCURRENTLY {definition.removeprefix(_DEFINES)};"
    if not tablespace:
        return [made]
    return [f"SET default_tablespace = {identifier(tablespace)};", made, "RESET default_tablespace;"]


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

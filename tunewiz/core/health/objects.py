"""Indexes that cost and serve nobody, and sequences that run out, with the SQL that mends them."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.health import DuplicateIndex, EndingSequence, InvalidIndex
from tunewiz.core.facts.tables import DatabaseTables
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.identifiers import qualified
from tunewiz.core.values.known import known_or
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import Major

FIRST_REINDEX_CONCURRENTLY = Major(1200)
_DEFINES = "CREATE INDEX "
_UNFINISHED = "_ccnew"
"""How REINDEX CONCURRENTLY ends the name of what it had not finished (PostgreSQL manual, REINDEX)."""


def troubled_objects(database: DatabaseTables, plan: Plan) -> Iterator[Trouble]:
    """Those of one database."""
    for index in known_or(database.invalid_indexes, ()):
        yield _invalid(index, database.database, plan.start.major)
    for duplicate in known_or(database.duplicate_indexes, ()):
        yield from _duplicate(duplicate, database.database)
    for sequence in known_or(database.ending_sequences, ()):
        yield _ending(sequence, database.database)


def _invalid(index: InvalidIndex, database: str, major: Major) -> Trouble:
    name = qualified(index.schema, index.name)
    is_remnant = _UNFINISHED in index.name
    rebuilt = not is_remnant and major >= FIRST_REINDEX_CONCURRENTLY
    statement = f"REINDEX INDEX CONCURRENTLY {name};" if rebuilt else f"DROP INDEX CONCURRENTLY {name};"
    then = "rebuild it" if rebuilt else "drop it" if is_remnant else "drop it, and create it again"
    return Trouble(
        kind="invalid index",
        who="administrator",
        what=f"{index.name} on {index.schema}.{index.table}",
        because=f"building it failed: every change of the table writes it ({Bytes(index.bytes).human()}), "
        "and no query reads it; a unique one may still refuse rows. Find out why in the server's log, and "
        f"{then}.",
        do=(statement,),
        database=database,
    )


def _duplicate(index: DuplicateIndex, database: str) -> Iterator[Trouble]:
    if not index.definition.startswith(_DEFINES) or not index.definition.isprintable():
        return
    yield Trouble(
        kind="duplicate index",
        who="developers",
        what=f"{index.name} on {index.schema}.{index.table}",
        because=f"{index.same_as} has the same columns in the same order and all other duties: this one "
        f"costs {Bytes(index.bytes).human()}, and work at every change. A hint that names it would miss it.",
        do=(f"DROP INDEX CONCURRENTLY {qualified(index.schema, index.name)};",),
        undo=(f"{_DEFINES}CONCURRENTLY {index.definition.removeprefix(_DEFINES)};",),
        database=database,
    )


def _ending(sequence: EndingSequence, database: str) -> Trouble:
    share = round(100 * sequence.last_value / sequence.largest)
    fills = f" for {sequence.column}" if sequence.column else ""
    return Trouble(
        kind="sequence runs out",
        who="developers",
        what=f"{sequence.name} in {sequence.schema}",
        because=f"it has given out {sequence.last_value:,} of {sequence.largest:,}{fills} ({share} %); at "
        "the end every insert fails. Change the column to bigint before that: it rewrites the table and "
        "locks it, so a large one is moved by a second column and a trigger.",
        database=database,
    )

"""Collations whose library sorts otherwise by now, and the indexes that have to be built again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tunewiz.core.facts.health import MOST_OUTDATED, DatabaseHealth, OutdatedIndex
from tunewiz.core.facts.tables import DatabaseTables
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.values.identifiers import identifier, qualified
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import V12, Major

_DANGER = "queries miss rows, and unique indexes take duplicates. Rebuild {them}, then record the version."


def of_default_collation(database: DatabaseHealth) -> Trouble | None:
    """The trouble with a database's own collation, which 15 and newer record the version of."""
    recorded, actual = database.collation_recorded, database.collation_actual
    if not recorded or not actual or recorded == actual:
        return None
    name = identifier(database.database)
    danger = _DANGER.format(them="the indexes")
    return Trouble(
        kind="collation has changed",
        who="administrator",
        what=f"database {database.database}",
        because=f"its indexes on text were sorted by version {recorded} of the library, which is {actual} "
        f"by now: {danger}",
        do=(f"REINDEX DATABASE {name};", f"ALTER DATABASE {name} REFRESH COLLATION VERSION;"),
        database=database.database,
    )


def of_collations(database: DatabaseTables, major: Major) -> Iterator[Trouble]:
    """A trouble for each other collation that indexes of a database were sorted by."""
    indexes = known_or(database.outdated_indexes, ())
    everything = f"REINDEX DATABASE {identifier(database.database)};"
    are_all_listed = len(indexes) < MOST_OUTDATED
    for (schema, name), of_one in groupby(sorted(indexes, key=_collation), key=_collation):
        outdated = tuple(of_one)
        size = Bytes(sum(index.bytes for index in outdated)).human()
        count = f"{how_many(len(outdated), 'index')} ({size})"
        danger = _DANGER.format(them="them" if are_all_listed else "all indexes of the database")
        yield Trouble(
            kind="collation has changed",
            who="administrator",
            what=f"{schema}.{name} in database {database.database}",
            because=f"{count if are_all_listed else 'many indexes'} of this collation, sorted by version "
            f"{outdated[0].recorded} of the library, which is {outdated[0].actual} by now: {danger}",
            do=(
                *(_rebuilt(outdated, major) if are_all_listed else (everything,)),
                f"ALTER COLLATION {qualified(schema, name)} REFRESH VERSION;",
            ),
            database=database.database,
        )


def _collation(index: OutdatedIndex) -> tuple[str, str]:
    return index.collation_schema, index.collation


def _rebuilt(indexes: tuple[OutdatedIndex, ...], major: Major) -> Iterator[str]:
    how = "REINDEX INDEX CONCURRENTLY" if major >= V12 else "REINDEX INDEX"
    return (f"{how} {qualified(index.schema, index.name)};" for index in indexes)

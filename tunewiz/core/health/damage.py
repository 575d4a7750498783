"""Silent damage: pages that do not match their checksums, indexes sorted by another library."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.health import DatabaseHealth, Health
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.values.identifiers import identifier
from tunewiz.core.values.plural import how_many


def damage(health: Health) -> Iterator[Trouble]:
    """What the server has counted, database by database."""
    for database in health.databases:
        yield from _checksums(database)
        yield from _collation(database)


def _checksums(database: DatabaseHealth) -> Iterator[Trouble]:
    if not database.checksum_failures:
        return
    yield Trouble(
        kind="damaged pages",
        who="administrator",
        what=f"database {database.database}",
        because=f"{how_many(database.checksum_failures, 'page')} did not match the checksum when read: a "
        "disk, a controller or memory gave back other bytes than were written. Keep the newest backup from "
        "before that, look at the disks, and find the files in the server's log.",
        do=("SELECT checksum_failures, checksum_last_failure FROM pg_stat_database;",),
    )


def _collation(database: DatabaseHealth) -> Iterator[Trouble]:
    recorded, actual = database.collation_recorded, database.collation_actual
    if not recorded or not actual or recorded == actual:
        return
    name = identifier(database.database)
    yield Trouble(
        kind="collation has changed",
        who="administrator",
        what=f"database {database.database}",
        because=f"its indexes on text were sorted by version {recorded} of the library, which is {actual} "
        "by now: queries may miss rows, and unique indexes may let duplicates in. Rebuild the indexes, then "
        "record the version.",
        do=(f"REINDEX DATABASE {name};", f"ALTER DATABASE {name} REFRESH COLLATION VERSION;"),
        database=database.database,
    )

"""What is wrong with whole databases: damaged pages, ids that run out, a changed collation library."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.health import DatabaseHealth, Health
from tunewiz.core.health.collations import of_default_collation
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.planning.wraparound import IDS, KEPT_BACK, WORRYING
from tunewiz.core.values.plural import how_many


def of_databases(health: Health) -> Iterator[Trouble]:
    """What the server has counted, database by database."""
    for database in health.databases:
        yield from _checksums(database)
        yield from _used_ids(database)
        if trouble := of_default_collation(database):
            yield trouble


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
        extent=database.checksum_failures,
    )


def _used_ids(database: DatabaseHealth) -> Iterator[Trouble]:
    if database.transaction_age > WORRYING:
        yield _of_ids(database.database, "transaction", database.transaction_age)
    if database.multixact_age > WORRYING:
        yield _of_ids(database.database, "multixact", database.multixact_age)


def _of_ids(database: str, kind: str, age: int) -> Trouble:
    left = max(0, IDS - KEPT_BACK - age)
    ends = f"after {left:,} more" if left else "now"
    return Trouble(
        kind="transaction ids run out",
        who="administrator",
        what=f"database {database}",
        because=f"its oldest {kind} id that is not frozen is {age:,} ids old: {ends} the server refuses to "
        "write. End what holds vacuum back (above all old transactions, prepared ones and slots), then "
        "vacuum as superuser, the oldest tables first.",
        do=("VACUUM;",),
        database=database,
        extent=age,
    )

"""Databases that have used up more than half of their transaction ids, or of their multixact ids."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.health import Health
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.planning.wraparound import IDS, KEPT_BACK, WORRYING


def used_ids(health: Health) -> Iterator[Trouble]:
    """Each of them, by either kind of id."""
    for database in health.databases:
        if database.transaction_age > WORRYING:
            yield _of(database.database, "transaction", database.transaction_age)
        if database.multixact_age > WORRYING:
            yield _of(database.database, "multixact", database.multixact_age)


def _of(database: str, kind: str, age: int) -> Trouble:
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
    )

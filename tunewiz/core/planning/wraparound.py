"""The first warning of all: so many transaction ids are used that the server may soon refuse to write."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.seen_vacuum import time_until_age
from tunewiz.core.values.known import Known

IDS = 2**31
"""Ids that can be told apart: the age of the oldest can never reach it."""

KEPT_BACK = 3_000_000
"""Ids before the end at which the server refuses to write (14 and newer; earlier it was one million)."""

WORRYING = IDS // 2
"""Half of all ids: five times the age at which autovacuum freezes by default."""


def wraparound(situation: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of the warning, if the oldest transaction id is beyond half of the limit."""
    match situation.server:
        case PostgresServer(activity=Known(value=activity)):
            age = activity.transaction_age
        case _:
            return
    if isinstance(age, Known) and age.value > WORRYING:
        yield "wraparound", _text(situation, age.value)


def _text(situation: Situation, age: int) -> str:
    left = max(0, IDS - KEPT_BACK - age)
    forecast = time_until_age(situation, age, IDS - KEPT_BACK)
    rate = f" ({forecast})" if forecast else ""
    refuses = "the server refuses to write"
    ends = f"in {left:,} transactions{rate} {refuses}" if left else refuses
    return (
        f"The oldest transaction id is {age:,} transactions old: {ends}. Before any tuning, end what holds "
        "it back (pg_prepared_xacts; backend_xmin in pg_stat_activity; xmin and catalog_xmin in "
        "pg_replication_slots), then run VACUUM as superuser in the database with the greatest "
        "age(datfrozenxid) in pg_database, oldest tables first."
    )

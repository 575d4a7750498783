"""The first warning of all: so many ids are used that the server may soon refuse to write.

Transaction ids and multixacts, which stand for several transactions that lock one row, run out alike.
"""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.health import DatabaseHealth, Health, OpenTransaction
from tunewiz.core.facts.replication import Slot
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.replication import slots
from tunewiz.core.server.seen_vacuum import time_until_age
from tunewiz.core.server.standby import is_standby
from tunewiz.core.values.identifiers import literal
from tunewiz.core.values.known import Known

IDS = 2**31
"""Ids that can be told apart: the age of the oldest can never reach it."""

KEPT_BACK = 3_000_000
"""Ids before the end at which the server refuses to write (14 and newer; earlier it was one million)."""

WORRYING = IDS // 2
"""Half of all ids: five times the age at which autovacuum freezes by default."""

HOLDING = 1_000_000
"""Transactions: what is younger is not what holds the oldest id back."""

_LOOK = (
    "pg_prepared_xacts; backend_xmin in pg_stat_activity; xmin and catalog_xmin in pg_replication_slots; "
    "backend_xmin in pg_stat_replication"
)


def wraparound(situation: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of a warning for each kind of id whose oldest is beyond half of the limit."""
    if (age := _oldest_transaction(situation)) > WORRYING:
        yield "wraparound", _of_transactions(situation, age)
    multixacts = [(database.multixact_age, database.database) for database in _databases(situation)]
    if multixacts and max(multixacts)[0] > WORRYING:
        yield "wraparound", _of_multixacts(situation, *max(multixacts))


def _health(situation: Situation) -> Health | None:
    match situation.server:
        case PostgresServer(health=Known(value=health)):
            return health
        case _:
            return None


def _databases(situation: Situation) -> tuple[DatabaseHealth, ...]:
    health = _health(situation)
    return health.databases if health else ()


def _oldest_transaction(situation: Situation) -> int:
    """Its age as the statistics or the databases have it; 0 if nobody knows."""
    ages = [database.transaction_age for database in _databases(situation)]
    match situation.server:
        case PostgresServer(activity=Known(value=activity)) if isinstance(activity.transaction_age, Known):
            ages.append(activity.transaction_age.value)
        case _:
            pass
    return max(ages, default=0)


def _of_transactions(situation: Situation, age: int) -> str:
    left = max(0, IDS - KEPT_BACK - age)
    forecast = time_until_age(situation, age, IDS - KEPT_BACK)
    rate = f" ({forecast})" if forecast else ""
    refuses = "the server refuses to write"
    ends = f"in {left:,} transactions{rate} {refuses}" if left else refuses
    return (
        f"The oldest transaction id is {age:,} transactions old: {ends}. {_what_first(situation)}, then run "
        f"VACUUM as superuser{_where(situation)} in the database with the greatest age(datfrozenxid) in "
        "pg_database, oldest tables first."
    )


def _of_multixacts(situation: Situation, age: int, database: str) -> str:
    left = max(0, IDS - KEPT_BACK - age)
    refuses = "the server refuses to lock rows for several transactions, and so to write"
    ends = f"after {left:,} more {refuses}" if left else refuses
    return (
        f"The oldest multixact (several transactions that lock one row) in the database {database} is "
        f"{age:,} multixacts old: {ends}. Before any tuning, end transactions that have been open for long "
        "(pg_stat_activity, pg_prepared_xacts), then run VACUUM (FREEZE) as "
        f"superuser there{_where(situation) or ','} the tables with the greatest mxid_age(relminmxid) in "
        "pg_class first."
    )


def _where(situation: Situation) -> str:
    return ", on the primary," if is_standby(situation) else ""


def _what_first(situation: Situation) -> str:
    holders = tuple(_holders(situation))
    if not holders:
        return f"Before any tuning, end what holds it back ({_LOOK})"
    return f"Before any tuning, end what holds it back: {'; '.join(holders)} (others: {_LOOK})"


def _holders(situation: Situation) -> Iterator[str]:
    """Who keeps old rows from being frozen, the oldest first."""
    health = _health(situation)
    transactions = health.transactions if health else ()
    holders = [(transaction.age, _holder(transaction)) for transaction in transactions]
    holders += [(slot.age, _slot(slot)) for slot in slots(situation)]
    for age, holder in sorted(holders, key=lambda aged: -aged[0])[:3]:
        if age >= HOLDING:
            yield f"{holder}, {age:,} transactions old"


def _holder(transaction: OpenTransaction) -> str:
    match transaction.kind:
        case "prepared transaction":
            ends = f"COMMIT PREPARED or ROLLBACK PREPARED {literal(transaction.prepared_as)};"
            return f"the prepared transaction {transaction.prepared_as} in {transaction.database} ({ends})"
        case "session":
            ends = f"SELECT pg_terminate_backend({transaction.pid});"
            return f"the session {transaction.pid} of {transaction.role} ({transaction.state}; {ends})"
        case "standby":
            return f"a query on the standby {transaction.application} (hot_standby_feedback)"


def _slot(slot: Slot) -> str:
    drop = f"SELECT pg_drop_replication_slot({literal(slot.name)});"
    ends = (
        "its reader is far behind"
        if slot.active
        else f"nobody reads it; if its reader will not come back: {drop}"
    )
    return f"the replication slot {slot.name} ({ends})"

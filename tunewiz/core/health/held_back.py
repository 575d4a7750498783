"""Transactions that keep rows which others deleted, and sessions that wait for locks."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.health import Health, OpenTransaction
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.values.identifiers import literal
from tunewiz.core.values.plural import how_many, in_millions
from tunewiz.core.values.units import Duration, in_words
from tunewiz.core.values.versions import Major

FORGOTTEN_SECONDS = 600
"""Idle in a transaction for ten minutes: no application that is at work waits for so long."""

LONG_SECONDS = 6 * 3_600
"""A statement or a dump may take hours; what takes more than these keeps the rows of a working day."""

PREPARED_SECONDS = 3_600
"""A transaction manager ends what it prepared within seconds; an hour later it has forgotten it."""

MANY_TRANSACTIONS = 10_000_000
"""A snapshot older than this keeps the dead rows of as many transactions, whatever the clock says."""

FIRST_BLOCKING_PIDS = Major(906)

WAIT_SECONDS = 30
"""Thirty times deadlock_timeout, after which log_lock_waits would write a line."""


def held_back(health: Health) -> Iterator[Trouble]:
    """Who keeps vacuum from its work, the oldest first."""
    for transaction in health.transactions:
        if is_forgotten(transaction):
            yield _of(transaction)


def lock_queue(health: Health, major: Major) -> Trouble | None:
    """The trouble if a session has waited for a lock for long."""
    is_long = health.lock_waits and health.longest_lock_wait >= WAIT_SECONDS
    return _of_waits(health, major) if is_long else None


def is_forgotten(transaction: OpenTransaction) -> bool:
    """Whether it keeps dead rows for longer than work takes."""
    if transaction.age >= MANY_TRANSACTIONS:
        return True
    match transaction.kind:
        case "session" if transaction.state.startswith("idle in transaction"):
            return transaction.idle_seconds >= FORGOTTEN_SECONDS
        case "session":
            return transaction.seconds >= LONG_SECONDS
        case "prepared transaction":
            return transaction.seconds >= PREPARED_SECONDS
        case "standby":
            return False


def _of(transaction: OpenTransaction) -> Trouble:
    keeps = "it keeps every row that was deleted or updated since"
    if transaction.age:
        keeps = f"{keeps}: {in_millions(transaction.age)} transactions"
    match transaction.kind:
        case "standby":
            return Trouble(
                kind="vacuum is held back",
                who="administrator",
                what=f"standby {transaction.application}",
                because=f"with hot_standby_feedback its oldest query holds vacuum back here: {keeps}. "
                "End that query on the standby (the oldest xact_start in pg_stat_activity there).",
                extent=transaction.age,
            )
        case "prepared transaction":
            return _prepared(transaction, keeps)
        case "session":
            return _session(transaction, keeps)


def _prepared(transaction: OpenTransaction, keeps: str) -> Trouble:
    since = in_words(Duration(transaction.seconds * 1_000))
    return Trouble(
        kind="vacuum is held back",
        who="administrator",
        what=f"prepared transaction {transaction.prepared_as}",
        because=f"{transaction.role} prepared it in {transaction.database} {since} ago, and nobody ended it; "
        f"{keeps}, and its locks. Find out from its transaction manager whether it is to be committed.",
        do=(f"ROLLBACK PREPARED {literal(transaction.prepared_as)};",),
        database=transaction.database,
        extent=transaction.seconds,
    )


def _session(transaction: OpenTransaction, keeps: str) -> Trouble:
    who = transaction.application or "no application name"
    begun = in_words(Duration(transaction.seconds * 1_000))
    idle = in_words(Duration(transaction.idle_seconds * 1_000))
    is_idle = transaction.state.startswith("idle in transaction")
    does = f"has done nothing for {idle} in it" if is_idle else "is still at work"
    return Trouble(
        kind="vacuum is held back",
        who="developers",
        what=f"session {transaction.pid} of {transaction.role} in {transaction.database} ({who})",
        because=f"it began its transaction {begun} ago and {does}; {keeps}, and its locks.",
        do=(f"SELECT pg_terminate_backend({transaction.pid});",),
        extent=transaction.seconds,
    )


def _of_waits(health: Health, major: Major) -> Trouble:
    longest = in_words(Duration(health.longest_lock_wait * 1_000))
    waiting = how_many(health.lock_waits, "session")
    verb = "waits" if health.lock_waits == 1 else "wait"
    return Trouble(
        kind="sessions wait for locks",
        who="developers",
        what="",
        because=f"{waiting} {verb} for a lock, the longest for up to {longest}. No setting changes that: "
        "whoever holds the lock has to end its transaction. The statement tells who that is.",
        do=(f"SELECT pg_blocking_pids({health.lock_waiter});",) if major >= FIRST_BLOCKING_PIDS else (),
        extent=health.lock_waits,
    )

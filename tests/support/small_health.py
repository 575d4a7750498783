"""Looks at servers' health, for tests: a healthy one, a sick one, and transactions that somebody forgot."""

import dataclasses

from tunewiz.core.facts.health import (
    DatabaseHealth,
    DuplicateIndex,
    EndingSequence,
    Health,
    InvalidIndex,
    OpenTransaction,
    OutdatedIndex,
)

HOUR = 3_600
SESSION = OpenTransaction(
    kind="session",
    pid=4711,
    prepared_as="",
    database="shop",
    role="app",
    application="billing",
    state="idle in transaction",
    age=12_345_678,
    seconds=2 * HOUR,
    idle_seconds=2 * HOUR,
)
PREPARED = dataclasses.replace(
    SESSION, kind="prepared transaction", pid=0, prepared_as="it's", idle_seconds=0
)
HEALTHY = Health(
    transactions=(),
    hidden_sessions=0,
    lock_waits=0,
    longest_lock_wait=0,
    lock_waiter=0,
    databases=(DatabaseHealth(database="shop", transaction_age=1, multixact_age=1, checksum_failures=0),),
)
SICK = dataclasses.replace(
    HEALTHY,
    transactions=(SESSION, PREPARED, dataclasses.replace(SESSION, kind="standby", state="active")),
    hidden_sessions=1,
    lock_waits=1,
    longest_lock_wait=60,
    lock_waiter=1,
    databases=(
        dataclasses.replace(
            HEALTHY.databases[0], checksum_failures=1, collation_recorded="1", collation_actual="2"
        ),
    ),
)
INVALID = InvalidIndex(schema="public", table="orders", name="orders_note", bytes=8192)
DUPLICATE = DuplicateIndex(
    schema="public",
    table="orders",
    name="again",
    same_as="first",
    bytes=8192,
    definition="CREATE INDEX again ON public.orders USING btree (total)",
    tablespace="",
)
OUTDATED = OutdatedIndex(
    schema="public",
    name="orders_note",
    bytes=8192,
    collation_schema="public",
    collation="german",
    recorded="153.14",
    actual="153.120",
)
SEQUENCE = EndingSequence(
    schema="public", name="orders_id_seq", column="orders.id", last_value=2**31 - 100, largest=2**31 - 1
)

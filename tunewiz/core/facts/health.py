"""A server's health at one look: transactions that keep dead rows, damage, sessions that wait."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.values.record import dataclass

HolderKind = Literal["session", "prepared transaction", "standby"]


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenTransaction:
    """Who keeps rows that others deleted: vacuum removes none that its snapshot still sees."""

    kind: HolderKind
    pid: int
    """Its process; 0 for a prepared transaction."""
    prepared_as: str
    """The identifier of a prepared transaction; otherwise empty."""
    database: str
    role: str
    application: str
    """Of a standby the name that it connects with."""
    state: str
    """As pg_stat_activity has it: `active`, `idle in transaction`; empty for prepared ones."""
    age: int
    """Transactions begun since the oldest one that it still sees; 0 where it sees none."""
    seconds: int
    """Since it was begun; of a standby 0."""
    idle_seconds: int
    """Since its last statement ended; 0 while one runs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DatabaseHealth:
    """One database, as the server's shared catalogues have it."""

    database: str
    transaction_age: int
    """Transactions since its oldest row that is not frozen: the server stops before 2**31."""
    multixact_age: int
    checksum_failures: int | None = None
    """Pages that did not match their checksum; None before 12, and where none are kept."""
    collation_recorded: str = ""
    """Version of the library that its indexes were sorted with (15 and newer); empty if none is recorded."""
    collation_actual: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Replay:
    """How far a standby is with the WAL that it received."""

    pause: str
    """As the server has it: `not paused`, `pause requested`, `paused`."""
    behind: int | None
    """Bytes that were received and are not replayed; None where nothing is streamed."""
    caught_up_seconds: int | None
    """Since replay last had all that was received; None before 19, and where the role may not see it."""
    commit_seconds: int | None
    """Since the primary made the newest commit that was replayed, by two clocks; None if there was none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Health:
    """One look at a server."""

    transactions: tuple[OpenTransaction, ...]
    """The oldest first."""
    hidden_sessions: int
    """Sessions of others, which this role may not look into."""
    lock_waits: int
    """Sessions that wait for a lock of a table or a row."""
    longest_lock_wait: int
    """Seconds that the longest of them has run its statement."""
    lock_waiter: int
    """Its process number; 0 if none waits."""
    databases: tuple[DatabaseHealth, ...]
    replay: Replay | None = None
    """Of a standby."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InvalidIndex:
    """An index that a failed CREATE INDEX CONCURRENTLY left: every change writes it, no query reads it."""

    schema: str
    table: str
    name: str
    bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DuplicateIndex:
    """An index with the columns, order and method of another one, which has all its duties."""

    schema: str
    table: str
    name: str
    same_as: str
    bytes: int
    definition: str
    tablespace: str
    """Empty for the database's own."""


MOST_OUTDATED = 200
"""Outdated indexes that a look at a database lists: of more, nobody knows which they are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OutdatedIndex:
    """An index that was sorted by another version of a collation than the library has by now."""

    schema: str
    name: str
    bytes: int
    collation_schema: str
    collation: str
    recorded: str
    """The version that the collation was made with, or that was recorded later."""
    actual: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EndingSequence:
    """A sequence that has given out most of what it, or the column that it fills, can hold."""

    schema: str
    name: str
    column: str
    """`orders.id`; empty if it belongs to none."""
    last_value: int
    largest: int

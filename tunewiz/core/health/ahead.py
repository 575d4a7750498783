"""What will run out if it goes on as it did: disks, transaction ids, sequences, room for kept WAL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.health import DatabaseHealth, EndingSequence
from tunewiz.core.facts.machine import Storage
from tunewiz.core.facts.replication import Slot
from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.health.forecast import (
    MIN_SECONDS,
    DaysAhead,
    Growth,
    days_ahead,
    seconds_between,
    time_in_words,
)
from tunewiz.core.planning.wraparound import IDS, KEPT_BACK
from tunewiz.core.values.known import Known, Unknown, known_or
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import MIB, Bytes

AheadKind = Literal["disk is full", "kept WAL fills its room", "transaction ids run out", "sequence runs out"]

NOTHING = Bytes(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class IdKind:
    """Transaction ids, and those of transactions that share a lock of a row."""

    name: str
    age: Callable[[DatabaseHealth], int]
    setting: str
    """From which age on autovacuum freezes whatever else it does."""
    default: int


ID_KINDS = (
    IdKind(
        name="transaction ids",
        age=lambda database: database.transaction_age,
        setting="autovacuum_freeze_max_age",
        default=200_000_000,
    ),
    IdKind(
        name="multixact ids",
        age=lambda database: database.multixact_age,
        setting="autovacuum_multixact_freeze_max_age",
        default=400_000_000,
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ahead:
    """Something that will happen within a range of days."""

    kind: AheadKind
    what: str
    """Which: the mount point, the database, the slot."""
    days: DaysAhead
    because: str
    """What was seen, in numbers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """The facts of one host, and earlier ones of the same host, to see what grows."""

    facts: Facts
    server: PostgresServer
    earlier: tuple[Facts, ...] = ()
    today: str = ""

    @property
    def read_at(self) -> str:
        """When the facts were read; empty if that is not known."""
        return known_or(self.facts.host.read_at, "")

    def seconds_since(self, facts: Facts) -> int:
        """From the reading of earlier facts to that of these; 0 if it is not known."""
        return seconds_between(known_or(facts.host.read_at, ""), self.read_at)

    def longest(self) -> Sequence[Facts]:
        """The earlier facts, those first that speak for the longest time."""
        long_ago = [facts for facts in self.earlier if self.seconds_since(facts) >= MIN_SECONDS]
        return sorted(long_ago, key=self.seconds_since, reverse=True)


def what_is_ahead(past: Past) -> tuple[Ahead, ...]:
    """All of it, the soonest first; nothing where it is not known when the facts were read."""
    if not past.read_at:
        return ()
    results = (*_disks(past), *_slots(past), *_ids(past), *_sequences(past))
    return tuple(sorted(results, key=lambda ahead: (ahead.days.earliest, ahead.days.latest, ahead.what)))


def ahead_in_words(ahead: Ahead) -> str:
    """What, when and why, in a sentence without its full stop."""
    days = ahead.days
    soon = days.earliest == days.latest
    when = f"before the end of {days.latest}" if soon else f"between {days.earliest} and {days.latest}"
    return f"{ahead.what}: {ahead.kind} {when} ({ahead.because})"


NumberIn = Callable[[Facts], int | None]
"""A number in earlier facts; None where they do not say it."""


def _grown(past: Past, number: int, number_in: NumberIn) -> Growth | None:
    """By how much it grew since the earliest facts in which it was smaller."""
    for facts in past.longest():
        before = number_in(facts)
        if before is not None and before < number:
            return Growth(amount=number - before, seconds=past.seconds_since(facts))
    return None


def _ahead(past: Past, left: int, growth: Growth | None) -> DaysAhead | None:
    return None if growth is None else days_ahead(left, growth, past.read_at, past.today)


def _disks(past: Past) -> Iterator[Ahead]:
    for storage in past.facts.storage:
        used = _used(storage)
        growth = None if used is None else _grown(past, used, partial(_used_in, storage))
        free = known_or(storage.free, NOTHING)
        if growth is not None and (days := _ahead(past, free.count, growth)):
            because = f"{_grew(growth, bytes_of=True)}; {free.human()} are free"
            yield Ahead(kind="disk is full", what=storage.mount, days=days, because=because)


def _used(storage: Storage) -> int | None:
    match storage:
        case Storage(total=Known(value=total), free=Known(value=free)):
            return total.count - free.count
        case _:
            return None


def _used_in(storage: Storage, facts: Facts) -> int | None:
    """Of the same file system, which nobody made larger meanwhile."""
    for entry in facts.storage:
        if (entry.mount, known_or(entry.total, NOTHING)) == (storage.mount, known_or(storage.total, NOTHING)):
            return _used(entry)
    return None


def _slots(past: Past) -> Iterator[Ahead]:
    """Slots that nobody reads: their WAL grows as it is written."""
    for slot in _slots_of(past.server):
        if slot.active or slot.status == "lost" or not slot.held.count:
            continue
        growth = _grown(past, slot.held.count, partial(_held_in, past.server, slot)) or _watched(past, "wal")
        for left, then in _room_for(past, slot):
            if growth is not None and (days := _ahead(past, left.count, growth)):
                grew = f"nobody reads it, and {_grew(growth, bytes_of=True)}"
                because = f"{grew}; after {left.human()} more {then}"
                yield Ahead(
                    kind="kept WAL fills its room", what=f"slot {slot.name}", days=days, because=because
                )


def _slots_of(server: PostgresServer | None) -> tuple[Slot, ...]:
    replication = None if server is None else known_or(server.replication, None)
    return () if replication is None else replication.slots


def _held_in(server: PostgresServer, slot: Slot, facts: Facts) -> int | None:
    slots = _slots_of(_server_in(facts, server))
    return next((entry.held.count for entry in slots if entry.name == slot.name and not entry.active), None)


def _room_for(past: Past, slot: Slot) -> Iterator[tuple[Bytes, str]]:
    """What it may still keep, and what happens then; nothing where the room is not known."""
    limit = known_or(past.server.settings, NO_SETTINGS).get("max_slot_wal_keep_size")
    if limit is not None and limit.value.isascii() and limit.value.isdigit():
        left = max(0, int(limit.value) * MIB - slot.held.count)
        yield Bytes(left), "max_slot_wal_keep_size ends it, and its reader has to begin anew"
        return
    storage = _storage_of_wal(past.facts)
    if storage is not None and isinstance(storage.free, Known):
        yield storage.free.value, f"{storage.mount} is full and the server stops"


def _storage_of_wal(facts: Facts) -> Storage | None:
    by_role = {role: storage for storage in facts.storage for role in storage.roles}
    return by_role.get("wal", by_role.get("data"))


def _ids(past: Past) -> Iterator[Ahead]:
    """Of databases that autovacuum should have frozen by now: others it freezes in time."""
    health = known_or(past.server.health, None)
    for database in () if health is None else health.databases:
        for kind in ID_KINDS:
            age = kind.age(database)
            growth = _grown(past, age, partial(_age_in, past.server, database.database, kind))
            if growth is None and kind is ID_KINDS[0]:
                growth = _watched(past, "ids")
            days = _ahead(past, max(0, IDS - KEPT_BACK - age), growth)
            if growth is not None and days and age > _set_to(past, kind):
                because = f"its oldest id is {age:,} old, beyond {kind.setting}, and {_grew(growth)}"
                what = f"database {database.database}, {kind.name}"
                yield Ahead(kind="transaction ids run out", what=what, days=days, because=because)


def _set_to(past: Past, kind: IdKind) -> int:
    setting = known_or(past.server.settings, NO_SETTINGS).get(kind.setting)
    return int(setting.value) if setting is not None and setting.value.isdigit() else kind.default


def _age_in(server: PostgresServer, name: str, kind: IdKind, facts: Facts) -> int | None:
    before = _server_in(facts, server)
    health = None if before is None else known_or(before.health, None)
    databases = () if health is None else health.databases
    return next((kind.age(database) for database in databases if database.database == name), None)


def _sequences(past: Past) -> Iterator[Ahead]:
    for database in known_or(past.server.tables, ()):
        for sequence in known_or(database.ending_sequences, ()):
            given_out = partial(_given_out, past.server, database.database, sequence)
            growth = _grown(past, sequence.last_value, given_out)
            left = max(0, sequence.largest - sequence.last_value)
            if growth is not None and (days := _ahead(past, left, growth)):
                what = f"{sequence.name} in {sequence.schema}, database {database.database}"
                because = f"{_grew(growth)}; {left:,} of {sequence.largest:,} are left"
                yield Ahead(kind="sequence runs out", what=what, days=days, because=because)


def _given_out(server: PostgresServer, name: str, sequence: EndingSequence, facts: Facts) -> int | None:
    before = _server_in(facts, server)
    databases = () if before is None else known_or(before.tables, ())
    values = {
        (database.database, entry.schema, entry.name): entry.last_value
        for database in databases
        for entry in known_or(database.ending_sequences, ())
    }
    return values.get((name, sequence.schema, sequence.name))


def _server_in(facts: Facts, server: PostgresServer) -> PostgresServer | None:
    """The same server in other facts: its directory may hold another cluster by now."""
    match server.data_directory:
        case Known(value=directory):
            same = (entry for entry in facts.postgres if known_or(entry.data_directory, "") == directory)
            identifier = known_or(server.system_identifier, "")
            return next((one for one in same if known_or(one.system_identifier, "") == identifier), None)
        case Unknown():
            return None


def _watched(past: Past, counted: Literal["wal", "ids"]) -> Growth | None:
    """Of a watched time; the busiest hour of several days is no mean of them."""
    match past.server.window:
        case Known(value=window) if not isinstance(window.days, Known):
            amount = window.wal_bytes if counted == "wal" else window.counters.transaction_ids
            return Growth(amount=amount.value, seconds=window.seconds) if isinstance(amount, Known) else None
        case _:
            return None


def _grew(growth: Growth, *, bytes_of: bool = False) -> str:
    amount = Bytes(growth.amount).human() if bytes_of else f"{growth.amount:,}"
    return f"it grew by {amount} in {time_in_words(growth.seconds)}"

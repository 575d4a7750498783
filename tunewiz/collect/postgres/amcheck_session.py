"""Lets amcheck read one relation after the other while there is time (runs beside the wizard's process)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

import psycopg
from psycopg import sql

from tunewiz.collect.postgres.queries import LIMITS
from tunewiz.collect.postgres.safe_connection import Connection, Statement
from tunewiz.collect.postgres.session import one_line

_DAMAGE = ("XX001", "XX002", "58")
"""Damaged data, a damaged index, errors of the operating system; an internal one (XX000) may be anything."""
_ENOUGH_TO_RATE = 64 * 1024 * 1024
"""Bytes read before the rate of reading says whether a relation can be read in what is left."""

_OF_AN_INDEX = sql.SQL("select null::text from {}.bt_index_check(%s::bigint::oid::regclass)")
_OF_A_TABLE = sql.SQL(
    "select 'block ' || blkno || ': ' || msg from {}.verify_heapam(%s::bigint::oid::regclass, "
    "on_error_stop => true) limit 1"
)

RelationKind: TypeAlias = Literal["index", "table"]
Outcome: TypeAlias = Literal["checked", "locked", "gone", "out of time", "failed"]
Row: TypeAlias = tuple[Any, ...]

_COUNTS = frozenset({"total", "checked", "locked", "failed", "failure"})
_OUTCOMES: dict[str, Outcome] = {
    "57014": "out of time",
    "55P03": "locked",
    "42P01": "gone",
    "42704": "gone",
}
"""By SQLSTATE: cancelled, no lock within its limit, dropped meanwhile."""


@dataclass(kw_only=True, slots=True)
class RelationTally:
    """What came of the relations of one kind in a database."""

    total: int = 0
    checked: int = 0
    locked: int = 0
    failed: int = 0
    failure: str = ""
    lost: str = ""
    """Where the connection was lost; empty if it was not."""
    cut_off: dict[str, object] | None = None
    """What was read when the server's process ended without a word."""
    damaged: list[dict[str, object]] = field(default_factory=list[dict[str, object]])

    def counts(self) -> dict[str, object]:
        """Without the damage."""
        return {name: value for name, value in asdict(self).items() if name in _COUNTS}


@dataclass(kw_only=True, slots=True)
class ReadingPace:
    """How fast relations were read so far, and when to stop."""

    stopped: Callable[[], bool]
    bytes: int = 0
    seconds: float = 0.0

    def has_time_for(self, size: int, until: float) -> bool:
        """Whether a relation of that size can be read until then, by what reading took so far."""
        left = until - time.monotonic()
        if left <= 0 or self.stopped():
            return False
        return self.bytes < _ENOUGH_TO_RATE or size * self.seconds / self.bytes <= left


@dataclass(frozen=True, kw_only=True, slots=True)
class RelationCheck:
    """How relations of a kind are checked."""

    kind: RelationKind
    schema: str
    """Of the extension."""

    @property
    def statement(self) -> Statement:
        """Of a table, a row tells its damage; of an index, an error does."""
        call = _OF_AN_INDEX if self.kind == "index" else _OF_A_TABLE
        return call.format(sql.Identifier(self.schema))


def check_relations(
    connection: Connection, rows: list[Row], task: RelationCheck, until: float, pace: ReadingPace
) -> RelationTally:
    """Check as many as there is time for, until the connection is lost.

    Args:
        connection: With the database.
        rows: The relations in their order: number, schema, name, table, bytes, whether of the catalogue.
        task: How one is checked.
        until: When to stop, by the monotonic clock.
        pace: How fast it went so far.
    """
    tally = RelationTally(total=len(rows))
    for row in rows:
        if tally.lost or not pace.has_time_for(row[4], until):
            continue
        begin = time.monotonic()
        match _checked(connection, row, task, until, tally):
            case "checked":
                tally.checked += 1
                pace.bytes += row[4]
                pace.seconds += time.monotonic() - begin
            case "locked":
                tally.locked += 1
            case "gone":
                tally.total -= 1
            case "failed":
                tally.failed += 1
            case "out of time":
                pass
    return tally


def _checked(
    connection: Connection, row: Row, task: RelationCheck, until: float, tally: RelationTally
) -> Outcome:
    left = max(1, int(1_000 * (until - time.monotonic())))
    try:
        with connection.transaction():
            connection.execute(LIMITS, (f"{left}ms",))
            damage = connection.execute(task.statement, (row[0],)).fetchone()
    except psycopg.Error as error:
        return _refused(connection, error, row, task, tally)
    if damage is not None and damage[0] is not None:
        tally.damaged.append(_damaged(row, task, " ".join(str(damage[0]).split())))
    return "checked"


def _refused(
    connection: Connection, error: psycopg.Error, row: Row, task: RelationCheck, tally: RelationTally
) -> Outcome:
    state = error.sqlstate or ""
    if connection.closed:
        tally.lost = f"{row[1]}.{row[2]} was read: {one_line(error)}"
        tally.failure = f"the connection was lost while {tally.lost}"
        if not state:  # somebody who ends a session by the server's means leaves a state
            tally.cut_off = _damaged(row, task, one_line(error))
        return "failed"
    if outcome := _OUTCOMES.get(state):
        return outcome
    if state.startswith(_DAMAGE):
        tally.damaged.append(_damaged(row, task, one_line(error)))
        return "checked"
    tally.failure = tally.failure or one_line(error)
    return "failed"


def _damaged(row: Row, task: RelationCheck, message: str) -> dict[str, object]:
    _, schema, name, table, size, is_catalog = row
    return {
        "kind": task.kind,
        "schema": schema,
        "name": name,
        "table": table,
        "bytes": size,
        "is_catalog": is_catalog,
        "message": message,
    }

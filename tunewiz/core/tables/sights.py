"""What to look at in a table: its age, its empty space by an estimate, and scans of all of it."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.health import EndingSequence
from tunewiz.core.facts.tables import DatabaseTables, Table
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.tables.bloat import ENOUGH_TO_TELL, empty_space
from tunewiz.core.tables.indexes import DAY
from tunewiz.core.tables.items import Relation, Sight, SightKind
from tunewiz.core.tables.thresholds import visit_starts
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many, in_millions
from tunewiz.core.values.units import Bytes

OFTEN = 24
"""Scans a day: once an hour."""
MOST_OF_IT = 2
"""A scan that reads half the rows at least was not ended early by a LIMIT."""

FAR_BEYOND = 3
"""A multiple of autovacuum's threshold that it does not reach within its usual minute: an assumption."""

HALF_WAY = 1_000_000_000
"""Half of the two billion transactions at which the server refuses to write."""


def sights_of(table: Table, database: DatabaseTables, situation: Situation) -> Iterator[Sight]:
    """Everything to look at in one table."""
    yield from _said(table, database, "wraparound", _age(table, situation))
    if not table.repackable:
        yield from _said(table, database, "bloat (estimate)", _bloat(table))
    yield from _said(table, database, "dead rows", _behind(table, situation))
    yield from _said(table, database, "stale statistics", _stale(table, situation))
    yield from _said(table, database, "sequential scans", _scans(table, database))


def ending(sequence: EndingSequence, database: str) -> Sight:
    """What happens when it has given out its last value."""
    share = round(100 * sequence.last_value / sequence.largest)
    fills = f" for {sequence.column}" if sequence.column else ""
    return Sight(
        kind="sequence runs out",
        table=Relation(database=database, schema=sequence.schema, name=sequence.name),
        because=f"{sequence.last_value:,} of {sequence.largest:,} are given out{fills} ({share} %); at the "
        "end every insert fails. Change the column to bigint before that: this rewrites the table and "
        "locks it, so a large one is moved by a second column and a trigger",
    )


def _behind(table: Table, situation: Situation) -> Iterator[str]:
    """Dead rows far above the threshold of autovacuum, and when it last ran."""
    for starts in visit_starts("vacuum", table, situation):
        if table.dead_rows >= FAR_BEYOND * starts:
            last = _last("vacuum", table.last_vacuum, table.last_autovacuum)
            yield (
                f"{in_millions(table.dead_rows)} of its rows are dead; autovacuum starts at "
                f"{in_millions(starts)}; {last}. Look for old or prepared transactions and replication "
                "slots, which keep dead rows from being removed, then for workers that are always busy"
            )


def _stale(table: Table, situation: Situation) -> Iterator[str]:
    """Changes far above the threshold of autovacuum's ANALYZE, and when it last ran."""
    for starts in visit_starts("analyze", table, situation):
        if table.changed_since_analyze >= FAR_BEYOND * starts:
            last = _last("analyze", table.last_analyze, table.last_autoanalyze)
            yield (
                f"{in_millions(table.changed_since_analyze)} rows changed since its statistics were taken, "
                f"autovacuum analyzes it at {in_millions(starts)}; {last}. The planner uses outdated "
                "statistics: run ANALYZE, and check that autovacuum is on and its workers keep up"
            )


def _last(what: str, by_hand: str, by_itself: str) -> str:
    newest = max(by_hand, by_itself)
    return f"the last {what} was on {newest[:10]}" if newest else f"no {what} is on record"


def relation(table: Table, database: DatabaseTables) -> Relation:
    """The table by its names."""
    return Relation(database=database.database, schema=table.schema, name=table.name)


def _said(
    table: Table, database: DatabaseTables, kind: SightKind, sentences: Iterator[str]
) -> Iterator[Sight]:
    for because in sentences:
        yield Sight(kind=kind, table=relation(table, database), because=because)


def _age(table: Table, situation: Situation) -> Iterator[str]:
    """Older than what starts an autovacuum against wraparound: none has finished since."""
    for age, setting, things in (
        (table.transaction_age, "autovacuum_freeze_max_age", "transactions"),
        (table.multixact_age, "autovacuum_multixact_freeze_max_age", "multixacts"),
    ):
        # What was planned takes effect later; the age is judged by what is in force.
        most = int(situation.in_force(setting))
        if age > most:
            urgent = (
                ". More than half of the way to the stop at two billion is gone" if age > HALF_WAY else ""
            )
            yield (
                f"its oldest row is {in_millions(age)} {things} old, {setting} is {in_millions(most)}: "
                "autovacuum should be at it. If it is not, look for old transactions, prepared ones and "
                "replication slots first, then VACUUM (FREEZE, VERBOSE) the table in a quiet hour"
                f"{urgent}"
            )


def _bloat(table: Table) -> Iterator[str]:
    """Its empty space, and what returns it beside the server's own statement."""
    if empty := empty_space(table):
        yield f"{empty}. VACUUM FULL locks the table out while it copies it; pg_repack and pg_squeeze do not"


def _scans(table: Table, database: DatabaseTables) -> Iterator[str]:
    days = known_or(database.counted_seconds, 0) // DAY
    often = days > 0 and table.sequential_scans >= OFTEN * days
    whole = MOST_OF_IT * table.rows_by_sequential_scans >= table.sequential_scans * table.live_rows
    if table.bytes >= ENOUGH_TO_TELL and often and whole:
        yield (
            f"{in_millions(table.sequential_scans)} scans of all {Bytes(table.bytes).human()} in "
            f"{how_many(days, 'day')}, {in_millions(table.index_scans)} by an index: find their queries "
            "(pg_stat_statements), and see whether an index would serve them. Reports may be right to scan"
        )

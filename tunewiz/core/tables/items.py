"""What is said of tables: a parameter to set, a decision for a person, or something to look at."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tunewiz.core.values.record import dataclass

Parameter: TypeAlias = Literal[
    "autovacuum_vacuum_scale_factor",
    "autovacuum_vacuum_insert_scale_factor",
    "autovacuum_analyze_scale_factor",
    "fillfactor",
]
DecisionKind: TypeAlias = Literal[
    "invalid index",
    "duplicate index",
    "redundant index",
    "no replica identity",
    "unlogged table",
    "unused index",
    "foreign key without an index",
    "fillfactor",
    "autovacuum is off",
    "parallel vacuum",
    "bloat (estimate)",
]
SightKind: TypeAlias = Literal[
    "wraparound",
    "bloat (estimate)",
    "dead rows",
    "stale statistics",
    "parallel vacuum",
    "sequential scans",
    "sequence runs out",
    "no primary key",
    "many partitions",
    "default partition",
    "not judged",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Relation:
    """A table."""

    database: str
    schema: str
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class StorageChange:
    """A storage parameter to set: it takes a short lock, and nothing is rewritten."""

    table: Relation
    parameter: Parameter
    before: str
    """Empty if the table has none of its own."""
    value: str
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TableDecision:
    """Statements that a person decides on, and those that undo them."""

    kind: DecisionKind
    table: Relation
    what: str
    """The index, the key or the parameter."""
    because: str
    do: tuple[str, ...]
    undo: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """Something to look at, without a statement that would mend it."""

    kind: SightKind
    table: Relation
    """With an empty name: the whole database."""
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TableAdvice:
    """All that is said of the tables of a server, in the order of its databases."""

    changes: tuple[StorageChange, ...] = ()
    decisions: tuple[TableDecision, ...] = ()
    sights: tuple[Sight, ...] = ()
    why_none: str = ""
    """Why no table was looked at; empty if some were."""

    @property
    def something(self) -> bool:
        """Whether there is anything to write down."""
        return bool(self.changes or self.decisions or self.sights)

    @property
    def databases(self) -> tuple[str, ...]:
        """The databases of which something is said."""
        tables = (
            *(change.table for change in self.changes),
            *(decision.table for decision in self.decisions),
            *(sight.table for sight in self.sights),
        )
        return tuple(dict.fromkeys(table.database for table in tables))

    def of(self, database: str) -> TableAdvice:
        """What is said of one database."""
        return TableAdvice(
            changes=tuple(change for change in self.changes if change.table.database == database),
            decisions=tuple(decision for decision in self.decisions if decision.table.database == database),
            sights=tuple(sight for sight in self.sights if sight.table.database == database),
        )

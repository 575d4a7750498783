"""What was learned about the tables of a server: the largest, the busiest and the oldest of each database."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tunewiz.core.facts.design import DesignFlaw
from tunewiz.core.facts.health import DuplicateIndex, EndingSequence, InvalidIndex, OutdatedIndex
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """One table as the catalogue and the server's counters describe it; counts are since their reset."""

    schema: str
    name: str
    bytes: int
    """Of the table with its TOAST table, without indexes, as of its last vacuum or analyze."""
    live_rows: int
    dead_rows: int
    inserted: int
    updated: int
    hot_updated: int
    deleted: int
    changed_since_analyze: int
    sequential_scans: int
    rows_by_sequential_scans: int
    index_scans: int
    last_vacuum: str
    """In UTC, empty if never; so are the other three."""
    last_autovacuum: str
    last_analyze: str
    last_autoanalyze: str
    transaction_age: int
    """Transactions since its oldest row that is not frozen, or its TOAST table's."""
    multixact_age: int
    options: Mapping[str, str]
    """Storage parameters that are set."""
    main_bytes: int
    """Of `bytes`, without the TOAST table."""
    page_bytes: int
    row_width: int | None = None
    """Average bytes of a row's columns; None where a column has no statistics that this role may see."""
    inserted_since_vacuum: int | None = None
    """None before PostgreSQL 13."""
    new_page_updated: int | None = None
    """Updates whose new row found no room on its page; None before PostgreSQL 16."""
    vacuum_due: int | None = None
    """Dead rows in percent of those at which autovacuum comes, by the server; None before PostgreSQL 19."""
    analyze_due: int | None = None
    """The same of changed rows and its ANALYZE."""
    repackable: bool | None = None
    """Whether REPACK (CONCURRENTLY) takes the table, by its identity; None before PostgreSQL 19."""
    large_indexes: int | None = None
    """Those that a helper of vacuum may clean, by min_parallel_index_scan_size; None before PostgreSQL 19."""
    large_index_bytes: int | None = None
    """What these hold together."""

    @property
    def rows(self) -> int:
        """Live and dead ones."""
        return self.live_rows + self.dead_rows

    @property
    def dead_share(self) -> Fraction:
        """Of all its rows."""
        return Fraction(self.dead_rows, max(1, self.rows))


@dataclass(frozen=True, kw_only=True, slots=True)
class UnusedIndex:
    """An index that no query used; it is not unique, and serves no constraint and no replica."""

    schema: str
    table: str
    name: str
    bytes: int
    definition: str
    """As pg_get_indexdef writes it."""
    tablespace: str
    """Empty for the database's own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BareForeignKey:
    """A foreign key whose columns begin no index."""

    schema: str
    table: str
    name: str
    bytes: int
    """Of the table that has the key."""
    columns: tuple[str, ...]
    referenced_schema: str
    referenced: str
    referenced_deleted: int
    referenced_updated: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DatabaseTables:
    """What was read in one database."""

    database: str
    since: Fact[str]
    """When its counters were last reset."""
    counted_seconds: Fact[int]
    """For how long they had counted."""
    tables: Fact[tuple[Table, ...]]
    unused_indexes: Fact[tuple[UnusedIndex, ...]]
    bare_foreign_keys: Fact[tuple[BareForeignKey, ...]]
    invalid_indexes: Fact[tuple[InvalidIndex, ...]] = NOT_LOOKED_FOR
    duplicate_indexes: Fact[tuple[DuplicateIndex, ...]] = NOT_LOOKED_FOR
    ending_sequences: Fact[tuple[EndingSequence, ...]] = NOT_LOOKED_FOR
    """Unknown before 10, as is the next."""
    outdated_indexes: Fact[tuple[OutdatedIndex, ...]] = NOT_LOOKED_FOR
    redundant_indexes: Fact[tuple[DuplicateIndex, ...]] = NOT_LOOKED_FOR
    """Those whose columns begin another index; `same_as` is that one."""
    design_flaws: Fact[tuple[DesignFlaw, ...]] = NOT_LOOKED_FOR

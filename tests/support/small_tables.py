"""Tables for tests: a large one of which little is to say, and what differs from it."""

from types import MappingProxyType
from typing import Any

from tunewiz.core.facts.tables import BareForeignKey, DatabaseTables, Table, UnusedIndex
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import MIB

DAYS_90 = 90 * 86_400


def table(**changed: object) -> Table:
    """A table of a million rows that is only read."""
    usual: dict[str, Any] = {
        "schema": "public",
        "name": "orders",
        "bytes": 128 * MIB,
        "live_rows": 1_000_000,
        "dead_rows": 0,
        "inserted": 1_000_000,
        "updated": 0,
        "hot_updated": 0,
        "deleted": 0,
        "changed_since_analyze": 0,
        "sequential_scans": 0,
        "rows_by_sequential_scans": 0,
        "index_scans": 1_000_000,
        "last_vacuum": "",
        "last_autovacuum": "2026-10-01T00:00:00Z",
        "last_analyze": "",
        "last_autoanalyze": "2026-10-01T00:00:00Z",
        "transaction_age": 1_000_000,
        "multixact_age": 0,
        "options": MappingProxyType({}),
        "main_bytes": 128 * MIB,
        "page_bytes": 8192,
        "row_width": 100,
    }
    usual.update(changed)
    return Table(**usual)


def unused_index(**changed: object) -> UnusedIndex:
    """An index of 64 MB that no query used."""
    usual: dict[str, Any] = {
        "schema": "public",
        "table": "orders",
        "name": "orders_note",
        "bytes": 64 * MIB,
        "definition": "CREATE INDEX orders_note ON public.orders USING btree (note)",
        "tablespace": "",
    }
    usual.update(changed)
    return UnusedIndex(**usual)


def foreign_key(**changed: object) -> BareForeignKey:
    """A foreign key from a large table to one from which rows were deleted."""
    usual: dict[str, Any] = {
        "schema": "public",
        "table": "orders",
        "name": "orders_customer_fkey",
        "bytes": 128 * MIB,
        "columns": ("customer",),
        "referenced_schema": "public",
        "referenced": "customers",
        "referenced_deleted": 5_000,
        "referenced_updated": 0,
    }
    usual.update(changed)
    return BareForeignKey(**usual)


def database(
    *,
    tables: tuple[Table, ...] = (),
    unused: tuple[UnusedIndex, ...] = (),
    keys: tuple[BareForeignKey, ...] = (),
    name: str = "shop",
    seconds: int = DAYS_90,
) -> DatabaseTables:
    """What was read in one database, whose counters counted for 90 days."""
    return DatabaseTables(
        database=name,
        since=Known("2026-08-25T00:00:00Z", "pg_stat_database"),
        counted_seconds=Known(seconds, "pg_stat_database"),
        tables=Known(tables, "pg_class"),
        unused_indexes=Known(unused, "pg_index"),
        bare_foreign_keys=Known(keys, "pg_constraint"),
    )

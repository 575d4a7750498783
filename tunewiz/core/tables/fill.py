"""fillfactor: room on each page for the next version of a row, where updates find none.

An update without room on the row's page writes every index anew (manual, "Heap-Only Tuples (HOT)").
"""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.facts.tables import Table
from tunewiz.core.values.plural import in_millions
from tunewiz.core.values.record import dataclass

ENOUGH = 100_000
"""Updates: fewer show no habit."""

MOSTLY = Fraction(1, 2)
"""Share of updates that are HOT: below it, most of them write every index."""

WITHOUT_ROOM = Fraction(1, 4)
"""Share of updates that found no room on the page, where the server counts them (16 and newer)."""

FILLS = (90, 80, 70)
"""In percent; less would cost more reading than most updates are worth."""

VERSIONS = 2
"""Of an average row that the room should hold."""

FULL = 100
"""PostgreSQL's default for tables, in percent."""

ROW_HEADER = 28
"""Bytes of a row's header, with its padding, and its line pointer (manual, "Database Page Layout")."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fill:
    """A fillfactor and why."""

    value: int
    because: str
    sure: bool
    """Whether the server counted updates without room; else the updates may change an indexed column."""


def fill_of(table: Table) -> Fill | None:
    """The fillfactor for a table that is mostly updated, and mostly without HOT; None leaves it alone."""
    mostly_updated = table.updated >= ENOUGH and table.updated >= table.inserted
    if not mostly_updated or table.hot_updated >= MOSTLY * table.updated:
        return None
    if table.options.get("fillfactor", str(FULL)) != str(FULL):
        return None
    if table.new_page_updated is not None and table.new_page_updated < WITHOUT_ROOM * table.updated:
        return None  # they change an indexed column: room on the page would not help
    row = _bytes_of_a_row(table)
    value = next((fill for fill in FILLS if _room(table, fill) >= VERSIONS * row), FILLS[-1])
    return Fill(value=value, because=_because(table, value, row), sure=table.new_page_updated is not None)


def _because(table: Table, value: int, row: int) -> str:
    hot = 100 * table.hot_updated // table.updated
    counted = f"{in_millions(table.updated)} updates, {hot} % of them HOT"
    if table.new_page_updated is not None:
        counted += f", {100 * table.new_page_updated // table.updated} % found no room on their page"
    kept = f"{FULL - value} % of a page of {table.page_bytes:,} bytes keeps {_room(table, value):,} free"
    return (
        f"{counted}; {kept}, a row has about {row:,}. Pages that are full stay so until their rows move; "
        f"the table grows by up to {FULL * FULL // value - FULL} %"
    )


def _room(table: Table, value: int) -> int:
    return table.page_bytes * (FULL - value) // FULL


def _bytes_of_a_row(table: Table) -> int:
    if table.row_width is not None:
        return table.row_width + ROW_HEADER
    return table.main_bytes // max(1, table.live_rows + table.dead_rows)

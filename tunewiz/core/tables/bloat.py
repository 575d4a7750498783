"""The empty space of a table: an estimate from the planner's statistics, and how far it is off."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.facts.tables import Table
from tunewiz.core.tables.fill import FULL
from tunewiz.core.values.plural import in_millions
from tunewiz.core.values.units import MIB, Bytes

PAGE_HEADER = 24
"""Bytes (manual, "Database Page Layout")."""
TUPLE_HEADER, LINE_POINTER, ALIGNMENT = 24, 4, 8
"""Bytes of a row's header and its pointer, and what rows are padded to (the same page of the manual)."""

LEAST_NEEDED, MOST_NEEDED = Fraction(9, 10), Fraction(3, 2)
"""Of the estimate, what rows really need: measured (benchmarks/bloat.py), 300 tables on 12, 15 and 18.

The most is that of booleans and bigints in turn, whose padding the statistics do not show.
"""
MEASURED = "300 made tables, PostgreSQL 12, 15 and 18, 2026-11-29"

ENOUGH_TO_TELL = 100 * MIB
"""Smaller tables, and less empty space, are not worth a person's time."""
EMPTY_SHARE = 4
"""Told from one quarter of the table on, by the least of the range: autovacuum leaves a fifth."""


def empty_space(table: Table) -> str:
    """How much of it is empty, with the range; empty text if that may be little, or is not known."""
    needed = needed_bytes(table)
    if not needed or table.main_bytes < ENOUGH_TO_TELL:
        return ""
    least = table.main_bytes - needed * MOST_NEEDED
    if least < ENOUGH_TO_TELL or EMPTY_SHARE * least < table.main_bytes:
        return ""
    size = Bytes(table.main_bytes).human()
    rows = f"{in_millions(table.live_rows)} rows of {table.row_width} bytes"
    low, middle, high = (
        _percent(table, needed * factor) for factor in (MOST_NEEDED, Fraction(1), LEAST_NEEDED)
    )
    return (
        f"about {middle} % of {size} is empty or dead, between {low} and {high} %: "
        f"{rows} need about {Bytes(needed).human()}. This is an estimate from the planner's statistics; its "
        f"range is how far it was off pgstattuple and copies of the same rows when we measured it "
        f"({MEASURED}). Measure with pgstattuple_approx before you act"
    )


def _percent(table: Table, needed: Fraction) -> int:
    return round(100 * (1 - needed / table.main_bytes))


def needed_bytes(table: Table) -> int | None:
    """What its live rows would take if they were written anew, by their average width; None if unknown."""
    if table.row_width is None:
        return None
    fill = table.options.get("fillfactor", "")
    usable = (table.page_bytes - PAGE_HEADER) * (int(fill) if fill.isdecimal() else FULL) // FULL
    row = -(-(TUPLE_HEADER + table.row_width) // ALIGNMENT) * ALIGNMENT + LINE_POINTER
    return -(-table.live_rows // max(1, usable // row)) * table.page_bytes

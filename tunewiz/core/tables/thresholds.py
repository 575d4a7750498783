"""When autovacuum comes to a large table: factors of the whole server are too coarse for it.

Autovacuum waits for a threshold plus a part of the table's rows (manual, "The Autovacuum Daemon").
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from tunewiz.core.facts.tables import Table
from tunewiz.core.recommendation.situation import NOTHING_CHOSEN, Situation
from tunewiz.core.tables.items import Parameter
from tunewiz.core.values.plural import in_millions
from tunewiz.core.values.record import dataclass

AT_ONCE = 500_000
"""Rows: what one visit should find. A rule of thumb: cleaned within a minute or so, and few index pages."""

WORTH_IT = 2
"""A table is left alone until the visit would find more than this many times AT_ONCE."""

FACTORS = tuple(map(Fraction, ("0.1", "0.05", "0.02", "0.01", "0.005", "0.002", "0.001")))
"""What a person would write; less than one row in a thousand is never waited for."""

PERCENT = 100
MOSTLY_INSERTS = 10
"""Inserts for each row that is updated or deleted: what waits there is freezing, not dead rows."""

_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?", re.ASCII)
"""As people write a factor or a number of rows; an exponent of many digits would take all memory."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Rule:
    """One kind of visit: which settings trigger it, and which rows count."""

    parameter: Parameter
    threshold: str
    rows: str
    most: str = ""
    """The setting that bounds it, in majors that have one."""


_VACUUM = _Rule(
    parameter="autovacuum_vacuum_scale_factor",
    threshold="autovacuum_vacuum_threshold",
    rows="dead rows",
    most="autovacuum_vacuum_max_threshold",
)
_INSERT = _Rule(
    parameter="autovacuum_vacuum_insert_scale_factor",
    threshold="autovacuum_vacuum_insert_threshold",
    rows="inserted rows",
)
_ANALYZE = _Rule(
    parameter="autovacuum_analyze_scale_factor",
    threshold="autovacuum_analyze_threshold",
    rows="changed rows before it samples the table anew",
)


def threshold_changes(table: Table, situation: Situation) -> Iterator[tuple[Parameter, str, str]]:
    """Parameter, value and reason for each factor that is too coarse for this table.

    Args:
        table: With its own parameters, which override the server's.
        situation: The server's settings after the plan.
    """
    removed = table.updated + table.deleted
    if removed >= AT_ONCE:
        yield from _lowered(_VACUUM, table, situation)
    if table.inserted >= AT_ONCE and table.inserted >= MOSTLY_INSERTS * removed:
        yield from _lowered(_INSERT, table, situation)
    if table.inserted + removed >= AT_ONCE:
        yield from _lowered(_ANALYZE, table, situation)


def visit_starts(what: Literal["vacuum", "analyze"], table: Table, situation: Situation) -> Iterator[int]:
    """The rows at which autovacuum starts: by the server from 19 on, else by the settings in force."""
    due, rows = (
        (table.vacuum_due, table.dead_rows)
        if what == "vacuum"
        else (table.analyze_due, table.changed_since_analyze)
    )
    if due:
        yield max(1, PERCENT * rows // due)
        return
    rule = _VACUUM if what == "vacuum" else _ANALYZE
    today = dataclasses.replace(situation, chosen=NOTHING_CHOSEN)
    factor, threshold = _number(rule.parameter, table, today), _number(rule.threshold, table, today)
    if factor is not None and threshold is not None and threshold >= 0:
        yield max(1, int(_bounded(threshold + factor * table.live_rows, rule, table, today)))


def _lowered(rule: _Rule, table: Table, situation: Situation) -> Iterator[tuple[Parameter, str, str]]:
    if not situation.settings.has(rule.parameter):
        return
    factor, threshold = _number(rule.parameter, table, situation), _number(rule.threshold, table, situation)
    # A negative threshold turns that visit off, and words are meant for a person: both are left alone.
    if factor is None or threshold is None or threshold < 0:
        return
    waits = _bounded(threshold + factor * table.live_rows, rule, table, situation)
    value = _factor_for(table.live_rows)
    if waits <= WORTH_IT * AT_ONCE or value >= factor:
        return
    rows, wait = in_millions(table.live_rows), in_millions(int(waits))
    because = (
        f"{float(threshold):g} + {float(factor):g} x {rows} rows: autovacuum waits for {wait} {rule.rows}; "
        f"{float(value):g} x {rows} = {in_millions(int(value * table.live_rows))}"
    )
    yield rule.parameter, f"{float(value):g}", because


def _factor_for(rows: int) -> Fraction:
    wanted = Fraction(AT_ONCE, max(1, rows))
    return next((factor for factor in FACTORS if factor <= wanted), FACTORS[-1])


def _number(name: str, table: Table, situation: Situation) -> Fraction | None:
    """The table's own, else the server's after the plan; None for any other text."""
    text = table.options.get(name) or situation.will_be(name)
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def _bounded(rows: Fraction, rule: _Rule, table: Table, situation: Situation) -> Fraction:
    """From 18 on a number of rows bounds the wait; -1 turns that off."""
    if not rule.most or not situation.settings.has(rule.most):
        return rows
    most = _number(rule.most, table, situation)
    return rows if most is None or most < 0 else min(rows, most)

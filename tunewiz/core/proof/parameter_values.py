"""Values drawn from a column's statistics, and the pgbench script of a statement with such values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random

from tunewiz.core.proof.statement_text import parts
from tunewiz.core.values.record import dataclass

VARIANTS = 64
"""Sets of values that a script chooses from; integer ranges are drawn again in every transaction."""
LARGEST_SPAN = 1 << 62
"""pgbench's random() needs the width of its range to fit into 64 bits."""
INTEGERS = ("int2", "int4", "int8")
_PLAIN = re.compile(r"[\x20-\x5b\x5d-\x7e]*")
_VARIABLE = re.compile(r":[A-Za-z_]")


@dataclass(frozen=True, kw_only=True, slots=True)
class ColumnStatistics:
    """What ANALYZE found in a column (pg_stats)."""

    type: str
    """The type's name in the server, such as `int4` or `character varying`."""
    common: tuple[str, ...] = ()
    frequencies: tuple[float, ...] = ()
    """Frequencies of the common values, as shares of all rows."""
    bounds: tuple[str, ...] = ()
    """Bounds of a histogram of the other values, whose bins have equally many rows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Range:
    """An integer range, from which pgbench draws in each transaction."""

    low: int
    high: int
    type: str


ParameterValue = str | Range
"""A value as SQL, or a range."""


def literal(value: str, type_name: str) -> str:
    """A value as SQL that pgbench leaves alone and that means the same in every encoding.

    >>> literal("it's", "text"), literal("10:30", "time")
    ("'it''s'", "'10:30'")
    """
    if _PLAIN.fullmatch(value) and not _VARIABLE.search(value):
        quoted = value.replace("'", "''")
        return f"'{quoted}'"
    digits = value.encode().hex()
    text = f"pg_catalog.convert_from(pg_catalog.decode('{digits}', 'hex'), 'UTF8')"
    return f"CAST({text} AS {type_name})"


def drawn(statistics: ColumnStatistics, random: Random) -> ParameterValue:
    """Draw one value with the frequencies in the statistics, which must be known."""
    common = sum(statistics.frequencies) if statistics.bounds else 1.0
    if statistics.common and random.random() < common:
        chosen = random.choices(statistics.common, statistics.frequencies or None)[0]
        return literal(chosen, statistics.type)
    if statistics.type in INTEGERS and len(statistics.bounds) > 1:
        low, high = random.choice([*pairwise(map(int, statistics.bounds))])
        if low <= high < low + LARGEST_SPAN:
            return Range(low=low, high=high, type=statistics.type)
    return literal(random.choice(statistics.bounds), statistics.type)


def variants(
    text: str, columns: Mapping[int, ColumnStatistics], fixed: Mapping[int, str], random: Random
) -> tuple[str, ...]:
    """The variants of a statement for pgbench, each with its own drawn values.

    Args:
        text: The statement on one line, parameters as `$1`.
        columns: Statistics by parameter number; each parameter is drawn independently.
        fixed: SQL of parameters that have the same value in every variant.
        random: The source of randomness.
    """
    if not columns:
        return (_filled(text, dict(fixed)) + ";",)
    return tuple(_variant(text, columns, fixed, random) for _ in range(VARIANTS))


def _variant(
    text: str, columns: Mapping[int, ColumnStatistics], fixed: Mapping[int, str], random: Random
) -> str:
    sets, values = list[str](), dict(fixed)
    for number, statistics in columns.items():
        value = drawn(statistics, random)
        if isinstance(value, Range):
            sets.append(f"\\set tunewiz_{number} random({value.low}, {value.high})")
            values[number] = f"CAST(:tunewiz_{number} AS pg_catalog.{value.type})"
        else:
            values[number] = value
    return "\n".join((*sets, _filled(text, values) + ";"))


def _filled(text: str, values: Mapping[int, str]) -> str:
    # Blanks keep a value apart from the text beside its parameter.
    return "".join(
        f" {values[int(part[1:])]} " if kind == "parameter" else part for kind, part in parts(text)
    )


def script(statements: Sequence[str]) -> str:
    r"""A pgbench script that chooses among statements with equal probability.

    >>> script(["select 1;"])
    'select 1;\n'
    """
    return "\n".join(_lines(statements)) + "\n"


def _lines(statements: Sequence[str]) -> Iterator[str]:
    if len(statements) == 1:
        yield statements[0]
        return
    yield f"\\set tunewiz_variant random(1, {len(statements)})"
    yield from _choice(statements, 1)


def _choice(statements: Sequence[str], first: int) -> Iterator[str]:
    """A binary search, so that a transaction evaluates few conditions."""
    if len(statements) == 1:
        yield statements[0]
        return
    half = len(statements) // 2
    yield f"\\if :tunewiz_variant < {first + half}"
    yield from _choice(statements[:half], first)
    yield "\\else"
    yield from _choice(statements[half:], first + half)
    yield "\\endif"

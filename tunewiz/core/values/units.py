"""Sizes and times as PostgreSQL writes them and as people read them.

PostgreSQL's units are case sensitive and powers of 1024 (documentation, "Setting Parameters").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB
TIB = 1024 * GIB

_NUMBER_AND_UNIT = re.compile(r"\s*(\d{1,30}(?:\.\d{1,30})?)\s*([A-Za-z]*)\s*", re.ASCII)
"""No quantity has more digits; longer texts are not worth converting."""


class UnitError(ValueError):
    """A text that is not a quantity; the message says what was expected."""


def _split(text: str, units: dict[str, int], what: str) -> tuple[Fraction, int]:
    matched = _NUMBER_AND_UNIT.fullmatch(text)
    if matched is None or matched[2] not in units:
        raise UnitError(f"expected {what} such as {_examples(units)}, found {text!r}")
    return Fraction(matched[1]), units[matched[2]]


def _examples(units: dict[str, int]) -> str:
    return ", ".join(f"16{unit}" for unit in units if unit)


@dataclass(frozen=True, order=True, slots=True)
class Bytes:
    """An amount of memory or disk space.

    >>> Bytes.parse("16GB").pg(), Bytes.parse("16GB").human()
    ('16GB', '16.0 GiB')
    """

    count: int

    UNITS: ClassVar[dict[str, int]] = {"B": 1, "kB": KIB, "MB": MIB, "GB": GIB, "TB": TIB}

    @classmethod
    def parse(cls, text: str) -> Bytes:
        """Read a size with one of PostgreSQL's units; raises UnitError."""
        number, factor = _split(text, cls.UNITS, "a size")
        return cls(int(number * factor))

    def __add__(self, other: Bytes) -> Bytes:
        return Bytes(self.count + other.count)

    def __sub__(self, other: Bytes) -> Bytes:
        return Bytes(self.count - other.count)

    def __mul__(self, factor: int | Fraction) -> Bytes:
        # With whole numbers, as a product of fractions is reduced each time; towards zero, as int() does.
        over, under = self.count * factor.numerator, factor.denominator
        return Bytes(over // under if over >= 0 else -(-over // under))

    def __floordiv__(self, divisor: int) -> Bytes:
        return Bytes(self.count // divisor)

    def __bool__(self) -> bool:
        return self.count != 0

    def pages(self, page: Bytes) -> int:
        """How many pages of that size hold this much."""
        return -(-self.count // page.count)

    def down_to(self, step: Bytes) -> Bytes:
        """The largest multiple of the step that is not larger."""
        return Bytes(self.count // step.count * step.count)

    def pg(self) -> str:
        """As a PostgreSQL value: the largest unit that divides it, at least kB (rounded down)."""
        for unit, factor in reversed(self.UNITS.items()):
            if factor <= KIB or (self.count >= factor and self.count % factor == 0):
                return f"{self.count // max(factor, KIB)}{unit if factor >= KIB else 'kB'}"
        raise AssertionError  # pragma: no cover - the loop always reaches kB

    def human(self) -> str:
        """For a person: `16.0 GiB`, `512 KiB`; what would round to 1024 MiB is `1.0 GiB`."""
        for unit, factor, rounded_up in (("TiB", TIB, GIB // 20), ("GiB", GIB, MIB // 2)):
            if self.count >= factor - rounded_up:
                return f"{self.count / factor:.1f} {unit}"
        if self.count >= MIB:
            return f"{self.count / MIB:.0f} MiB"
        return f"{self.count // KIB} KiB" if self.count >= KIB else f"{self.count} B"

    def short(self) -> str:
        """For a computation: `16 GiB`, `15.7 GiB`, `512 MiB`."""
        return self.human().replace(".0 ", " ")


@dataclass(frozen=True, order=True, slots=True)
class Duration:
    """A length of time, in milliseconds.

    >>> Duration.parse("5min").pg()
    '5min'
    """

    milliseconds: int

    UNITS: ClassVar[dict[str, int]] = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}

    @classmethod
    def parse(cls, text: str) -> Duration:
        """Read a time with one of PostgreSQL's units; raises UnitError."""
        number, factor = _split(text, cls.UNITS, "a time")
        return cls(int(number * factor))

    @property
    def seconds(self) -> int:
        """Whole seconds, rounded down."""
        return self.milliseconds // 1_000

    def pg(self) -> str:
        """As a PostgreSQL value: the largest unit that divides it."""
        for unit, factor in reversed(self.UNITS.items()):
            if self.milliseconds >= factor and self.milliseconds % factor == 0:
                return f"{self.milliseconds // factor}{unit}"
        return "0"


def in_words(time: Duration) -> str:
    """A time as a person says it: `45 s`, `3 min`."""
    return f"{time.seconds} s" if time.seconds < 120 else f"{time.seconds // 60} min"  # noqa: PLR2004 - two minutes

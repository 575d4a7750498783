"""What PostgreSQL itself says about a setting: type, unit, range; and comparison of values by meaning.

Taken from the pg_settings view of a real server of each major version (profiles/settings.json).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from tunewiz.core.values.names import expected_name
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import GIB, Bytes, Duration
from tunewiz.core.values.versions import Major

VarType = Literal["bool", "enum", "integer", "real", "string"]
Context = Literal["internal", "postmaster", "sighup", "superuser-backend", "backend", "superuser", "user"]

AUTOMATIC = ("0", "-1")
"""Boot values in whose place servers work out a number: SLRU caches, wal_buffers, io_max_concurrency."""

_SIZES = {"B": 1, "kB": 2**10, "8kB": 2**13, "MB": 2**20, "16MB": 2**24}
_TIMES = {"ms": 1, "s": 1_000, "min": 60_000}
_QUANTITY = re.compile(r"([-+]?(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30}))\s*([A-Za-z]+)")
_STEPS_OF_SIZE = {"TB": Fraction(2**40), "GB": Fraction(2**30), "MB": Fraction(2**20), "kB": Fraction(2**10)}
_STEPS_OF_TIME = {unit: Fraction(count) for unit, count in reversed(Duration.UNITS.items())}
_STEPS = {
    **{unit: {**_STEPS_OF_SIZE, "B": Fraction(1)} for unit in _SIZES},
    **{unit: {**_STEPS_OF_TIME, "us": Fraction(1, 1_000)} for unit in _TIMES},
}
"""Units that a value may be given in, the largest first, in bytes or milliseconds, by the setting's unit."""
_BASED = re.compile(r"0[0-7]+|0[xX][0-9a-fA-F]+")
"""Integers that PostgreSQL reads with base 8 or 16: file modes are shown as `0600`."""
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:[eE][-+]?[0-9]{1,3})?")
"""As C's strtod reads it, but for infinities and for exponents beyond all that a double holds."""
_CAME_TO = re.compile(r" \([a-z]+\)$")
"""What servers show behind a choice that they left to themselves: `auto (tsc)` of timing_clock_source."""
_MOST_BEFORE_A_UNIT = 2**31 - 1
"""Up to version 11 the server reads the number before a unit into 32 bits, whatever the product would be."""
_MOST_WRITTEN_OUT = 2**64
"""Beyond this, a number is shown with an exponent."""
_TRUE = frozenset({"on", "1", "t", "tr", "tru", "true", "y", "ye", "yes"})
_FALSE = frozenset({"of", "off", "0", "f", "fa", "fal", "fals", "false", "n", "no"})
"""Any beginning of a word that is no beginning of another (parse_bool in PostgreSQL's source)."""


class SettingError(ValueError):
    """A value that the setting does not accept; the message says what it does accept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SettingInfo:
    """One setting in one major version."""

    name: str
    vartype: VarType
    context: Context
    default: str
    """The compiled-in default, in `unit` where there is one."""
    unit: str | None = None
    minimum: str | None = None
    maximum: str | None = None
    choices: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """By name, since equal settings have equal names; needed thousands of times in a plan."""
        return hash(self.name)

    @property
    def needs_restart(self) -> bool:
        """Whether a change waits for a restart of the server."""
        return self.context == "postmaster"

    @property
    def sizes_itself(self) -> bool:
        """Whether its default leaves the size to the server, which then shows what it took at its start."""
        return self.vartype == "integer" and self.needs_restart and self.default in AUTOMATIC

    @property
    def is_size_or_count(self) -> bool:
        """Whether it is an amount of memory, of disk or of things: no time, no cost, no word."""
        return self.vartype == "integer" and self.unit not in _TIMES

    def canonical(self, text: str) -> str:
        """The value in the setting's own unit, as pg_settings would show it; raises SettingError.

        >>> SettingInfo(name="work_mem", vartype="integer", context="user", default="4096", unit="kB",
        ...             minimum="64", maximum="2147483647").canonical("24MB")
        '24576'
        """
        match self.vartype:
            case "bool":
                return self._boolean(text)
            case "enum":
                return self._choice(text)
            case "integer" | "real":
                return _number_of(self, text)
            case "string":
                return text

    def same(self, one: str, other: str) -> bool:
        """Whether two texts mean the same value to the server, which gives six digits of a real number."""
        values = self.canonical(one), self.canonical(other)
        if self.vartype == "real":
            values = f"{float(values[0]):g}", f"{float(values[1]):g}"
        return values[0] == values[1]

    def show(self, text: str) -> str:
        """The value as a person writes it: `16GB`, `5min`, `on`; raises SettingError."""
        return _shown_of(self, text)

    def shown(self, text: str) -> str:
        """The same, worked out anew; raises SettingError."""
        value = self.canonical(text)
        if self.unit in _SIZES and Fraction(value) > 0:
            exact = Bytes(int(Fraction(value) * _SIZES[self.unit]))
            size = exact.pg()
            is_short = int(size.rstrip("kMGTB")) <= _MOST_BEFORE_A_UNIT
            return size if is_short and Bytes.parse(size) == exact else value
        if (
            self.unit in _TIMES
            and Fraction(value) > 0
            and (Fraction(value) * _TIMES[self.unit]).denominator == 1
        ):
            return Duration(int(Fraction(value) * _TIMES[self.unit])).pg()
        return value

    def size(self, text: str) -> Bytes:
        """The value as an amount of memory or disk; raises SettingError."""
        return _size_of(self, text)

    def in_bytes(self, text: str) -> Bytes:
        """The same, worked out anew; raises SettingError."""
        if self.unit not in _SIZES:
            raise SettingError(f"{self.name} is not a size")
        return Bytes(int(Fraction(self.canonical(text)) * _SIZES[self.unit]))

    def clamped(self, size: Bytes) -> Bytes:
        """A size clamped to the setting's range, whose upper end is rounded down to whole gigabytes.

        Raises:
            SettingError: The setting is not a size.
        """
        if self.unit not in _SIZES:
            raise SettingError(f"{self.name} is not a size")
        bounds = (self.minimum, self.maximum)
        low, high = (
            None if bound is None else Bytes(int(Fraction(bound) * _SIZES[self.unit])) for bound in bounds
        )
        size = size if low is None else max(size, low)
        return size if high is None or size <= high else (high.down_to(Bytes(GIB)) or high)

    def _boolean(self, text: str) -> str:
        word = text.strip().lower()
        if word in _TRUE:
            return "on"
        if word in _FALSE:
            return "off"
        raise SettingError(f"{self.name}: expected on or off, found {text!r}")

    def _choice(self, text: str) -> str:
        word = _CAME_TO.sub("", text.strip().lower())
        by_word = {choice.lower(): choice for choice in self.choices}
        if word in by_word:
            return by_word[word]
        if "on" in self.choices and word in {"true", "yes", "1"}:
            return "on"
        if "off" in self.choices and word in {"false", "no", "0"}:
            return "off"
        raise SettingError(f"{self.name}: expected {expected_name(text, self.choices)}, found {text!r}")

    def number(self, text: str) -> str:
        """A number in the setting's own unit, as pg_settings would show it; raises SettingError."""
        value = self._in_unit(text.strip())
        if self.vartype == "integer":
            value = Fraction(round(value))
        for bound, side in ((self.minimum, "at least"), (self.maximum, "at most")):
            if bound is None:
                continue
            limit = Fraction(Decimal(bound))
            if (value < limit) if side == "at least" else (value > limit):
                raise SettingError(f"{self.name}: expected {side} {self._readable(bound)}, found {text!r}")
        return _plain(value)

    def _in_unit(self, text: str) -> Fraction:
        if self.vartype == "integer" and _BASED.fullmatch(text):
            return Fraction(int(text, 16 if text[1] in "xX" else 8))
        if _NUMBER.fullmatch(text):
            return Fraction(text)
        if self.unit in _STEPS:
            return self._quantity(text, self.unit)
        raise SettingError(f"{self.name}: expected a number, found {text!r}")

    def _quantity(self, text: str, unit: str) -> Fraction:
        """A number with a unit; the server rounds it to whole ones of the next smaller unit."""
        matched, steps = _QUANTITY.fullmatch(text), _STEPS[unit]
        if matched is None or matched[2] not in steps:
            example = "size such as 16kB, 16MB" if unit in _SIZES else "time such as 16ms, 16min"
            raise SettingError(f"{self.name}: expected a {example}, found {text!r}")
        amount = Fraction(matched[1]) * steps[matched[2]]
        smaller = list(steps.values())[list(steps).index(matched[2]) + 1 :]
        rounded = round(amount / smaller[0]) * smaller[0] if smaller else amount
        return rounded / (_SIZES[unit] if unit in _SIZES else _TIMES[unit])

    def _readable(self, bound: str) -> str:
        if self.unit in _SIZES:
            size = Bytes(int(Fraction(Decimal(bound)) * _SIZES[self.unit]))
            exact = size.pg()
            return f"{exact} ({size.human()})" if size.count >= GIB and exact.endswith("kB") else exact
        return f"{bound} {self.unit}" if self.unit else bound


# The same few values are asked for hundreds of times in a plan, and fractions are slow.


@lru_cache(maxsize=4096)
def _number_of(setting: SettingInfo, text: str) -> str:
    return setting.number(text)


@lru_cache(maxsize=4096)
def _shown_of(setting: SettingInfo, text: str) -> str:
    return setting.shown(text)


@lru_cache(maxsize=4096)
def _size_of(setting: SettingInfo, text: str) -> Bytes:
    return setting.in_bytes(text)


def _plain(value: Fraction) -> str:
    """As the server shows it: costs may be as large as a double can be."""
    whole = value.denominator == 1 and abs(value) < _MOST_WRITTEN_OUT
    return str(value.numerator) if whole else f"{float(value):g}"


@dataclass(frozen=True, kw_only=True, slots=True)
class SettingsOfMajor:
    """All settings of one major version, and which majors have the others."""

    major: Major
    known: Mapping[str, SettingInfo]
    elsewhere: Mapping[str, tuple[Major, ...]]
    """Names that this major lacks and the majors that have them."""

    def has(self, name: str) -> bool:
        """Whether this major has the setting."""
        return name in self.known

    def __getitem__(self, name: str) -> SettingInfo:
        """The setting; raises SettingError with the majors that have it."""
        setting_info = self.known.get(name)
        if setting_info is None:
            raise SettingError(self.why_missing(name))
        return setting_info

    def show(self, name: str, value: str) -> str:
        """The value as a person writes it; as it is where this major does not know it."""
        try:
            return self[name].show(value)
        except SettingError:
            return value

    def why_missing(self, name: str) -> str:
        """Why it is missing: which majors have the setting, or that there is none with this name."""
        majors = self.elsewhere.get(name, ())
        if not majors:
            return f"{name} is not a PostgreSQL setting"
        if majors[0] > self.major:
            return f"{name} first appeared in PostgreSQL {majors[0]}, this server is {self.major}"
        return f"{name} was last in PostgreSQL {majors[-1]}, this server is {self.major}"

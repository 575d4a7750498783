"""Values in the units and words of a managed service, and back."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from tunewiz.core.keepers.services import Booleans, Parameter, ProviderUnit
from tunewiz.core.values.pg_settings import SettingError, SettingInfo
from tunewiz.core.values.units import KIB, MIB, Bytes

_SIZES: dict[ProviderUnit | str, int] = {"kB": KIB, "8kB": 8 * KIB, "MB": MIB, "B": 1, "16MB": 16 * MIB}
_WORDS: dict[Booleans, tuple[str, str]] = {
    "on or off": ("on", "off"),
    "1 or 0": ("1", "0"),
    "true or false": ("true", "false"),
}
_PERCENT: ProviderUnit = "percent of memory"


def provider_value(
    parameter: Parameter, info: SettingInfo, text: str, booleans: Booleans, memory: Bytes | None
) -> str:
    """The value as the service is given it; one that is above its range is the largest that it accepts.

    Args:
        parameter: What the service says of the setting.
        info: What PostgreSQL says of it.
        text: As a person writes it: `16GB`.
        booleans: How the service writes booleans.
        memory: Of the server; None if it is not known.

    Raises:
        SettingError: The service does not accept it.
    """
    canonical = info.canonical(text)
    if not (canonical.isascii() and canonical.isprintable()):
        raise SettingError(f"{info.name}: expected ASCII characters only, found {text!r}")
    if info.vartype == "bool":
        on, off = _WORDS[parameter.boolean or booleans]
        return on if canonical == "on" else off
    if info.vartype in ("enum", "string"):
        return _word(parameter, info, canonical)
    return _digits(_in_range(parameter, info, _in_unit(parameter.unit, info, canonical, memory)))


def postgres_value(parameter: Parameter, info: SettingInfo, value: str, memory: Bytes | None) -> str:
    """The same back in PostgreSQL's own unit and words; raises SettingError."""
    unit = parameter.unit
    if info.vartype not in ("integer", "real") or unit in (None, info.unit) or Fraction(value) <= 0:
        return info.canonical(value)
    if unit == _PERCENT:
        amount = Fraction(Decimal(value)) / 100 * _known(memory, info).count
    else:
        amount = Fraction(value) * _size_of(unit, info)
    return info.canonical(str(round(amount / _size_of(info.unit, info))))


def _word(parameter: Parameter, info: SettingInfo, word: str) -> str:
    if parameter.values and word not in parameter.values:
        raise SettingError(f"{info.name}: expected {' or '.join(parameter.values)}, found {word}")
    if parameter.items:
        unknown = [part for part in _parts(word) if part not in parameter.items]
        if unknown:
            raise SettingError(f"{info.name}: {', '.join(unknown)} cannot be in it there")
        return ",".join(_parts(word))
    return word


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _in_unit(unit: ProviderUnit | None, info: SettingInfo, canonical: str, memory: Bytes | None) -> Fraction:
    number = Fraction(Decimal(canonical))
    if unit in (None, info.unit) or number <= 0:
        return number
    amount = number * _size_of(info.unit, info)
    if unit == _PERCENT:
        return round(amount * 100 / _known(memory, info).count, 1)
    return Fraction(round(amount / _size_of(unit, info)))


def _size_of(unit: str | None, info: SettingInfo) -> int:
    if unit not in _SIZES:
        raise SettingError(f"{info.name}: {info.unit} cannot be counted in {unit}")
    return _SIZES[unit]


def _known(memory: Bytes | None, info: SettingInfo) -> Bytes:
    if not memory:
        raise SettingError(f"{info.name} is a share of memory there, and the memory is not known")
    return memory


def _in_range(parameter: Parameter, info: SettingInfo, value: Fraction) -> Fraction:
    if parameter.least and value < Fraction(Decimal(parameter.least)):
        unit = f" {parameter.unit}" if parameter.unit else ""
        raise SettingError(f"{info.name}: expected at least {parameter.least}{unit}, found {_digits(value)}")
    return min(value, Fraction(Decimal(parameter.most))) if parameter.most else value


def _digits(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.12g}"

"""Reads single values of a document: nothing is converted, and a value of another type is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite

from tunewiz.core.values.units import Bytes, Duration, UnitError
from tunewiz.formats.mismatch import QUANTITIES, MismatchError, shown


def boolean(data: object, _: str, __: object) -> bool:
    """`true` or `false`."""
    if isinstance(data, bool):
        return data
    raise MismatchError("true or false", shown(data))


def whole(data: object, _: str, __: object) -> int:
    """A whole number; `true` is not one."""
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    raise MismatchError("a whole number", shown(data))


def number(data: object, _: str, __: object) -> float:
    """A finite number."""
    if isinstance(data, int | float) and not isinstance(data, bool) and isfinite(data):
        return float(data)
    raise MismatchError("a number", shown(data))


def text(data: object, _: str, __: object) -> str:
    """Text without lone surrogates."""
    if not isinstance(data, str):
        raise MismatchError("text", shown(data))
    if not data.isascii() and any("\ud800" <= character <= "\udfff" for character in data):
        raise MismatchError("whole characters", shown(data))
    return data


def fraction(data: object, _: str, __: object) -> Fraction:
    """A fraction, written as text."""
    try:
        if isinstance(data, str):
            return Fraction(data)
    except (ValueError, ZeroDivisionError) as error:
        raise MismatchError(QUANTITIES[Fraction], shown(data)) from error
    raise MismatchError(QUANTITIES[Fraction], shown(data))


def counted(into: type[Bytes | Duration]) -> Callable[[object, str, object], Bytes | Duration]:
    """The reader of a size or time that is written as a whole number."""

    def read(data: object, key: str, notes: object) -> Bytes | Duration:
        return into(whole(data, key, notes))

    return read


def written(into: type[Bytes | Duration]) -> Callable[[object, str, object], Bytes | Duration]:
    """The reader of a size or time that is written with its unit."""

    def read(data: object, _: str, __: object) -> Bytes | Duration:
        try:
            if isinstance(data, str):
                return into.parse(data)
        except UnitError as error:
            raise MismatchError(QUANTITIES[into], shown(data)) from error
        raise MismatchError(QUANTITIES[into], shown(data))

    return read

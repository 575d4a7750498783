"""Reads equal records once: the settings of a thousand servers are mostly the same."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from tunewiz.core.values.units import Bytes
from tunewiz.formats.mismatch import is_words

N = TypeVar("N")

MOST_REMEMBERED = 8192
"""Records of one type: some megabytes."""

_PLAIN = frozenset[object]({bool, int, str, Bytes})
_NOT_YET = object()


def is_plain(into: object) -> bool:
    """Whether values of a type depend on nothing but what is written: facts do, which have notes.

    Numbers with a point are left out: 0.0 and -0.0 are equal, and not the same.
    """
    if get_origin(into) in (Union, UnionType) and not is_words(into):
        return all(alternative is NoneType or is_plain(alternative) for alternative in get_args(into))
    return into in _PLAIN or is_words(into)


def remembering(read: Callable[[object, str, N], Any]) -> Callable[[object, str, N], Any]:
    """The same reader for records of plain values; what it refuses, it refuses each time."""
    made = dict[object, object]()

    def again(data: object, key: str, notes: N) -> object:
        if not isinstance(data, dict):
            return read(data, key, notes)
        # With the types of the values: true is equal to 1.
        written = (*data, *data.values(), *map(type, data.values()))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        try:
            value = made.get(written, _NOT_YET)  # pyright: ignore[reportUnknownArgumentType]
        except TypeError:  # a list or keys and values, which are refused
            return read(data, key, notes)  # pyright: ignore[reportUnknownArgumentType]
        if value is _NOT_YET:
            if len(made) >= MOST_REMEMBERED:
                made.clear()
            value = made[written] = read(data, key, notes)  # pyright: ignore[reportUnknownArgumentType]
        return value

    return again

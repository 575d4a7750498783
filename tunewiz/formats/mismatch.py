"""A mismatch between a value and its place, in words: where, found, expected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from tunewiz.core.values.names import expected_name
from tunewiz.core.values.units import Bytes, Duration

_LONGEST_SHOWN = 60

QUANTITIES: Mapping[type, str] = {
    Bytes: 'a size such as "24MB"',
    Duration: 'a time such as "5min"',
    Fraction: 'a fraction such as "1/4"',
}
_PLAIN: Mapping[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    **QUANTITIES,
}


class MismatchError(ValueError):
    """A value of the wrong type or form; `path` leads to it if it was raised below a key."""

    def __init__(
        self, expected: str, line: str, path: tuple[str, ...] = (), *, unknown: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"{'.'.join(path)}: found {line}, expected {expected}")
        self.expected = expected
        self.found = line
        self.path = path
        self.unknown = unknown

    @property
    def culprit(self) -> tuple[str, ...]:
        """The path of what does not fit: below `path` where that is an unknown key."""
        return (*self.path, *self.unknown)

    def below(self, key: str) -> MismatchError:
        """The same mismatch, with one more key before its path."""
        return MismatchError(self.expected, self.found, (key, *self.path), unknown=self.unknown)


def shown(entry: object) -> str:
    """What was found, shortened and safe for a terminal."""
    match entry:
        case Mapping():
            return "{…}" if entry else "{}"
        case list():
            return "[…]" if entry else "[]"
        case None | bool() | int() | float() | str():
            text = json.dumps(entry)
        case _:
            text = str(entry)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def unknown_key(name: str, known: list[str]) -> MismatchError:
    """An unknown key, with the most similar known one."""
    return MismatchError(expected_name(name, known), f"the unknown key {shown(name)}", unknown=(name,))


def expected_for(into: Any) -> str:  # noqa: ANN401 - any annotation may stand on a field
    """What a type accepts, in words."""
    if is_words(into):
        return f"one of {', '.join(word for word in choices_of(into) if word)}"
    if get_origin(into) in (Union, UnionType):
        return " or ".join(expected_for(argument) for argument in get_args(into) if argument is not NoneType)
    if get_origin(into) is tuple:
        return "a list"
    return _PLAIN.get(into, "keys and values")


def is_words(into: Any) -> bool:  # noqa: ANN401 - as above
    """Whether a type is a choice of words."""
    if get_origin(into) in (Union, UnionType):
        return all(get_origin(argument) is Literal for argument in get_args(into))
    return get_origin(into) is Literal


def choices_of(into: Any) -> tuple[str, ...]:  # noqa: ANN401 - as above
    """The words."""
    literals = (into,) if get_origin(into) is Literal else get_args(into)
    return tuple(str(word) for literal in literals for word in get_args(literal))

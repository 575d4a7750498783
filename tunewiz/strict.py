"""Reads plain data (from TOML or JSON) strictly into frozen records; a misfit is told by its key.

cattrs fills the records; the hooks here refuse what cattrs would convert silently (`"5"` for a number) and
say what was expected in words. The first problem is told, unknown keys before others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import isfinite
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeGuard, TypeVar, get_args, get_origin

from cattrs import BaseValidationError, Converter, ForbiddenExtraKeysError
from cattrs.errors import AttributeValidationNote
from cattrs.gen import make_dict_structure_fn

from tunewiz.core.errors import InputError
from tunewiz.core.units import Bytes, Duration, UnitError
from tunewiz.misfit import QUANTITIES, MisfitError, choices_of, expected_for, is_words, shown, unknown_key

T = TypeVar("T")
Sizes = Literal["whole numbers", "texts"]
"""How sizes and times are written: facts have bytes as numbers, people write `24MB`."""

Hook: TypeAlias = Callable[[Any, Any], Any]


def structure(data: object, into: type[T], where: str, converter: Converter | None = None) -> T:
    """The record that the data describes.

    Args:
        data: As `json` or `tomllib` gave it.
        into: A frozen dataclass.
        where: The file, for the message.
        converter: Where the record needs hooks of its own; else sizes are texts.

    Raises:
        InputError: The first misfit: file, key, found, expected.
    """
    try:
        return (converter or _plain_converter()).structure(data, into)
    except (BaseValidationError, MisfitError) as error:
        raise refusal(where, first_misfit(error)) from error


def refusal(where: str, misfit: MisfitError) -> InputError:
    """The message for a misfit."""
    key = ".".join(misfit.path)
    return InputError(f"{where}: {key + ': ' if key else ''}found {misfit.found}, expected {misfit.expected}")


def new_converter(sizes: Sizes) -> Converter:
    """A converter that takes nothing for what it is not."""
    converter = Converter(forbid_extra_keys=True, detailed_validation=True)
    converter.register_structure_hook_factory(dataclasses.is_dataclass, _record)
    converter.register_structure_hook_factory(is_words, _words)
    converter.register_structure_hook_factory(_is_list, _items)
    converter.register_structure_hook_factory(_is_mapping, _named)
    converter.register_structure_hook(bool, _boolean)
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(float, _number)
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(Fraction, _fraction)
    for size in (Bytes, Duration):
        converter.register_structure_hook(size, _counted if sizes == "whole numbers" else _written)
    return converter


@cache
def _plain_converter() -> Converter:
    """For records that need no hooks of their own: what it learned of their types is learned once."""
    return new_converter("texts")


def first_misfit(error: Exception) -> MisfitError:
    """The problem to tell: unknown keys before others, then in the order of the record's fields."""
    match error:
        case MisfitError():
            return error
        case ForbiddenExtraKeysError():
            return _unknown_key(error)
        case BaseValidationError():
            return _first_below(error)
        case _:
            raise error  # no misfit of the data but a fault of ours


def _first_below(group: BaseValidationError) -> MisfitError:
    for each in group.exceptions:
        if isinstance(each, ForbiddenExtraKeysError):
            return _unknown_key(each)
    first = group.exceptions[0]
    for note in getattr(first, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            inner = _missing(note) if isinstance(first, KeyError) else first_misfit(first)
            return inner.below(note.name)
    return first_misfit(first)


def _missing(note: AttributeValidationNote) -> MisfitError:
    return MisfitError(expected_for(note.type), "nothing")


def _unknown_key(error: ForbiddenExtraKeysError) -> MisfitError:
    known = [field.name for field in dataclasses.fields(error.cl)]
    name = min(error.extra_fields)
    return unknown_key(name, known)


def is_table(data: object) -> TypeGuard[dict[str, object]]:
    """Whether this is what TOML calls a table and JSON an object; their keys are always texts."""
    return isinstance(data, dict)


def is_list(data: object) -> TypeGuard[list[object]]:
    """Whether this is a list of anything."""
    return isinstance(data, list)


def _is_list(into: object) -> bool:
    return get_origin(into) is tuple


def _is_mapping(into: object) -> bool:
    return get_origin(into) is Mapping


def _record(into: Any, converter: Converter) -> Hook:  # noqa: ANN401 - cattrs asks with any type
    fill = make_dict_structure_fn(into, converter, _cattrs_forbid_extra_keys=True)

    def read(data: object, into: Any) -> object:  # noqa: ANN401 - as above
        if not is_table(data):
            raise MisfitError("keys and values", shown(data))
        return fill(data, into)

    return read


def _words(into: Any) -> Hook:  # noqa: ANN401 - as above
    choices = choices_of(into)

    def read(data: object, _: object) -> str:
        if isinstance(data, str) and data in choices:
            return data
        raise MisfitError(expected_for(into), shown(data))

    return read


def _items(into: Any, converter: Converter) -> Hook:  # noqa: ANN401 - as above
    inner = get_args(into)[0]
    item = converter.get_structure_hook(inner)

    def read(data: object, _: object) -> tuple[object, ...]:
        if not is_list(data):
            raise MisfitError("a list", shown(data))
        return tuple(_at(str(place), each, item, inner) for place, each in enumerate(data))

    return read


def _named(into: Any, converter: Converter) -> Hook:  # noqa: ANN401 - as above
    inner = get_args(into)[1]
    item = converter.get_structure_hook(inner)

    def read(data: object, _: object) -> Mapping[str, object]:
        if not is_table(data):
            raise MisfitError("keys and values", shown(data))
        return MappingProxyType({name: _at(name, each, item, inner) for name, each in data.items()})

    return read


def _at(key: str, data: object, item: Hook, into: Any) -> object:  # noqa: ANN401 - as above
    try:
        return item(data, into)
    except (BaseValidationError, MisfitError) as error:
        raise first_misfit(error).below(key) from error


def _boolean(data: object, _: object) -> bool:
    if isinstance(data, bool):
        return data
    raise MisfitError("true or false", shown(data))


def _whole(data: object, _: object) -> int:
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    raise MisfitError("a whole number", shown(data))


def _number(data: object, _: object) -> float:
    if isinstance(data, int | float) and not isinstance(data, bool) and isfinite(data):
        return float(data)
    raise MisfitError("a number", shown(data))


def _text(data: object, _: object) -> str:
    if not isinstance(data, str):
        raise MisfitError("text", shown(data))
    if any("\ud800" <= character <= "\udfff" for character in data):
        raise MisfitError("whole characters", shown(data))
    return data


def _fraction(data: object, _: object) -> Fraction:
    try:
        if isinstance(data, str):
            return Fraction(data)
    except (ValueError, ZeroDivisionError) as error:
        raise MisfitError(QUANTITIES[Fraction], shown(data)) from error
    raise MisfitError(QUANTITIES[Fraction], shown(data))


def _counted(data: object, into: type[Bytes | Duration]) -> Bytes | Duration:
    return into(_whole(data, into))


def _written(data: object, into: type[Bytes | Duration]) -> Bytes | Duration:
    try:
        if isinstance(data, str):
            return into.parse(data)
    except UnitError as error:
        raise MisfitError(QUANTITIES[into], shown(data)) from error
    raise MisfitError(QUANTITIES[into], shown(data))

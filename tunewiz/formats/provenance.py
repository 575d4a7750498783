"""How the JSON form of facts keeps the source of each: values are plain, the rest is in two maps.

`"learned": {"cpu.cores": "/sys/…"}` says how, `"unknown": {"cpu.cores": "…"}` says why a value is null.
A null that is in neither is absent if a machine may lack such a thing, otherwise not stated.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeAlias, TypeGuard, Union, get_args, get_origin

from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.units import Bytes
from tunewiz.formats.mismatch import MismatchError, shown
from tunewiz.formats.structure import DocumentForm, Notes, Read

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | float | bool | None"
NOT_STATED = "not stated in the facts"
STATED = "stated in the facts"


def is_fact(into: object) -> bool:
    """Whether a type is Fact[…] or MaybeFact[…]."""
    return get_origin(into) is Union and any(get_origin(argument) is Known for argument in get_args(into))


def value_type(fact: object) -> Any:  # noqa: ANN401 - a type, any type
    """The T of Fact[T]."""
    return next(get_args(argument)[0] for argument in get_args(fact) if get_origin(argument) is Known)


class RecordWriter:
    """Turns records into plain data; the notes grow with each fact."""

    def __init__(self) -> None:
        self.learned = dict[str, str]()
        self.unknown = dict[str, str]()

    def take(self, record: object, key: str = "") -> Plain:
        """The record as plain data; raises TypeError for types that facts cannot contain."""
        if is_known(record):
            self.learned[key] = record.how
            return self.take(record.value, key)
        match record:
            case Absent(how=how):
                self.learned[key] = how
                return None
            case Unknown(why=why):
                self.unknown[key] = why
                return None
            case Bytes(count=count):
                return count
            case None | bool() | int() | float() | str():
                return record
            case _:
                return self._parts(record, key)

    def _parts(self, record: object, key: str) -> Plain:
        if dataclasses.is_dataclass(record):
            return self.fields(record, key)
        if is_mapping(record):
            return {name: self.take(record[name], _below(key, name)) for name in sorted(record)}
        if is_tuple(record):
            return [self.take(value, _below(key, place)) for place, value in enumerate(record)]
        raise TypeError(f"{key}: facts cannot contain {type(record).__name__}")

    def fields(self, record: Any, key: str = "") -> dict[str, Plain]:  # noqa: ANN401 - any dataclass
        """The fields of a record."""
        names = [field.name for field in dataclasses.fields(record)]
        return {name: self.take(getattr(record, name), _below(key, name)) for name in names}


def is_known(fact: object) -> TypeGuard[Known[object]]:
    """Whether this is a fact that is known."""
    return isinstance(fact, Known)


def is_mapping(data: object) -> TypeGuard[Mapping[str, object]]:
    """Whether this is a mapping."""
    return isinstance(data, Mapping)


def is_tuple(data: object) -> TypeGuard[tuple[object, ...]]:
    """Whether this is a tuple."""
    return isinstance(data, tuple)


def _below(key: str, name: str | int) -> str:
    return f"{key}.{name}" if key else str(name)


class FactsForm(DocumentForm):
    """How facts are written: values are plain, their sources are in the notes."""

    def made(self, into: Any) -> Read:  # noqa: ANN401 - any annotation
        """A reader; for a fact it accepts a value, or null with the reason in the notes."""
        return self._fact(into) if is_fact(into) else super().made(into)

    def missing(self, part: dataclasses.Field[Any], into: Any) -> Read:  # noqa: ANN401 - as above
        """A missing fact is unknown, and a missing record consists of unknown facts."""
        if is_fact(into):
            return _unknown
        if dataclasses.is_dataclass(into) or get_origin(into) is Mapping:
            inner = self.reader(into)
            return lambda _, key, notes: inner({}, key, notes)
        return super().missing(part, into)

    def _fact(self, into: object) -> Read:
        value, may_lack = self.reader(value_type(into)), Absent in get_args(into)

        def read(data: object, key: str, notes: Notes) -> Known[Any] | Absent | Unknown:
            notes.used.add(key)
            learned, unknown = notes.learned.get(key), notes.unknown.get(key)
            if data is None:
                return _nothing(learned, unknown, may_lack=may_lack)
            if unknown is not None:
                raise MismatchError("null, since its reason stands under unknown", shown(data))
            return Known(value(data, key, notes), STATED if learned is None else learned)

        return read


def _unknown(_: object, key: str, notes: Notes) -> Unknown:
    notes.used.add(key)
    return Unknown(notes.unknown.get(key, NOT_STATED))


def check_all_used(notes: Notes) -> None:
    """Raises MismatchError for a note that belongs to no fact."""
    for name, of_kind in (("learned", notes.learned), ("unknown", notes.unknown)):
        for key in of_kind:
            if key not in notes.used:
                raise MismatchError("the dotted key of a fact", shown(key), (name,))


def _nothing(learned: str | None, unknown: str | None, *, may_lack: bool) -> Absent | Unknown:
    if unknown is not None:
        return Unknown(unknown)
    if may_lack:
        return Absent(NOT_STATED if learned is None else learned)
    return Unknown(NOT_STATED)

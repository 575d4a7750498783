"""How the JSON form of facts keeps where each was learned: values stand plain, the rest in two maps.

`"learned": {"cpu.cores": "/sys/…"}` says how, `"unknown": {"cpu.cores": "…"}` says why a value is null.
A null that is neither is absent where the machine may lack such a thing, else not stated.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias, TypeGuard, Union, get_args, get_origin, get_type_hints

from tunewiz.core.known import Absent, Known, Unknown
from tunewiz.core.units import Bytes
from tunewiz.misfit import MisfitError, shown
from tunewiz.strict import is_list, is_table

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | float | bool | None"
NOT_STATED = "not stated in the facts"
STATED = "stated in the facts"


@dataclass(frozen=True, kw_only=True, slots=True)
class Notes:
    """The two maps, by dotted key."""

    learned: Mapping[str, str] = field(default_factory=dict[str, str])
    unknown: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A plain value in the place of a fact, with where it was learned."""

    value: object
    how: str


def is_fact(into: object) -> bool:
    """Whether a type is Fact[…] or MaybeFact[…]."""
    return get_origin(into) is Union and any(get_origin(each) is Known for each in get_args(into))


def value_type(fact: object) -> Any:  # noqa: ANN401 - a type, any type
    """The T of Fact[T]."""
    return next(get_args(each)[0] for each in get_args(fact) if get_origin(each) is Known)


class Apart:
    """Takes records apart into plain data; the notes grow as facts are met."""

    def __init__(self) -> None:
        self.learned = dict[str, str]()
        self.unknown = dict[str, str]()

    def take(self, record: object, key: str = "") -> Plain:
        """The record as plain data; raises TypeError for what facts have no form for."""
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
            return [self.take(each, _below(key, place)) for place, each in enumerate(record)]
        raise TypeError(f"{key}: facts have no form for {type(record).__name__}")

    def fields(self, record: Any, key: str = "") -> dict[str, Plain]:  # noqa: ANN401 - any dataclass
        """The fields of a record."""
        names = [each.name for each in dataclasses.fields(record)]
        return {name: self.take(getattr(record, name), _below(key, name)) for name in names}


def is_known(fact: object) -> TypeGuard[Known[object]]:
    """Whether this is a fact that is known."""
    return isinstance(fact, Known)


def is_mapping(data: object) -> TypeGuard[Mapping[str, object]]:
    """Whether these are names and values."""
    return isinstance(data, Mapping)


def is_tuple(data: object) -> TypeGuard[tuple[object, ...]]:
    """Whether these are values in a row."""
    return isinstance(data, tuple)


def _below(key: str, name: str | int) -> str:
    return f"{key}.{name}" if key else str(name)


@cache
def _fields(record: type) -> dict[str, Any]:
    """Types by name; resolving annotations is dear, and servers have hundreds of settings."""
    return get_type_hints(record)


class Laying:
    """Lays the notes beside the values again, as the types ask for it."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._used = set[str]()

    def lay(self, data: object, into: Any, key: str = "") -> object:  # noqa: ANN401 - any annotation
        """The data with Told, Absent or Unknown in the place of each fact."""
        if is_fact(into):
            return self._fact(data, into, key)
        if get_origin(into) is tuple and is_list(data):
            inner = get_args(into)[0]
            return [self.lay(each, inner, _below(key, place)) for place, each in enumerate(data)]
        if get_origin(into) is Mapping and is_table(data):
            inner = get_args(into)[1]
            return {name: self.lay(each, inner, _below(key, name)) for name, each in data.items()}
        if isinstance(into, type) and dataclasses.is_dataclass(into) and is_table(data):
            return self._record(data, into, key)
        return data

    def _record(self, data: dict[str, object], into: type, key: str) -> dict[str, object]:
        laid = dict(data)
        for name, inner in _fields(into).items():
            if name in data:
                laid[name] = self.lay(data[name], inner, _below(key, name))
            elif is_fact(inner):
                laid[name] = self._missing(_below(key, name))
            elif dataclasses.is_dataclass(inner) or get_origin(inner) is Mapping:
                laid[name] = self.lay({}, inner, _below(key, name))
        return laid

    def _missing(self, key: str) -> Unknown:
        self._used.add(key)
        return Unknown(self._notes.unknown.get(key, NOT_STATED))

    def _fact(self, data: object, into: object, key: str) -> object:
        self._used.add(key)
        learned, unknown = self._notes.learned.get(key), self._notes.unknown.get(key)
        if data is None:
            return _nothing(learned, unknown, may_lack=Absent in get_args(into))
        if unknown is not None:
            raise MisfitError("null, since its reason stands under unknown", shown(data), (key,))
        return Told(value=self.lay(data, value_type(into), key), how=STATED if learned is None else learned)

    def check_all_used(self) -> None:
        """Raises MisfitError for a note on no fact."""
        for name, notes in _maps(self._notes):
            for key in notes:
                if key not in self._used:
                    raise MisfitError("the dotted key of a fact", shown(key), (name,))


def _nothing(learned: str | None, unknown: str | None, *, may_lack: bool) -> Absent | Unknown:
    if unknown is not None:
        return Unknown(unknown)
    if may_lack:
        return Absent(NOT_STATED if learned is None else learned)
    return Unknown(NOT_STATED)


def _maps(notes: Notes) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield "learned", notes.learned
    yield "unknown", notes.unknown

"""Frozen records that cost little until they are used: a command imports hundreds, and makes few of them.

`dataclass` here is the standard library's, and is checked as such: fields, defaults, `replace` and `fields`
are the same. The methods of frozen records with slots differ: the library compiles six texts for each class;
here they share all but `__init__`, which is compiled when the first record of its class is made.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

Record: TypeAlias = Any
"""A record of any class, or such a class."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - exported
else:

    def dataclass(**options: bool) -> Callable[[type], type]:
        """As the standard library's; all but frozen records with slots, of no other record, are its own."""
        kw_only = options.get("kw_only", False)
        usual = dataclasses.dataclass(**options)
        if options != {"frozen": True, "slots": True} | ({"kw_only": True} if kw_only else {}):
            return usual
        return lambda described: (
            usual(described) if dataclasses.is_dataclass(described) else _record(described, kw_only=kw_only)
        )


def _record(described: type, *, kw_only: bool) -> Record:
    bare = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)
    cls = cast("Record", bare(described))
    cls.__dataclass_params__.frozen = True  # what inherits from it must be frozen too
    for name, method in {**_methods_of(cls), **_SHARED}.items():
        if cls.__dict__.get(name) is None:
            setattr(cls, name, method)
    return cls


def _methods_of(cls: Record) -> Mapping[str, Callable[..., object]]:
    """Those that depend on the class, none of them compiled for it."""
    compared = [entry.name for entry in dataclasses.fields(cls) if entry.compare]
    values: Callable[[object], object] = attrgetter(*compared) if compared else type

    def init(self: object, *args: object, **named: object) -> None:
        cls.__init__ = _compiled_init(cls)
        cls.__init__(self, *args, **named)

    def equals(self: object, other: object) -> object:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    return {"__init__": init, "__eq__": equals, "__hash__": hashed}


def _compiled_init(cls: Record) -> Callable[..., None]:
    """Sets the fields by their slots, since the class refuses to; its parameters are those of a dataclass."""
    entries = dataclasses.fields(cls)
    by_place = [_parameter(entry) for entry in entries if not entry.kw_only]
    by_name = [_parameter(entry) for entry in entries if entry.kw_only]
    parameters = ["self", *by_place, *(["*", *by_name] if by_name else ())]
    lines = [f"set_{entry.name}(self, {_argument(entry)})" for entry in entries] or ["pass"]
    known: dict[str, Any] = {"MISSING": MISSING}
    for entry in entries:
        known[f"set_{entry.name}"] = getattr(cls, entry.name).__set__
        known[f"default_{entry.name}"] = entry.default
        known[f"make_{entry.name}"] = entry.default_factory
    text = f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines)
    exec(text, known)  # noqa: S102 - made of the names of fields alone
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _parameter(entry: dataclasses.Field[Any]) -> str:
    if entry.default_factory is not MISSING:
        return f"{entry.name}=MISSING"
    return entry.name if entry.default is MISSING else f"{entry.name}=default_{entry.name}"


def _argument(entry: dataclasses.Field[Any]) -> str:
    if entry.default_factory is MISSING:
        return entry.name
    return f"make_{entry.name}() if {entry.name} is MISSING else {entry.name}"


@recursive_repr()
def _shown(self: Record) -> str:
    entries = [entry for entry in dataclasses.fields(self) if entry.repr]
    shown = ", ".join(f"{entry.name}={getattr(self, entry.name)!r}" for entry in entries)
    return f"{type(self).__qualname__}({shown})"


def _refuse_to_set(_: object, name: str, __: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Record) -> list[object]:
    """For pickle, which would set each field by its name."""
    return [getattr(self, entry.name) for entry in dataclasses.fields(self)]


def _restore(self: Record, state: list[object]) -> None:
    for entry, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, entry.name, value)


_SHARED: Mapping[str, Callable[..., object]] = {
    "__repr__": _shown,
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__getstate__": _state,
    "__setstate__": _restore,
}

"""Facts that notice which of their fields are read."""

import dataclasses
from typing import Any

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known

_NOTICED: set[str] = set()
_KINDS: dict[type, type] = {}
_FIELDS: dict[type, tuple[str, ...]] = {}


def noticed(situation: Situation) -> Situation:
    """The same situation, of which each read of what a server showed at work is noticed."""
    server, memory = situation.server, situation.facts.memory
    assert isinstance(server, PostgresServer)
    noting = _noting(server)
    strain = dataclasses.replace(memory, strain=_noting(memory.strain))
    facts = dataclasses.replace(situation.facts, postgres=(noting,), memory=strain)
    return dataclasses.replace(situation, server=noting, facts=facts)


def start_noticing() -> None:
    """Forget what was read so far."""
    _NOTICED.clear()


def what_was_read() -> frozenset[str]:
    """The fields that were read since, by class: `Window.commits`."""
    return frozenset(_NOTICED)


def _noting(value: Any) -> Any:  # noqa: ANN401 - any fact goes in and the same comes out
    """The same value; its fields and theirs are noticed when they are read."""
    if is_a(value, Known):
        return dataclasses.replace(value, value=_noting(value.value))
    if is_a(value, tuple):
        return tuple(_noting(value) for value in value)
    of = _class_of(value)
    names = _fields_of(of)
    if not names:
        return value
    return _kind(of)(**{name: _noting(getattr(value, name)) for name in names})


def _class_of(value: object) -> type:
    return type(value)


def _fields_of(of: type) -> tuple[str, ...]:
    """Of a record of facts; of anything else none."""
    if of not in _FIELDS:
        _FIELDS[of] = tuple(field.name for field in dataclasses.fields(of)) if _is_record(of) else ()
    return _FIELDS[of]


def _is_record(of: type) -> bool:
    return dataclasses.is_dataclass(of) and of.__module__.startswith("tunewiz.core.facts")


def is_a(value: object, kind: type) -> bool:
    """The same as isinstance, which would make a value of any type one of an unknown type."""
    return isinstance(value, kind)


def _kind(of: type) -> type:
    """A class of the same fields that notices them."""
    if of not in _KINDS:
        names = frozenset(_fields_of(of))

        def read(self: object, name: str) -> object:
            if name in names:
                _NOTICED.add(f"{of.__name__}.{name}")
            return object.__getattribute__(self, name)

        _KINDS[of] = type(of.__name__, (of,), {"__slots__": (), "__getattribute__": read})
    return _KINDS[of]

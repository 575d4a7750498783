"""Finds every mismatch of a document that people write: who repairs one wants to see the others too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from tunewiz.core.values.record import dataclass
from tunewiz.formats.mismatch import MismatchError
from tunewiz.formats.structure import is_table

T = TypeVar("T")
MAX_MISMATCHES = 50
"""More than a person repairs before trying again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading(Generic[T]):
    """What could be read, and what was wrong beside it."""

    value: T | None
    """None if what is wrong cannot be left out."""
    mismatches: tuple[MismatchError, ...] = ()


def read_around(
    document: Mapping[str, object], read: Callable[[Mapping[str, object]], T], usual: Mapping[str, object]
) -> Reading[T]:
    """Read a document without what does not fit, one value after the other.

    Args:
        document: Plain data.
        read: Raises MismatchError.
        usual: Values for keys that must not be missing, to read on without what was found there.
    """
    mismatches = dict[tuple[str, ...], MismatchError]()
    while len(mismatches) < MAX_MISMATCHES:
        try:
            return Reading(value=read(document), mismatches=tuple(mismatches.values()))
        except MismatchError as error:
            path = error.culprit
            rest = with_usual(document, path, usual) if path in mismatches else without(document, path)
            if not any(wrong[: len(path)] == path for wrong in mismatches):  # or it lacks what was left out
                mismatches[path] = error
        if rest == document:
            rest = with_usual(document, path, usual)
        if rest == document:
            break
        document = rest
    return Reading(value=None, mismatches=tuple(mismatches.values()))


def with_usual(
    document: Mapping[str, object], path: tuple[str, ...], usual: Mapping[str, object]
) -> Mapping[str, object]:
    """The document with the usual value at that path; the same if there is none.

    >>> with_usual({"risk": {"restart": True}}, ("risk", "posture"), {"risk": {"posture": "bold"}})
    {'risk': {'restart': True, 'posture': 'bold'}}
    """
    if not path or path[0] not in usual:
        return document
    key, *rest = path
    instead, below = usual[key], document.get(key, {})
    if rest and is_table(instead) and is_table(below):
        return {**document, key: with_usual(below, tuple(rest), instead)}
    return {**document, key: instead}


def without(document: Mapping[str, object], path: tuple[str, ...]) -> Mapping[str, object]:
    """The document without the value at that path; the same if there is none.

    >>> without({"risk": {"posture": 1, "restart": True}}, ("risk", "posture"))
    {'risk': {'restart': True}}
    """
    if not path or path[0] not in document:
        return document
    key, *rest = path
    below = document[key]
    if rest and is_table(below):
        return {**document, key: without(below, tuple(rest))}
    return {name: value for name, value in document.items() if name != key}

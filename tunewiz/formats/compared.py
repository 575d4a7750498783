"""Reads a plan's JSON as far as plans are compared; keys that it does not need may be missing or new."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tunewiz.core.comparison.planned import ComparedPlan, ItemWords, PlannedItem
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.units import Bytes
from tunewiz.formats.mismatch import shown
from tunewiz.formats.plan import SCHEMA
from tunewiz.formats.structure import is_list, is_table, structure

NOTHING_STATED = "not known"


def is_plan(document: object) -> bool:
    """Whether this looks like a plan rather than facts."""
    return is_table(document) and "recommendations" in document


def compared_plan(document: object, name: str) -> ComparedPlan:
    """One side of a comparison; raises InputError naming key, found and expected.

    Args:
        document: A plan as plain data.
        name: How the user named it.
    """
    if not is_table(document) or document.get("schema") != SCHEMA:
        value = document.get("schema") if is_table(document) else document
        raise InputError(f"{name}: schema: found {shown(value)}, expected {SCHEMA}")
    items = document.get("recommendations")
    if not is_list(items):
        raise InputError(f"{name}: recommendations: found {shown(items)}, expected a list")
    read = [_item(item, f"{name}: recommendations.{place}") for place, item in enumerate(items)]
    return ComparedPlan(
        name=name,
        inputs=MappingProxyType(dict(_inputs(document))),
        items=MappingProxyType({item.id: item for item in read}),
    )


def _item(data: object, where: str) -> PlannedItem:
    if not is_table(data):
        raise InputError(f"{where}: found {shown(data)}, expected keys and values")
    words = data.get("in_words")
    known = {**_part(data, PlannedItem), "in_words": _part(words, ItemWords) if is_table(words) else words}
    return structure(known, PlannedItem, where)


def _part(data: Mapping[str, object], into: type) -> dict[str, object]:
    """What the record has a place for."""
    return {field.name: data[field.name] for field in dataclasses.fields(into) if field.name in data}


def _inputs(document: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for section in ("host", "answers"):
        yield from _flat(document.get(section), section)
    budget = document.get("memory_budget")
    total = budget.get("total") if is_table(budget) else None
    yield "memory_budget.total", Bytes(total).human() if isinstance(total, int) else NOTHING_STATED


def _flat(data: object, key: str) -> Iterator[tuple[str, str]]:
    if not is_table(data):
        yield key, _scalar(data)
        return
    if key.startswith("answers.decisions."):
        yield key, _decision(data)
        return
    for name, value in data.items():
        yield from _flat(value, f"{key}.{name}")


def _decision(data: Mapping[str, object]) -> str:
    said = (
        [f"set {data['set']}"] if "set" in data else [word for word in ("accept", "decline") if word in data]
    )
    note = [f"({data['note']})"] if "note" in data else []
    return " ".join((*said, *note))


def _scalar(value: object) -> str:
    match value:
        case None:
            return NOTHING_STATED
        case True:
            return "yes"
        case False:
            return "no"
        case _:
            return str(value)

"""An operator's schema held strictly: what it does not list is an error, where a cluster drops it in silence.

The files in tests/operators are extracts of the operators' own, with repository, commit and licence. A merge
patch is part of a resource: what the schema requires may be missing, and null takes a value away.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeGuard

FOLDER = Path(__file__).resolve().parents[1] / "operators"
UNDERSTOOD = {
    *(
        "type",
        "properties",
        "additionalProperties",
        "items",
        "enum",
        "pattern",
        "anyOf",
        "default",
        "required",
    ),
    *("format", "minLength", "maxLength", "minItems", "maxItems", "maxProperties", "minimum", "maximum"),
}


def schema_of(operator: str) -> Mapping[str, Any]:
    """The extract of an operator's schema."""
    return json.loads((FOLDER / f"{operator}.json").read_text())["schema"]  # type: ignore[no-any-return]


def errors(schema: Mapping[str, Any], data: object, where: str = "") -> Iterator[str]:
    """What the schema does not take, a sentence each."""
    unknown = {key for key in schema if not key.startswith("x-")} - UNDERSTOOD
    assert not unknown, f"the schema says more than is understood here: {unknown}"
    if data is None or not schema:
        return
    if not fits(schema, data):
        yield f"{where}: {data!r} is not of {schema.get('type', 'the right type')}"
        return
    if "enum" in schema and data not in schema["enum"]:
        yield f"{where}: {data!r} is none of {schema['enum']}"
    if "pattern" in schema and re.search(schema["pattern"], str(data)) is None:
        yield f"{where}: {data!r} does not match {schema['pattern']}"
    yield from parts(schema, data, where)


def parts(schema: Mapping[str, Any], data: object, where: str) -> Iterator[str]:
    if is_mapping(data):
        for key, value in data.items():
            below = schema_of_field(schema, key, where)
            if below is None:
                yield f"{where}.{key}: there is no such field"
            else:
                yield from errors(below, value, f"{where}.{key}")
    elif is_list(data):
        for number, value in enumerate(data):
            yield from errors(schema.get("items", {}), value, f"{where}[{number}]")


def schema_of_field(schema: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any] | None:
    """None where a cluster would drop the field."""
    known, more = schema.get("properties", {}), schema.get("additionalProperties")
    if key in known:
        return known[key]  # type: ignore[no-any-return]
    if is_mapping(more):
        return more
    free = "x-kubernetes-preserve-unknown-fields" in schema or where == ".metadata"
    return {} if free else None


def is_mapping(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def fits(schema: Mapping[str, Any], data: object) -> bool:
    if schema.get("x-kubernetes-int-or-string"):
        return isinstance(data, str) or (isinstance(data, int) and not isinstance(data, bool))
    types: Mapping[str, type | tuple[type, ...]] = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "boolean": bool,
        "number": (int, float),
    }
    wanted = schema.get("type")
    if wanted is None:
        return True
    return isinstance(data, types[wanted]) and not (
        wanted in ("integer", "number") and isinstance(data, bool)
    )

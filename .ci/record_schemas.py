"""JSON Schemas of documents that are read into records: made from the records' types and their docstrings."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from tunewiz.core.answers.answers import Decision
from tunewiz.core.values.units import Bytes, Duration
from tunewiz.formats.mismatch import choices_of, is_words
from tunewiz.formats.provenance import is_fact, value_type
from tunewiz.formats.structure import KEY, Sizes

Schema: TypeAlias = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"
TRUE: Schema = {"const": True}
DECISION: Schema = {
    "description": "Exactly one of accept, decline and set, with a note.",
    "type": "object",
    "properties": {
        "accept": TRUE,
        "decline": TRUE,
        "set": {"type": ["string", "number", "boolean"]},
        "note": {"type": "string"},
    },
    "additionalProperties": False,
    "oneOf": [{"required": ["accept"]}, {"required": ["decline"]}, {"required": ["set"]}],
}
PLAIN: Mapping[object, Schema] = MappingProxyType(
    {
        bool: {"type": "boolean"},
        int: {"type": "integer"},
        float: {"type": "number"},
        str: {"type": "string"},
        int | str: {"type": ["integer", "string"]},
        Fraction: {"type": "string", "description": "A fraction: 1/10, 0.1."},
        Decision: DECISION,
    }
)
QUANTITIES: Mapping[Sizes, Mapping[object, Schema]] = MappingProxyType(
    {
        "whole numbers": {
            Bytes: {"type": "integer", "description": "Bytes."},
            Duration: {"type": "integer", "description": "Milliseconds."},
        },
        "texts": {
            Bytes: {"type": "string", "description": "A size with its unit: 24MB, 16GB."},
            Duration: {"type": "string", "description": "A time with its unit: 90s, 5min."},
        },
    }
)


class RecordSchemas:
    """The schemas of the types that one document is made of."""

    def __init__(self, sizes: Sizes) -> None:
        self._known = {**PLAIN, **QUANTITIES[sizes]}
        self.definitions = dict[str, Schema]()

    def document(self, record: type, number: int, *beside: str) -> Schema:
        """The schema of the whole document; `beside` names maps of texts that accompany the record."""
        whole = self._record(record)
        maps = {name: {"type": "object", "additionalProperties": {"type": "string"}} for name in beside}
        return {
            "$schema": DRAFT,
            **whole,
            "properties": {"schema": {"const": number}, **whole["properties"], **maps},
            "required": ["schema", *whole.get("required", ())],
            "definitions": dict(sorted(self.definitions.items())),
        }

    def of(self, into: Any) -> Schema:  # noqa: ANN401 - any annotation may stand on a field
        """The schema of a type; raises TypeError for one that documents cannot contain."""
        if into in self._known:
            return self._known[into]
        if is_fact(into):
            return _or_null(self.of(value_type(into)))
        if is_words(into):
            return {"enum": list(choices_of(into))}
        if dataclasses.is_dataclass(into) and isinstance(into, type):
            return self._reference(into)
        return self._of_several(into)

    def _of_several(self, into: Any) -> Schema:  # noqa: ANN401 - as above
        if get_origin(into) is tuple:
            return {"type": "array", "items": self.of(get_args(into)[0])}
        if get_origin(into) is Mapping:
            return {"type": "object", "additionalProperties": self.of(get_args(into)[1])}
        if get_origin(into) in (Union, UnionType) and NoneType in get_args(into):
            (other,) = (argument for argument in get_args(into) if argument is not NoneType)
            return _or_null(self.of(other))
        raise TypeError(f"documents cannot contain {into!r}")

    def _reference(self, record: type) -> Schema:
        if record.__name__ not in self.definitions:
            self.definitions[record.__name__] = {}
            self.definitions[record.__name__] = self._record(record)
        return {"$ref": f"#/definitions/{record.__name__}"}

    def _record(self, record: type) -> Schema:
        types, docstrings = get_type_hints(record), dict(_docstrings_of_fields(record))
        fields = dataclasses.fields(record)
        keys = {entry.name: str(entry.metadata.get(KEY, entry.name)) for entry in fields}
        properties = {
            keys[entry.name]: _described(self.of(types[entry.name]), docstrings.get(entry.name, ""))
            for entry in fields
        }
        required = [keys[entry.name] for entry in fields if self._is_required(entry, types[entry.name])]
        return {
            "description": _line(record.__doc__ or ""),
            "type": "object",
            "properties": properties,
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }

    def _is_required(self, entry: dataclasses.Field[Any], into: object) -> bool:
        """Whether a document without the key is refused: a missing fact is unknown."""
        has_default = (
            entry.default is not dataclasses.MISSING or entry.default_factory is not dataclasses.MISSING
        )
        return not has_default and not self._may_lack(into)

    def _may_lack(self, into: object) -> bool:
        of_facts = self._known[Bytes]["type"] == "integer"
        return of_facts and (is_fact(into) or dataclasses.is_dataclass(into) or get_origin(into) is Mapping)


def _or_null(schema: Schema) -> Schema:
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _described(schema: Schema, text: str) -> Schema:
    """With a description of its own; one beside a reference would not count."""
    if not text:
        return schema
    return {**({"allOf": [schema]} if "$ref" in schema else schema), "description": text}


def _docstrings_of_fields(record: type) -> Iterator[tuple[str, str]]:
    """The docstring that follows a field, by the field's name."""
    (made,) = ast.parse(textwrap.dedent(inspect.getsource(record))).body
    body = made.body if isinstance(made, ast.ClassDef) else []
    for entry, following in pairwise(body):
        if isinstance(entry, ast.AnnAssign) and isinstance(entry.target, ast.Name):
            text = _text_of(following)
            if text:
                yield entry.target.id, _line(text)


def _text_of(statement: ast.stmt) -> str:
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
        return ""
    return statement.value.value if isinstance(statement.value.value, str) else ""


def _line(text: str) -> str:
    """The first paragraph as one line."""
    return " ".join(inspect.cleandoc(text).split("\n\n")[0].split())

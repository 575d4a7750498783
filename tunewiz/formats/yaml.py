"""Writes YAML that every reader takes for the same data: the same data gives the same bytes.

Strings are quoted as in JSON, of which YAML 1.2 is a superset; nothing is left to be guessed: no `on` that
becomes true, no `1e3` that becomes a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from tunewiz.core.values.errors import TunewizError
from tunewiz.core.values.record import dataclass

_BARE_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})
"""What YAML 1.1 takes for something else than a string."""
_LONGEST_KEY = 1024
"""What readers look ahead for the colon (YAML 1.2.2, 7.4.2)."""
_INDENT = "  "
_LAST_OF_16_BITS = "\uffff"
_DELETE = "\x7f"


@dataclass(frozen=True, kw_only=True, slots=True)
class Tagged:
    """A text that its reader takes for something of its own: `!unsafe` is no template for Ansible."""

    tag: str
    text: str


class NotYamlError(TunewizError):
    """Data that is not made of mappings, lists, texts, whole numbers, booleans and None."""


def dumps(data: Mapping[str, object]) -> str:
    """The data in block style, with a newline at its end; keys keep their order.

    >>> print(dumps({"spec": {"parameters": {"jit": "off"}, "instances": 3}}), end="")
    spec:
      parameters:
        jit: "off"
      instances: 3
    """
    return "".join(f"{line}\n" for line in _mapping(data, "")) if data else "{}\n"


def _mapping(data: Mapping[str, object], indent: str) -> Iterator[str]:
    for key, value in data.items():
        yield from _entry(f"{indent}{_key(key)}:", value, indent + _INDENT)


def _entry(head: str, value: object, indent: str) -> Iterator[str]:
    """A value behind `key:` or `-`; a block below, if it has parts."""
    if _is_mapping(value):
        yield head if value else f"{head} {{}}"
        yield from _mapping(_texts(value), indent)
    elif _is_list(value):
        yield head if value else f"{head} []"
        for entry in value:
            yield from _item(entry, indent)
    else:
        yield f"{head} {_scalar(value)}"


def _is_mapping(value: object) -> TypeGuard[Mapping[object, object]]:
    return isinstance(value, Mapping)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple)


def _item(value: object, indent: str) -> Iterator[str]:
    """An item of a list; the first key of a mapping is on the line of the dash."""
    if _is_mapping(value) and value:
        first, *rest = _mapping(_texts(value), indent + _INDENT)
        yield f"{indent}- {first.lstrip()}"
        yield from rest
    else:
        yield from _entry(f"{indent}-", value, indent + _INDENT)


def _texts(value: Mapping[object, object]) -> Mapping[str, object]:
    texts = {key: value for key, value in value.items() if isinstance(key, str)}
    if len(texts) < len(value):
        raise NotYamlError("a key of YAML is a text here")
    return texts


def _key(key: str) -> str:
    shown = key if _BARE_KEY.fullmatch(key) and key.lower() not in _WORDS else _quoted(key)
    if len(shown) > _LONGEST_KEY:
        raise NotYamlError(f"a key of YAML has at most {_LONGEST_KEY} characters")
    return shown


def _scalar(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return _quoted(value)
        case Tagged(tag=tag, text=text):
            return f"{tag} {_quoted(text)}"
        case _:
            raise NotYamlError(f"YAML is not written of {type(value).__name__}")


def _quoted(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotYamlError("a text that is not valid Unicode cannot be written as YAML") from error
    return "".join(map(_escaped, text)).join(('"', '"'))


def _escaped(character: str) -> str:
    """A character beyond 16 bits is one escape in YAML, two halves in JSON; DEL may not stand in YAML."""
    if character > _LAST_OF_16_BITS or character == _DELETE:
        return f"\\U{ord(character):08X}"
    return json.dumps(character)[1:-1]

"""Writes YAML that every reader understands alike, whatever texts it contains.

Keys and texts are quoted as in JSON, which is valid YAML 1.2 and, in ASCII, means the same in YAML 1.1.
A text that Ansible must not take for a template is tagged `!unsafe`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Unsafe:
    """A text from a host, which must never be used as a template."""

    text: str


Yaml: TypeAlias = "Mapping[str, Yaml] | Sequence[Yaml] | Unsafe | int"


def yaml_text(document: Mapping[str, Yaml], about: str) -> str:
    """The whole file.

    Args:
        document: Its data.
        about: A comment of one line, for whoever opens it.
    """
    return "".join(f"{line}\n" for line in ("---", f"# {about}", *_keys(document, "")))


def _keys(table: Mapping[str, Yaml], indent: str) -> Iterator[str]:
    for key, value in table.items():
        yield from _entry(f"{indent}{_quoted(key)}:", value, f"{indent}  ")


def _entry(begin: str, value: Yaml, indent: str) -> Iterator[str]:
    match value:
        case Unsafe(text):
            yield f"{begin} !unsafe {_quoted(text)}"
        case int():
            yield f"{begin} {value}"
        case Mapping() if value:
            yield begin
            yield from _keys(value, indent)
        case Mapping():
            yield f"{begin} {{}}"
        case _ if value:
            yield begin
            for each in value:
                yield from _entry(f"{indent}-", each, f"{indent}  ")
        case _:
            yield f"{begin} []"


def _quoted(text: str) -> str:
    """In ASCII; a character beyond 16 bits is one escape in YAML, not two halves."""
    quoted = json.dumps(text)
    if text.isascii():
        return quoted.replace("\x7f", "\\u007f")
    return '"' + "".join(_escaped(each) for each in text) + '"'


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\U{code:08x}" if code > _LAST_ASCII else json.dumps(character)[1:-1]


_LAST_ASCII = 0x7E

r"""What the lines of one configuration file say, token by token as the server's own scanner has them.

A line is empty, a comment, or a name and a value with an optional `=` between them. Values are words,
numbers with an optional unit, or single-quoted strings with doubled quotes and backslash escapes
(documentation, "Parameter Interaction via the Configuration File"; the scanner is guc-file.l in its source).
The file is taken as bytes: any byte above 127 is a letter to the server, whatever the encoding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["name", "qualified", "string", "word", "number", "equals", "wrong"]

_LETTER = r"[A-Za-z_\x80-\xff]"
_LATER = r"[A-Za-z_0-9\x80-\xff]"
_NAME = re.compile(rf"{_LETTER}{_LATER}*")
_QUALIFIED = re.compile(rf"{_LETTER}{_LATER}*\.{_LETTER}{_LATER}*")
_BLANKS = re.compile(r"[ \t\r]*(?:#.*)?")
_WORD = re.compile(rf"{_LETTER}(?:{_LATER}|[-._:/])*")
_STRING = re.compile(r"'(?:[^'\\\n\0]|\\[^\n\0]|'')*'")
_INTEGER = re.compile(r"[-+]?(?:0x[0-9a-fA-F]+|[0-9]+)[a-zA-Z]*")
_REAL = re.compile(r"[-+]?[0-9]*\.[0-9]*(?:[Ee][-+]?[0-9]+)?")
_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)|''", re.DOTALL)
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

MAX_ERRORS = 100
"""Syntax errors after which the server gives up on a file (guc-file.l)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AssignmentLine:
    """A line that assigns a value to a name."""

    line: int
    name: str
    """In lower case: names are compared without case."""
    value: str
    """Unquoted; bytes that are not UTF-8 become surrogates (PEP 383), so that a path can be opened."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Broken:
    """A line that the server calls a syntax error."""

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Kind
    text: str


_VALUES: frozenset[Kind] = frozenset({"name", "string", "word", "number"})


def parse(content: bytes) -> Iterator[AssignmentLine | Broken]:
    """The lines of a file that say something, in their order; ends early where the server would."""
    errors = 0
    for number, line in enumerate(content.decode("latin-1").split("\n"), start=1):
        statement = _statement(number, _tokens(line))
        if statement is None:
            continue
        yield statement
        errors += isinstance(statement, Broken)
        if errors == MAX_ERRORS:
            yield Broken(line=number, what="too many syntax errors, the rest of the file is not read")
            return


def _tokens(line: str) -> Iterator[_Token]:
    at = 0
    while True:
        blanks = _BLANKS.match(line, at)
        at = blanks.end() if blanks else at
        if at >= len(line):
            return
        token = _token(line, at)
        yield token
        at += len(token.text)


def _token(line: str, at: int) -> _Token:
    """The longest token that starts here."""
    if line[at] == "=":
        return _Token("equals", "=")
    if string := _STRING.match(line, at):
        return _Token("string", string[0])
    if word := _WORD.match(line, at):
        return _Token(_kind_of_word(word[0]), word[0])
    numbers = [matched[0] for form in (_INTEGER, _REAL) if (matched := form.match(line, at))]
    if numbers:
        return _Token("number", max(numbers, key=len))
    return _Token("wrong", line[at])


def _kind_of_word(text: str) -> Kind:
    if _NAME.fullmatch(text):
        return "name"
    return "qualified" if _QUALIFIED.fullmatch(text) else "word"


def _statement(number: int, tokens: Iterator[_Token]) -> AssignmentLine | Broken | None:
    """What a line's tokens mean, no further than to the first that is wrong; None where there are none."""
    name = next(tokens, None)
    if name is None:
        return None
    if name.kind not in {"name", "qualified"}:
        return _broken(number, name)
    value = next(tokens, None)
    if value is not None and value.kind == "equals":
        value = next(tokens, None)
    if value is None or value.kind not in _VALUES:
        return _broken(number, value)
    if (more := next(tokens, None)) is not None:
        return _broken(number, more)
    return AssignmentLine(line=number, name=_ascii_lower(_text(name.text)), value=_value(value))


def _broken(number: int, token: _Token | None) -> Broken:
    near = f'near token "{_text(token.text)}"' if token else "near end of line"
    return Broken(line=number, what=f"syntax error {near}")


def _value(token: _Token) -> str:
    return _text(_unquoted(token.text) if token.kind == "string" else token.text)


def _unquoted(text: str) -> str:
    """The content of a string literal; a NUL made by an escape ends it, as in the server's C."""
    return _ESCAPE.sub(_unescaped, text[1:-1]).partition("\0")[0]


def _unescaped(matched: re.Match[str]) -> str:
    escaped: str | None = matched[1]
    if escaped is None:
        return "'"
    if escaped[0] in "01234567":
        return chr(int(escaped, 8) & 0xFF)
    return _CONTROLS.get(escaped, escaped)


def _text(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", errors="surrogateescape")


def _ascii_lower(name: str) -> str:
    """The server folds ASCII letters only."""
    return "".join(chr(ord(letter) + 32) if "A" <= letter <= "Z" else letter for letter in name)

"""Texts as literals of Terraform's language, whatever is in them."""

from __future__ import annotations

import re

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TEMPLATE = re.compile(r"[$%](?=\{)")
"""`${` and `%{` begin an expression, a sign written by its number does not: escapes are read after those."""
_LAST_OF_BMP = 0xFFFF


def hcl_string(text: str) -> str:
    r"""A quoted literal, in ASCII, that stands for exactly this text.

    >>> print(hcl_string('a "b" ${c}'))
    "a \"b\" \u0024{c}"
    """
    return '"' + _TEMPLATE.sub(_numbered, "".join(map(_escaped, text))) + '"'


def _numbered(sign: re.Match[str]) -> str:
    return f"\\u{ord(sign[0]):04x}"


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isascii() and character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= _LAST_OF_BMP else f"\\U{code:08x}"


def comment(text: str) -> str:
    """One line of a comment: nothing in it ends the line or is not ASCII."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return f"# {shown.encode('ascii', 'backslashreplace').decode('ascii')}".rstrip()

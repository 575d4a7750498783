"""Names of a database's own things in SQL and in psql's commands, whatever they hold.

A line end in a name would end a comment, so whatever cannot be printed is written as an escape (manual,
"Identifiers and Key Words": `U&"..."`).
"""

from __future__ import annotations

import re

_BEYOND_FOUR_DIGITS = 0x10000
_PLAIN_DATABASE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*", re.ASCII)


def identifier(name: str) -> str:
    r"""A quoted identifier, on one line.

    >>> print(identifier('a"b'), identifier("a\nb"))
    "a""b" U&"a\000Ab"
    """
    doubled = name.replace('"', '""')
    if name.isprintable():
        return f'"{doubled}"'
    escaped = (text if text.isprintable() and text != "\\" else _escape(text) for text in doubled)
    return f'U&"{"".join(escaped)}"'


def qualified(schema: str, name: str) -> str:
    """A table or an index with its schema."""
    return f"{identifier(schema)}.{identifier(name)}"


def literal(text: str) -> str:
    r"""A quoted literal, on one line; the server must have standard_conforming_strings on, the default.

    >>> print(literal("it's"), literal("a\nb"))
    'it''s' U&'a\000Ab'
    """
    doubled = text.replace("'", "''")
    if text.isprintable():
        return f"'{doubled}'"
    escaped = (text if text.isprintable() and text != "\\" else _escape(text) for text in doubled)
    return f"U&'{''.join(escaped)}'"


def connect_command(database: str) -> str:
    r"""Psql's command that goes on in another database of the same server.

    >>> print(connect_command("shop"), connect_command("a b"))
    \connect shop \connect -reuse-previous=on '\042dbname\075\047a\040b\047\042'
    """
    if _PLAIN_DATABASE.fullmatch(database):
        return f"\\connect {database}"
    # Three read it: libpq the value in single quotes, psql the double quotes, and before them octal digits.
    for_libpq = database.replace("\\", "\\\\").replace("'", "\\'")
    for_psql = f"dbname='{for_libpq}'".replace('"', '""')
    return f"\\connect -reuse-previous=on '{_octal(f'{chr(34)}{for_psql}{chr(34)}')}'"


def shown(text: str) -> str:
    r"""Text for a comment: on one line, with every character that cannot be printed spelt out.

    >>> print(shown("a\nb"))
    a\nb
    """
    return "".join(text if text.isprintable() else _spelt(text) for text in text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\{code:04X}" if code < _BEYOND_FOUR_DIGITS else f"\\+{code:06X}"


def _octal(text: str) -> str:
    raw = text.encode("utf-8", "surrogateescape")
    return "".join(
        chr(number) if chr(number).isascii() and chr(number).isalnum() else f"\\{number:03o}"
        for number in raw
    )


def _spelt(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")

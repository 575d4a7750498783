"""Escapes text for Markdown: a host name, a path or a note is shown, never interpreted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_STEERS = re.compile(r"[\\`*|\[\]~<>&]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])|(?<=[0-9])_(?=_)")
_TICKS = re.compile(r"`+")


def visible(text: str) -> str:
    r"""On one line, with every character that could steer a terminal or turn the text around spelt out.

    >>> print(visible("a\x1b[2Jb"))
    a\x1b[2Jb
    """
    shown = (each if each.isprintable() else _spelt(each) for each in text)
    return "".join(shown)


def _spelt(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def prose(text: str) -> str:
    r"""Text between other text.

    >>> print(prose("shared_buffers <b>*16GB*"))
    shared_buffers \<b\>\*16GB\*
    """
    return _STEERS.sub(r"\\\g<0>", visible(text))


def code(text: str) -> str:
    """Text as it is typed; safe in a table, too."""
    shown = visible(text).replace("|", "\\|") or " "
    longest = max((len(ticks) for ticks in _TICKS.findall(shown)), default=0)
    fence = "`" * (longest + 1)
    space = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{space}{shown}{space}{fence}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a table; the cells are Markdown already."""
    rule = ["---"] * len(head)
    return [f"| {' | '.join(row)} |" for row in (head, rule, *rows)]


def bullets(items: Iterable[str]) -> list[str]:
    """Lines of a list; the items are Markdown already."""
    return [f"- {item}" for item in items]

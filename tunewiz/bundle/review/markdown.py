"""A review as Markdown: a host name, a path or a note is shown, never interpreted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from tunewiz.bundle.review.blocks import (
    Block,
    Bullets,
    CodeText,
    EffectPicture,
    Heading,
    Line,
    MemoryPicture,
    Numbered,
    PageEnd,
    Paragraph,
    PlainText,
    ProofPicture,
    Span,
    Strong,
    TableBlock,
)

_STEERS = re.compile(r"[\\`*|\[\]~<>&]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])|(?<=[0-9])_(?=_)")
_TICKS = re.compile(r"`+")


def visible(text: str) -> str:
    r"""On one line, with every character that could steer a terminal or turn the text around spelt out.

    >>> print(visible("a\x1b[2Jb"))
    a\x1b[2Jb
    """
    shown = (text if text.isprintable() else _spelt(text) for text in text)
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


def markdown(blocks: Iterable[Block]) -> str:
    """The whole page; a blank line between blocks, a newline at its end."""
    shown = (lines for block in blocks if (lines := _block(block)))
    return "\n\n".join("\n".join(lines) for lines in shown) + "\n"


def _block(block: Block) -> list[str]:
    match block:
        case Heading(level=level, words=words):
            lines = [f"{'#' * level} {_line(words)}"]
        case Paragraph(sentences):
            lines = [_line(sentence) for sentence in sentences]
        case Bullets(items):
            lines = bullets(map(_line, items))
        case Numbered(items):
            lines = [f"{number}. {_line(item)}" for number, item in enumerate(items, start=1)]
        case TableBlock(head, rows):
            lines = table(head, (tuple(map(_line, row)) for row in rows))
        case ProofPicture(file=file):
            lines = [f"![The same as a picture]({file})"]
        case MemoryPicture() | EffectPicture() | PageEnd():
            lines = []
        case _:
            assert_never(block)
    return lines


def _line(spans: Line) -> str:
    return "".join(map(_span, spans))


def _span(span: Span) -> str:
    match span:
        case PlainText(text):
            return prose(text)
        case CodeText(text):
            return code(text)
        case Strong(text):
            return f"**{prose(text)}**"
        case _:
            assert_never(span)

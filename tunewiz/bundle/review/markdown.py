"""A review as Markdown: a host name, a path or a note is shown, never interpreted."""

from __future__ import annotations

import re
import unicodedata
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
_BETWEEN = " | "
_RULE = 3
"""Dashes below the head of a column, at least: with fewer, some readers of Markdown see no table."""
BELOW = "(below)"
"""Stands in a column for a cell that is too wide for it."""
MOST = 0.8
"""Part of its cells that must fit for a column to stand beside the others."""
TERMINAL = 80
"""Columns of a terminal on which nothing of a table wraps."""


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
    """Lines of a table, its bars below each other; the cells are Markdown already.

    A terminal wraps what is wider than it is: the columns that fit stand side by side, the cells of the
    others follow in a list, with their names, and so does a single cell that is too wide for its column.
    """
    body = [tuple(row) for row in rows]
    widths = _widths(head, body)
    rule = ["-" * width for width in widths]
    shown = [_padded(row, widths) for row in (head, rule, *body)]
    rest = [listed for row in body if (listed := _rest(head, row, widths))]
    return [*shown, *(["", *rest] if rest else [])]


def cells_of(text: str) -> int:
    """How many cells of a terminal printable text takes."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _widths(head: Sequence[str], body: Sequence[Sequence[str]]) -> Sequence[int]:
    """Of the columns that stand side by side: at least those that name a row."""
    names = 1 if head[0] else 2
    widths: list[int] = []
    room = TERMINAL - 1
    for title, *cells in zip(head, *body, strict=True):
        room -= len(_BETWEEN)
        least = max(_RULE, cells_of(title))
        wanted = sorted(max(least, cells_of(cell)) for cell in cells) or [least]
        fitting = [width for width in wanted if width <= room]
        if len(widths) < names or len(fitting) == len(wanted):
            widths.append(wanted[-1])
        elif room >= cells_of(BELOW) and len(fitting) >= MOST * len(wanted):
            widths.append(max(fitting[-1], cells_of(BELOW)))
        else:
            break
        room -= widths[-1]
    return widths


def _padded(row: Sequence[str], widths: Sequence[int]) -> str:
    fitting = (cell if cells_of(cell) <= width else BELOW for cell, width in zip(row, widths, strict=False))
    cells = (cell + " " * (width - cells_of(cell)) for cell, width in zip(fitting, widths, strict=False))
    return f"| {' | '.join(cells)} |"


def _rest(head: Sequence[str], row: Sequence[str], widths: Sequence[int]) -> str:
    """The cells of a row that had no room in a column, behind what names the row; empty if all had."""
    room = (*widths, *[0] * (len(head) - len(widths)))
    cells = zip(head, row, room, strict=True)
    named = [(title, cell) for title, cell, width in cells if cells_of(cell) > width]
    if not named:
        return ""
    mark, name = ("-", row[0]) if head[0] else (f"{row[0]}.", row[1])
    return f"{mark} {name}: {'; '.join(f'{title}: {cell}' if title else cell for title, cell in named)}"


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

"""A bundle's review to be read in a terminal: the same words as in REVIEW.md, without its marks.

The pictures are left out: the text beside each says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from rich.text import Text

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
from tunewiz.core.words.harmless import harmless

BULLET = "- \t"


def review_rows(blocks: Iterable[Block]) -> tuple[Text, ...]:
    """The whole document, an empty row between its blocks."""
    return tuple(_rows(blocks))


def _rows(blocks: Iterable[Block]) -> Iterator[Text]:
    is_first = True
    for block in blocks:
        rows = tuple(_block(block))
        if rows and not is_first:
            yield Text()
        is_first = is_first and not rows
        yield from rows


def _block(block: Block) -> Iterator[Text]:
    match block:
        case Heading(level=level, words=words):
            yield Text(_plain(words), style="bold" if level > 1 else "bold underline")
        case Paragraph(sentences):
            yield from map(_line, sentences)
        case Bullets(items):
            yield from (Text.assemble(BULLET, _line(item)) for item in items)
        case Numbered(items):
            yield from (Text.assemble(f"{at}. \t", _line(item)) for at, item in enumerate(items, start=1))
        case TableBlock(head, rows):
            yield from (_record(head, row) for row in rows)
        case MemoryPicture() | EffectPicture() | ProofPicture() | PageEnd():
            return
        case _:
            assert_never(block)


def _record(head: tuple[str, ...], row: tuple[Line, ...]) -> Text:
    """A row of a table as a paragraph: wide tables don't fit a terminal.

    What has no head stands before it, what comes first needs none, and each other cell is named.
    """
    label = " ".join(_plain(cell) for name, cell in zip(head, row, strict=True) if not name)
    named = [(name, cell) for name, cell in zip(head, row, strict=True) if name and cell]
    body = Text("; ").join(_cell(at, name, cell) for at, (name, cell) in enumerate(named))
    return Text.assemble(f"{label:>2} \t" if label else BULLET, body)


def _cell(at: int, name: str, cell: Line) -> Text:
    if at:
        return Text.assemble((f"{name}: ", "dim"), _line(cell))
    return Text(_plain(cell), style="bold")


def _line(spans: Line) -> Text:
    return Text.assemble(*map(_span, spans))


def _span(span: Span) -> Text:
    match span:
        case PlainText(text) | CodeText(text):
            return Text(harmless(text))
        case Strong(text):
            return Text(harmless(text), style="bold")
        case _:
            assert_never(span)


def _plain(spans: Line) -> str:
    return _line(spans).plain

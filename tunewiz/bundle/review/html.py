"""A review as one HTML file: no script, nothing from outside, black on white, made to be printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
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
from tunewiz.bundle.review.markdown import visible
from tunewiz.bundle.review.pictures import effects_in_bars, memory_in_bars
from tunewiz.bundle.review.proof_pictures import proof_svg

STYLE = """
@page { size: A4; margin: 9mm 10mm; }
body { background: #fff; color: #000; font: 10.5pt/1.35 sans-serif; }
body { margin: 2em auto; max-width: 62em; padding: 0 1em; }
h1 { font-size: 16pt; } h2 { font-size: 12.5pt; } h3 { font-size: 10.5pt; }
h1, h2, h3 { break-after: avoid; margin: 1em 0 0.3em; }
p, ul, ol, table, pre, svg { margin: 0.3em 0 0.7em; }
table { border-collapse: collapse; width: 100%; font-size: 9pt; }
th, td { border: 1px solid #777; padding: 0.15em 0.4em; text-align: left; vertical-align: top; }
thead { display: table-header-group; }
tr, li, svg { break-inside: avoid; }
code { font-family: monospace; font-size: 0.9em; overflow-wrap: break-word; }
svg { display: block; max-width: 100%; height: auto; }
.page-end { break-after: page; border: 0; border-top: 1px solid #777; }
@media print {
  body { margin: 0; max-width: none; padding: 0; font-size: 8pt; line-height: 1.2; }
  table { font-size: 7pt; line-height: 1.1; }
  th, td { padding: 0.05em 0.3em; }
  ul { padding-left: 1.4em; }
  h1 { font-size: 13pt; } h2 { font-size: 10.5pt; } h3 { font-size: 8.5pt; }
  h1, h2, h3 { margin: 0.6em 0 0.2em; }
  .page-end { visibility: hidden; margin: 0; }
}
"""
BREAK = "<br>\n"


def html(title: str, blocks: Iterable[Block]) -> str:
    """The whole file; it ends with a newline."""
    head = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{_text(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
    )
    body = (part for block in blocks for part in _block(block))
    return "\n".join((*head, *body, "</body>", "</html>")) + "\n"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading(level=level, words=words):
            yield f"<h{level}>{_line(words)}</h{level}>"
        case Paragraph(lines):
            yield f"<p>{BREAK.join(map(_line, lines))}</p>"
        case Bullets(items):
            yield from _list("ul", items)
        case Numbered(items):
            yield from _list("ol", items)
        case TableBlock(head, rows):
            yield from _table(head, rows)
        case MemoryPicture(before=before, after=after):
            yield memory_in_bars(before, after)
        case EffectPicture(bars):
            yield effects_in_bars(bars)
        case ProofPicture(proof=proof):
            yield proof_svg(proof)
        case PageEnd():
            yield '<hr class="page-end">'
        case _:
            assert_never(block)


def _list(tag: str, items: Iterable[Line]) -> Iterator[str]:
    yield f"<{tag}>"
    yield from (f"<li>{_line(item)}</li>" for item in items)
    yield f"</{tag}>"


def _table(head: Iterable[str], rows: Iterable[Iterable[Line]]) -> Iterator[str]:
    yield from ("<table>", "<thead>", _row("th", map(_text, head)), "</thead>", "<tbody>")
    yield from (_row("td", map(_line, row)) for row in rows)
    yield from ("</tbody>", "</table>")


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def _line(spans: Line) -> str:
    return "".join(map(_span, spans))


def _span(span: Span) -> str:
    match span:
        case PlainText(text):
            return _text(text)
        case CodeText(text):
            return f"<code>{_text(text)}</code>"
        case Strong(text):
            return f"<strong>{_text(text)}</strong>"
        case _:
            assert_never(span)


def _text(text: str) -> str:
    return escape(visible(text))

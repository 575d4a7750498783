"""REVIEW.md to be read in a terminal: the same words without its marks, its tables as columns.

It reads the few marks that `bundle/review/markdown.py` writes, not Markdown at large.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby

from rich.text import Text

from tunewiz.bundle.review.blocks import Block
from tunewiz.bundle.review.markdown import markdown
from tunewiz.core.words.harmless import harmless
from tunewiz.text.wrapping import hanging, wrapped

_SPAN = re.compile(
    r"(?P<fence>(?<!`)`+(?!`))(?P<code>.+?)(?<!`)(?P=fence)(?!`)"
    r"|\*\*(?P<strong>(?:\\.|[^\\*])+)\*\*"
    r"|\\(?P<escaped>.)"
    r"|(?P<plain>[^`*\\]+|.)"
)
_ITEM = re.compile(r"(?P<mark>-|\d+\.) (?P<words>.*)")
_HEADING = re.compile(r"(?P<level>#+) (?P<words>.*)")
_BAR = re.compile(r"(?<!\\)\|")
_PICTURE = re.compile(r"!\[.*\]\(.*\)")
_GAP = "  "


def review_in_terminal(blocks: Iterable[Block], width: int) -> tuple[Text, ...]:
    """The page that REVIEW.md will be."""
    return review_page(markdown(blocks), width)


def review_page(text: str, width: int) -> tuple[Text, ...]:
    """The rows of the page."""
    return tuple(_rows(text.splitlines(), width))


def _rows(lines: Sequence[str], width: int) -> Iterator[Text]:
    for is_table, group in groupby(lines, key=lambda line: line.startswith("| ")):
        if is_table:
            yield from _table(tuple(group), width)
        else:
            for line in group:
                yield from _of_line(line, width)


def _of_line(line: str, width: int) -> Iterator[Text]:
    if _PICTURE.fullmatch(line):
        return
    if heading := _HEADING.fullmatch(line):
        style = "bold underline" if heading["level"] == "#" else "bold"
        yield from wrapped(Text(_words(heading["words"]).plain, style=style), width)
    elif item := _ITEM.fullmatch(line):
        yield from hanging(Text.assemble(f"{item['mark']} \t", _words(item["words"])), width)
    else:
        yield from wrapped(_words(line), width)


def _table(lines: Sequence[str], width: int) -> Iterator[Text]:
    """The first columns that fit side by side; the others follow, a paragraph for each row."""
    head, _rule, *rows = (_cells(line) for line in lines)
    widths = [max(cell.cell_len for cell in column) for column in zip(head, *rows, strict=True)]
    fits = _columns_that_fit(head, widths, width)
    for at, row in enumerate((head, *rows)):
        joined = Text(_GAP).join(map(_padded, row[:fits], widths))
        joined.rstrip()
        joined.no_wrap = True
        if at == 0:
            joined.stylize("bold")
        yield joined
    if fits < len(head):
        yield Text()
        for row in rows:
            yield from hanging(_rest(head, row, fits), width)


def _columns_that_fit(head: Sequence[Text], widths: Sequence[int], width: int) -> int:
    """At least those that name a row."""
    ends = accumulate(column + len(_GAP) for column in widths)
    fits = sum(1 for end in ends if end - len(_GAP) <= width)
    return max(fits, 1 if head[0].plain else 2)


def _rest(head: Sequence[Text], row: Sequence[Text], fits: int) -> Text:
    """The cells of a row that had no column, behind what names the row."""
    mark, name = ("- \t", row[0]) if head[0].plain else (f"{row[0].plain.strip()}. \t", row[1])
    named = [(title.plain, cell) for title, cell in zip(head[fits:], row[fits:], strict=True) if cell.plain]
    cells = (cell if len(named) == 1 else Text.assemble(f"{title}: ", cell) for title, cell in named)
    label = name.copy()
    label.rstrip()
    return Text.assemble(mark, label, ": ", Text("; ").join(cells))


def _padded(cell: Text, width: int) -> Text:
    padded = cell.copy()
    padded.pad_right(width - cell.cell_len)
    return padded


def _cells(line: str) -> list[Text]:
    """What stands between bars; one that belongs to a cell is escaped."""
    inner = line.removeprefix("| ").removesuffix("|")
    ends = [match.end() for match in _BAR.finditer(inner)]
    starts = [0, *ends]
    parts = [inner[start : end - 1] for start, end in zip(starts, ends, strict=False)]
    return [_words(part.strip()) for part in (*parts, inner[starts[-1] :])]


def _words(text: str) -> Text:
    """Without marks; bars are escaped in code too."""
    result = Text()
    for span in _SPAN.finditer(text):
        if span["code"] is not None:
            result.append(harmless(_unpadded(span["code"].replace("\\|", "|"))))
        elif span["strong"] is not None:
            result.append(_words(span["strong"]).plain, style="bold")
        else:
            result.append(harmless(span["escaped"] or span["plain"]))
    return result


def _unpadded(code: str) -> str:
    """Blanks stand between a fence and a tick of the text."""
    return code[1:-1] if code.startswith(" `") or code.endswith("` ") else code

"""What the cells of a terminal show, and the shortest output that changes a row.

Textual sends whole rows of whatever widget says that it changed; on a slow line each cell that was the same
before is lost time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias
from zlib import crc32

from rich.cells import get_character_cell_size
from rich.color import Color, ColorSystem
from rich.style import Style
from textual.strip import Strip

Cell: TypeAlias = tuple[str, str]
"""A character, and the escape sequences for its link and its style."""
Row: TypeAlias = list[Cell]

UNKNOWN: Cell = ("", "")
"""A cell with unknown content, left by an earlier program."""
BLANK: Cell = (" ", "")
SECOND_HALF: Cell = ("", "wide")
"""The second cell of a wide character."""
PLAIN = "\x1b[m"
UNSEEN = ("\x1b[1m", "\x1b[2m")
"""Bold and dim: they make no difference to blanks."""
LINK, LINK_ENDS = "\x1b]8;", "\x1b]8;;\x1b\\"
"""OSC 8: what follows is a link, until it comes with no address.

Its proposal: "Hyperlinks (a.k.a. HTML-like anchors) in terminal emulators", 2017.
"""
SAFE_ADDRESS = re.compile(r"https://[!-~]{1,500}")
"""What can neither end the sequence nor begin another."""
ERASE = "\x1b[K"
"""Erases to the end of the row."""
NEAR = 4
"""So few unchanged cells are as cheap to send again as to skip."""


@lru_cache(maxsize=512)
def _looks(style: Style | None, colors: ColorSystem, *, links: bool) -> tuple[str, str]:
    """The escape sequences before visible characters, and before blanks."""
    if style is None:
        return "", ""
    begins_link = _link(style.link or "") if links else ""
    named = Style(color=_named(style.color), bgcolor=_named(style.bgcolor))
    plain = style.without_color.update_link(None)
    looks = (plain + named).render("\0", color_system=colors).partition("\0")[0]
    is_seen = style.reverse or style.underline or style.strike or named.bgcolor
    return begins_link + looks, looks if is_seen else ""


def _link(address: str) -> str:
    """The sequence that begins a link. Its rows have one id: terminals then show them as one link."""
    if not SAFE_ADDRESS.fullmatch(address):
        return ""
    return f"{LINK}id={crc32(address.encode()):x};{address}\x1b\\"


def _named(color: Color | None) -> Color | None:
    """The color, or None for the terminal's default, which needs no sequence."""
    return None if color is None or color.is_default else color


def cells(strip: Strip, colors: ColorSystem, *, links: bool) -> Row:
    """The cells that a strip takes."""
    row: Row = []
    for text, style, _control in strip:
        of_letters, of_blanks = _looks(style, colors, links=links)
        shown = [(letter, of_blanks if letter == " " else of_letters) for letter in text]
        row += shown if text.isascii() else _with_halves(shown)
    return row


def _with_halves(row: Row) -> Iterator[Cell]:
    """With the second cells of wide characters."""
    for cell in row:
        yield cell
        if get_character_cell_size(cell[0]) > 1:
            yield SECOND_HALF


def move_to(x: int, y: int) -> str:
    """Moves the cursor to a cell, counted from 0."""
    return f"\x1b[{y + 1};{x + 1}H"


def repainted(y: int, old: Sequence[Cell], new: Sequence[Cell]) -> str:
    """The output that changes row `y` from old to new; empty if they are equal. Unknown cells stay."""
    if old == new:
        return ""
    if SECOND_HALF in new or SECOND_HALF in old:
        return _painted_whole(y, new)
    ways = [_changed(y, old, new)]
    if BLANK not in (new[-1], old[-1]):  # a scroll bar, with blanks before it
        ways.append(_changed(y, old, [*new[:-1], BLANK]) + move_to(len(new) - 1, y) + _written(new[-1:]))
    return min(ways, key=len)


def _changed(y: int, old: Sequence[Cell], new: Sequence[Cell]) -> str:
    end = len(new)
    while end and new[end - 1] == BLANK:
        end -= 1
    # Where new trailing blanks begin; a short rest is sent as it is.
    tail = next((x for x in range(end, len(new)) if old[x] != BLANK), len(new))
    erases = len(new) - tail > NEAR
    changed = [x for x in range(tail if erases else len(new)) if new[x] not in (old[x], UNKNOWN)]
    parts, at = list[str](), -1
    for first, after in _runs(changed):
        parts.append(_moved(y, at, first))
        parts.append(_written(new[first:after]))
        at = after
    if erases:
        parts.append(_moved(y, at, tail) + ERASE)
    return "".join(parts)


def _painted_whole(y: int, row: Sequence[Cell]) -> str:
    return move_to(0, y) + _written(row for row in row if row != SECOND_HALF)


def _runs(changed: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The runs of changed cells, as start and end; close runs are joined."""
    first = after = -1
    for x in changed:
        if first < 0:
            first = x
        elif x - after > NEAR:
            yield first, after
            first = x
        after = x + 1
    if first >= 0:
        yield first, after


def _moved(y: int, at: int, to: int) -> str:
    if at < 0:
        return move_to(to, y)
    return "" if at == to else f"\x1b[{to - at}C"


def _written(row: Iterable[Cell]) -> str:
    parts, before = list[str](), ""
    for (letters, looks), group in groupby(row, key=lambda cell: (cell != BLANK, cell[1])):
        if letters or before not in UNSEEN:
            parts.append(_change(before, looks))
            before = looks
        parts.extend(letter for letter, _ in group)
    return "".join((*parts, _change(before, "")))


def _change(before: str, looks: str) -> str:
    """The sequences from one link and style to another; each style names everything that is on."""
    if before == looks:
        return ""
    (old_link, old_style), (link, style) = _parted(before), _parted(looks)
    changed_link = "" if link == old_link else link or LINK_ENDS
    if not old_style or old_style == style:
        return changed_link + ("" if style == old_style else style)
    return changed_link + (style.replace("\x1b[", "\x1b[0;", 1) or PLAIN)


def _parted(looks: str) -> tuple[str, str]:
    """The sequence of the link and that of the style."""
    if not looks.startswith(LINK):
        return "", looks
    link, end, style = looks.partition("\x1b\\")
    return link + end, style

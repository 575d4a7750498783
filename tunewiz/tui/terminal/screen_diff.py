"""Sends of what Textual paints only what the terminal does not show already.

Textual paints a screen that comes to the top twice, with all it has in common with the one before, and each
widget that scrolls, whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from rich.color import ColorSystem
from rich.console import Console
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip

from tunewiz.tui.terminal.cells import UNKNOWN, Row, cells, repainted
from tunewiz.tui.terminal.scroll import Scrolled, scrolled

MUCH = 300
"""Bytes from which on it is worth a look whether something was scrolled."""
Patch: TypeAlias = tuple[int, int, Iterable[Strip]]
"""Row, cell, and what is painted from there on."""


class Sent(CompositorUpdate):
    """Text that is ready for the terminal."""

    def __init__(self, text: str) -> None:
        self._text = text

    def render_segments(self, console: Console) -> str:
        """As it is."""
        del console
        return self._text

    def __rich__(self) -> str:
        """The same for Rich, which is never asked: Textual's own updates can be shown by it too."""
        return self._text


class Shown:
    """What each cell of the terminal shows, where that is known for certain."""

    def __init__(self, colors: ColorSystem) -> None:
        self._colors = colors
        self._rows: dict[int, Row] = {}

    def forget(self) -> None:
        """Something else may have been drawn: what is painted next is sent whole."""
        self._rows = {}

    def lean(self, update: LayoutUpdate | ChopsUpdate, width: int) -> Sent:
        """What of an update is not shown yet."""
        painted = self._painted(update, width)
        blank = [UNKNOWN] * width
        old = {y: row for y, row in self._rows.items() if len(row) == width}
        best = _repainted({y: old.get(y, blank) for y in painted}, painted)
        if len(best) > MUCH:
            best = min((best, *(_then(each, painted) for each in scrolled(old, painted))), key=len)
        self._rows = {**old, **painted}
        return Sent(best)

    def _painted(self, update: LayoutUpdate | ChopsUpdate, width: int) -> dict[int, Row]:
        rows = dict[int, Row]()
        for y, x, strips in patches(update):
            row = rows.setdefault(y, list(self._rows.get(y, [UNKNOWN] * width)))
            new = [cell for strip in strips for cell in cells(strip, self._colors)]
            row[x : x + len(new)] = new
        return {y: row[:width] for y, row in rows.items()}


def _then(moved: Scrolled, painted: dict[int, Row]) -> str:
    wanted = {**moved.shows, **painted}
    return moved.sent + _repainted(moved.shows, wanted)


def _repainted(old: Mapping[int, Row], new: Mapping[int, Row]) -> str:
    return "".join(repainted(y, old[y], row) for y, row in new.items())


def patches(update: LayoutUpdate | ChopsUpdate) -> Iterator[Patch]:
    """An update as Textual would paint it."""
    match update:
        case LayoutUpdate():
            for y, strips in enumerate(update.strips, update.region.y):
                yield y, update.region.x, strips
        case ChopsUpdate():
            for y, first, after in update.spans:
                for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
                    if strip is not None and x <= after and end > first:
                        yield y, x, [strip.crop(0, min(end, after) - x)]

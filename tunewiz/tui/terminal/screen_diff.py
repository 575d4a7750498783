"""Sends only those parts of Textual's output that the terminal does not already show.

Textual paints a new top screen twice, including what it shares with the previous one, and each
scrolling widget in full.
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
"""From this many bytes on, it is worth checking whether something was scrolled."""
Patch: TypeAlias = tuple[int, int, Iterable[Strip]]
"""Row, cell, and the strip painted from there."""


class Sent(CompositorUpdate):
    """An update that is already rendered."""

    def __init__(self, text: str) -> None:
        self._text = text

    def render_segments(self, console: Console) -> str:
        """The text as it is."""
        del console
        return self._text

    def __rich__(self) -> str:
        """The same for Rich, which never uses it: Textual's own updates have this method too."""
        return self._text


class TerminalContents:
    """What each cell of the terminal shows, as far as that is certain."""

    def __init__(self, colors: ColorSystem, *, links: bool) -> None:
        self._colors = colors
        self._links = links
        self._rows: dict[int, Row] = {}

    def forget(self) -> None:
        """Forget everything, since something else may have been drawn: the next update is sent in full."""
        self._rows = {}

    def lean(self, update: LayoutUpdate | ChopsUpdate, width: int) -> Sent:
        """The part of an update that is not yet shown."""
        painted = self._painted(update, width)
        blank = [UNKNOWN] * width
        old = {y: row for y, row in self._rows.items() if len(row) == width}
        best = _repainted({y: old.get(y, blank) for y in painted}, painted)
        if len(best) > MUCH:
            best = min((best, *(_then(scroll, painted) for scroll in scrolled(old, painted))), key=len)
        self._rows = {**old, **painted}
        return Sent(best)

    def _painted(self, update: LayoutUpdate | ChopsUpdate, width: int) -> dict[int, Row]:
        rows = dict[int, Row]()
        for y, x, strips in patches(update):
            row = rows.setdefault(y, list(self._rows.get(y, [UNKNOWN] * width)))
            new: Row = []
            for strip in strips:
                new += cells(strip, self._colors, links=self._links)
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

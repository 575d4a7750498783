"""How the list of recommendations and the explanation of one share the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from textual.geometry import Size

USUAL = Size(80, 24)
WIDE = 120
"""From this many columns on, the explanation is beside the list instead of below it."""
NARROWEST_LIST = 80
WIDEST_LIST = 120
WIDEST_TEXT = 100
"""Longer lines are hard to read: the eye loses the next one."""
MARGIN = 3
"""Cells of the explanation beside the list that hold no text: a line, and a blank at each side."""

PANE = 6
SHORT, PANE_OF_SHORT = 20, 5
"""With fewer terminal rows, the list takes some of the pane's."""
TALL, PANE_OF_TALL = 34, 11
"""With at least this many terminal rows, the pane may have more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Cells of each part."""

    list: int
    """Columns of the list."""
    beside: int
    """Columns of the explanation beside it; 0 where it is below."""
    pane: int
    """Rows below the list: the explanation, or the memory bar alone."""

    @property
    def is_wide(self) -> bool:
        """Whether the explanation is beside the list."""
        return self.beside > 0

    @classmethod
    def of(cls, terminal: Size) -> Layout:
        """For a terminal of that size."""
        width, rows = terminal
        if width < WIDE:
            pane = PANE_OF_SHORT if rows < SHORT else PANE_OF_TALL if rows >= TALL else PANE
            return cls(list=width, beside=0, pane=pane)
        spare = (width - WIDE) // 4  # a quarter of what is wider goes to the list, the rest to the text
        beside = min(WIDEST_TEXT + MARGIN, width - NARROWEST_LIST - spare)
        return cls(list=min(WIDEST_LIST, width - beside), beside=beside, pane=1)

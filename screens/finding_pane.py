"""What is told of the finding under the cursor: below the list, or beside it where there is room."""

from __future__ import annotations

from rich.text import Text
from textual.geometry import Size

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.record import dataclass
from tunewiz.screens.page import WIDEST
from tunewiz.screens.widgets.lines import Lines
from tunewiz.text.finding_beside import beside
from tunewiz.text.finding_detail import in_short
from tunewiz.text.memory_bar import memory_line

PANE = 6
SHORT, PANE_OF_SHORT = 20, 5
"""With fewer terminal rows, the list takes some of the pane's."""
PANE_OF_FOLDED = 1
TALL, PANE_OF_TALL = 34, 11
"""With at least this many terminal rows, the pane may have more."""
WIDE = 120
"""From this many columns on, list and explanation stand side by side."""
HIGH = 24
"""Where there are at least so many rows: fewer do not hold both sides and the memory in a column."""
LIST = 79
"""Columns in which a row of the list is whole."""
AROUND = 7
"""Rows around list and pane: two at the top, a rule, up to three of message, the keys."""
SHARE = 4
"""One in so many of the terminal's cells may be text beside the list: an arrow key sends it anew."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Division:
    """How the page is divided between list and pane."""

    is_beside: bool
    list_width: int
    pane_width: int
    pane_height: int
    cells: int
    """That the pane's text may take."""


def division_of(terminal: Size, *, folded: bool = False) -> Division:
    """For a terminal of that many columns and rows; a folded pane keeps the memory alone."""
    columns, rows = terminal
    if folded or columns < WIDE or rows < HIGH:
        width = min(WIDEST, columns)
        height = PANE_OF_FOLDED if folded else pane_height(rows)
        return Division(is_beside=False, list_width=width, pane_width=width, pane_height=height, cells=0)
    list_width = min(WIDEST, LIST + (columns - WIDE) * 2 // 5)
    return Division(
        is_beside=True,
        list_width=list_width,
        pane_width=min(WIDEST, columns - list_width) - 1,
        pane_height=rows - AROUND,
        cells=columns * rows // SHARE,
    )


def pane_height(rows: int) -> int:
    """How many of the terminal's rows the pane gets below the list."""
    return PANE_OF_SHORT if rows < SHORT else PANE_OF_TALL if rows >= TALL else PANE


class FindingPane(Lines):
    """Below the list as much as fits in few rows; beside it more."""

    def __init__(self) -> None:
        super().__init__(id="pane")
        self._division = division_of(Size(0, 0))

    def divide(self, division: Division) -> None:
        """Take the place that it has on the page."""
        self._division = division
        self.styles.height = "100%" if division.is_beside else division.pane_height

    def tell(self, finding: Finding | None, plan: Plan) -> None:
        """Tell of the finding, or that there is none."""
        place = self._division
        if place.pane_height == PANE_OF_FOLDED:
            self.write(memory_line(plan.after, place.pane_width))
        elif finding is None:
            self.write("", Text(" Nothing here matches."))
        elif place.is_beside:
            self.write(
                *beside(finding, plan, width=place.pane_width, height=place.pane_height, cells=place.cells)
            )
        else:
            self.write(*in_short(finding, plan, place.pane_width, place.pane_height))

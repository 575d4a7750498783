"""Has the terminal move rows that it already shows, after a list or a text was scrolled.

With scroll margins set, a line feed at the lower one moves the rows between them up by one, as
terminals have done since the VT100: a list of twelve rows costs one row instead of twelve.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.core.values.record import dataclass
from tunewiz.tui.terminal.cells import BLANK, Row, move_to

FARTHEST = 4
"""How many rows a key moves a list by, including headings."""
WORTH = 3
"""How many rows must be found in another place."""
UP, DOWN, ALL = "\x1bD", "\x1bM", "\x1b[r"
"""A line feed, a reverse line feed, and the reset of the margins."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scrolled:
    """One scroll operation: what to send, and what the terminal then shows."""

    sent: str
    shows: Mapping[int, Row]


def scrolled(old: Mapping[int, Row], new: Mapping[int, Row]) -> Iterator[Scrolled]:
    """Each scroll operation that brings rows to where they are wanted."""
    for by in (step for size in range(1, FARTHEST + 1) for step in (size, -size)):
        first, after = _longest(old, new, by)
        top, bottom = min(first, first + by), max(after, after + by) - 1
        if after - first >= WORTH and all(y in old for y in range(top, bottom + 1)):
            yield _moved(old, top, bottom, by)
            # The rows that had and have the cursor are the same except for that.
            if {top - (by < 0), bottom + (by > 0)} <= old.keys():
                yield _moved(old, top - (by < 0), bottom + (by > 0), by)


def _longest(old: Mapping[int, Row], new: Mapping[int, Row], by: int) -> tuple[int, int]:
    """The longest run of rows that stood `by` rows lower before; the last cell is the scroll bar's."""
    best, first = (0, 0), -1
    for y in range(min(new), max(new) + 2):
        result = y in new and y + by in old and new[y][:-1] == old[y + by][:-1] and new[y] != old.get(y)
        if result and first < 0:
            first = y
        elif not result and first >= 0:
            best, first = max(best, (first, y), key=lambda run: run[1] - run[0]), -1
    return best


def _moved(old: Mapping[int, Row], top: int, bottom: int, by: int) -> Scrolled:
    edge, feed = (bottom, UP) if by > 0 else (top, DOWN)
    inside = range(top, bottom + 1)
    moved = {y: old[y + by] if y + by in inside else [BLANK] * len(old[top]) for y in inside}
    return Scrolled(
        sent=f"\x1b[{top + 1};{bottom + 1}r{move_to(0, edge)}{feed * abs(by)}{ALL}", shows={**old, **moved}
    )

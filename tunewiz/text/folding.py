"""A text whose sections are folded into one line of their titles until somebody asks for one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from tunewiz.text.reading import sections_of
from tunewiz.text.wrapping import hanging

UNFOLD = "o unfolds all"


def folded(texts: Sequence[Text], *, room: int = 0, width: int = 80) -> tuple[Text, ...]:
    """What stands before the first section, the sections that fit whole, and the titles of the others.

    Args:
        texts: The whole text.
        room: Rows that are in view.
        width: Cells of a row.
    """
    indexes = sections_of(texts)
    heights = [len(hanging(text, width)) for text in texts]
    if not indexes or sum(heights) <= room:
        return tuple(texts)
    lines = [_titles(texts, indexes[first:], width) for first in range(len(indexes))]
    fitting = (
        first
        for first in reversed(range(len(indexes)))
        if sum(heights[: indexes[first]]) + len(lines[first]) <= room
    )
    first = next(fitting, 0)
    return (*texts[: indexes[first]], *lines[first])


def _titles(texts: Sequence[Text], indexes: Sequence[int], width: int) -> Sequence[Text]:
    """As many whole titles in a row as fit."""
    rows: list[Text] = []
    for title in (*(Text(texts[index].plain, style="bold") for index in indexes), Text(UNFOLD, style="dim")):
        if rows and rows[-1].cell_len + 2 + title.cell_len <= width:
            rows[-1] = Text.assemble(rows[-1], "  ", title)
        else:
            rows.append(Text.assemble(" ", title))
    return rows

"""Ways through a long text: its sections, the next place with some words, the neighbours of a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text

from tunewiz.core.planning.decisions import is_open
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.record import dataclass
from tunewiz.text.finding_detail import MANUAL
from tunewiz.text.findings import grouped

MOST = 9
"""As many sections have a number: there are no more digits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TextPosition:
    """A place in the text."""

    number: int
    """Of the paragraph, from 0."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NotThere:
    """The text has no such place."""

    why: str


def numbered(texts: Sequence[Text]) -> tuple[Text, ...]:
    """The same text; its first nine headings begin with a number."""
    numbers = {place: count for count, place in enumerate(sections_of(texts)[:MOST], start=1)}
    return tuple(_with_number(text, numbers.get(place, 0)) for place, text in enumerate(texts))


def _with_number(text: Text, number: int) -> Text:
    return Text(f"{number} {text.plain}", style=text.style) if number else text


def sections_of(texts: Sequence[Text]) -> tuple[int, ...]:
    """Where each section begins, from 0: a bold line of its own after an empty one."""
    return tuple(
        number
        for number, (before, text) in enumerate(pairwise(texts), start=1)
        if not before.plain and text.plain and text.style == "bold"
    )


_SHORT = {
    "What changes": "what",
    "Why it helps": "why",
    "When to leave it alone": "leave",
    "What it costs": "costs",
    "Where sources disagree": "dispute",
    "Steps": "steps",
    "Evidence": "evidence",
    "How to watch it afterwards": "watch",
    "How it is undone": "undo",
    "In the manual": "manual",
    "Words used here": "words",
}
_CHART = "chart"
"""The other titles are those of charts."""


def section_keys(texts: Sequence[Text], width: int) -> str:
    """The digits and where they lead, in a line of that many cells: in short where the titles do not fit."""
    titles = [texts[index].plain for index in sections_of(texts)[:MOST]]
    short = [_shortened(title) for title in titles]
    lines = ("  ".join(titles), "  ".join(short), " ".join(short))
    return next((line for line in lines if cell_len(line) <= width), lines[-1])


def _shortened(numbered_title: str) -> str:
    number, _, title = numbered_title.partition(" ")
    return f"{number} {_SHORT.get(title, _CHART)}"


def section_place(texts: Sequence[Text], wanted: int) -> TextPosition | NotThere:
    """Where the section with that number, from 1, begins."""
    places = sections_of(texts)[:MOST]
    if wanted <= len(places):
        return TextPosition(number=places[wanted - 1])
    return NotThere(why=f"There is no section {wanted}: this text has {len(places)}.")


def manual_place(texts: Sequence[Text]) -> TextPosition | NotThere:
    """Where the addresses in the manuals begin."""
    places = [place for place in sections_of(texts) if texts[place].plain.endswith(MANUAL)]
    return (
        TextPosition(number=places[0]) if places else NotThere(why="No page of a manual describes this one.")
    )


def next_match(texts: Sequence[Text], words: str, after: int) -> TextPosition | NotThere:
    """The next paragraph with these words, whatever their case; after the last one, the first again."""
    matching = [number for number, text in enumerate(texts) if words.lower() in text.plain.lower()]
    later = [number for number in matching if number > after]
    result = later or matching
    return TextPosition(number=result[0]) if result else NotThere(why=f"Not found in this text: {words}")


def neighbour(finding: Finding, plan: Plan, by: int) -> Finding | NotThere:
    """The finding that many rows further in the list; those left alone are among themselves."""
    order = list(_as_listed(finding, plan))
    place = order.index(finding) + by
    if 0 <= place < len(order):
        return order[place]
    return NotThere(
        why="This is the last one in the list." if by > 0 else "This is the first one in the list."
    )


def _as_listed(finding: Finding, plan: Plan) -> Iterator[Finding]:
    for _, members in grouped(plan.findings, everything=True):
        yield from (member for member in members if is_open(member) == is_open(finding))

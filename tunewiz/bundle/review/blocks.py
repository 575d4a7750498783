"""What a review is made of, before it is Markdown or HTML: headings, paragraphs, lists, tables, pictures.

Whatever stems from a host, a path or a note is text of a span: what renders it escapes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.proof.proof import Proof


@dataclass(frozen=True, slots=True)
class PlainText:
    """Text as it is read."""

    text: str


@dataclass(frozen=True, slots=True)
class CodeText:
    """Text as it is typed: a name, a value, a path, a command."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Text that stands out."""

    text: str


Span: TypeAlias = PlainText | CodeText | Strong
Line: TypeAlias = tuple[Span, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Heading:
    """The title of what follows; level 1 is the document's own."""

    level: int
    words: Line


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences, each on a line of its own in Markdown."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list without an order."""

    items: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Numbered:
    """A list whose order counts."""

    items: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Rows of cells under a head of as many words."""

    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryPicture:
    """The memory table as two bars; the table beside it says the same in numbers."""

    before: MemoryBudget
    after: MemoryBudget


@dataclass(frozen=True, kw_only=True, slots=True)
class EffectBar:
    """A bar of the picture of effects."""

    name: str
    percent: float
    """What was measured, on its own system; positive."""
    like: bool
    """Whether that system is like this one."""
    joint: str = ""
    """The other setting, where two were changed together; empty for one alone."""


@dataclass(frozen=True, slots=True)
class EffectPicture:
    """The figures of the nearest evidence as bars; page one says the same in words."""

    bars: tuple[EffectBar, ...]


@dataclass(frozen=True, slots=True)
class ProofPicture:
    """A measurement as a picture; the tables beside it give the same numbers."""

    proof: Proof
    file: str
    """The file beside the Markdown that holds it."""


@dataclass(frozen=True, slots=True)
class PageEnd:
    """What follows begins a new page on paper."""


Picture: TypeAlias = MemoryPicture | EffectPicture | ProofPicture
Block: TypeAlias = Heading | Paragraph | Bullets | Numbered | TableBlock | Picture | PageEnd


def line(*parts: str | Span) -> Line:
    """A line of spans; a bare string is plain text."""
    return tuple(PlainText(part) if isinstance(part, str) else part for part in parts if part != "")


def marked(sentence: str) -> Line:
    """A sentence of this program: what stands between backticks is typed.

    >>> marked("`verify.sh` ends with 0.")
    (CodeText(text='verify.sh'), PlainText(text=' ends with 0.'))
    """
    return tuple(_spans(sentence))


def _spans(sentence: str) -> Iterator[Span]:
    for place, part in enumerate(sentence.split("`")):
        if part:
            yield CodeText(part) if place % 2 else PlainText(part)


def heading(level: int, *parts: str | Span) -> Heading:
    """A heading of these parts."""
    return Heading(level=level, words=line(*parts))


def listed(*items: Line) -> Iterator[Bullets]:
    """A list, unless it would be empty."""
    if items:
        yield Bullets(items)


def names(*texts: str) -> Line:
    """Names as they are typed, separated by commas."""
    return tuple(
        span
        for place, text in enumerate(texts)
        for span in ((PlainText(", "),) if place else ()) + (CodeText(text),)
    )

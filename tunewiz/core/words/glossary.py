"""The words of the wizard and what its help says: which of them a text uses, which of them match a search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Term:
    """A word that not everybody knows."""

    term: str
    text: str
    also: tuple[str, ...] = ()
    """Plurals and other names."""

    @property
    def names(self) -> tuple[str, ...]:
        """All its names."""
        return (self.term, *self.also)


@dataclass(frozen=True, kw_only=True, slots=True)
class PageHelp:
    """The help of one page."""

    page: str
    question: str = field(metadata={"key": "asked"})
    """What the page asks; `asked` in the file."""
    why: str
    answers: tuple[tuple[str, str], ...]
    """An answer, or a word of the page, and what it changes or means."""
    keys: tuple[tuple[str, str], ...]
    """Keys of this page alone."""


def found_in(terms: Sequence[Term], text: str) -> tuple[Term, ...]:
    """The terms that a text uses; names in capitals must match in case."""
    return tuple(term for term in terms if any(_stands_in(name, text) for name in term.names))


def _stands_in(name: str, text: str) -> bool:
    flags = re.NOFLAG if name.isupper() else re.IGNORECASE
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text, flags) is not None


def matching(terms: Sequence[Term], typed: str) -> tuple[Term, ...]:
    """Terms whose names start with it, then those whose names contain it, then those that mention it."""
    sought = typed.strip().lower()
    ranked = [(rank, term) for term in terms if (rank := _rank(term, sought)) is not None]
    return tuple(term for _, term in sorted(ranked, key=lambda pair: pair[0]))


def _rank(term: Term, sought: str) -> int | None:
    names = [name.lower() for name in term.names]
    if any(name.startswith(sought) for name in names):
        return 0
    if any(sought in name for name in names):
        return 1
    return 2 if sought in term.text.lower() else None

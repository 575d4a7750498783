"""What the wizard's help says: a page for each step, and the glossary."""

from __future__ import annotations

from functools import cache

from tunewiz.core.values.record import dataclass
from tunewiz.core.words.glossary import PageHelp, Term
from tunewiz.knowledge.profiles import read_record


@dataclass(frozen=True, kw_only=True, slots=True)
class Glossary:
    """The content of profiles/help/glossary.toml, in alphabetical order."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class PagesHelp:
    """profiles/help/pages.toml."""

    general: tuple[tuple[str, str], ...]
    """Keys that work the same everywhere."""
    pages: tuple[PageHelp, ...]


@cache
def load_terms() -> tuple[Term, ...]:
    """All terms."""
    return read_record(Glossary, "help", "glossary.toml").terms


@cache
def load_pages() -> PagesHelp:
    """The help of all pages."""
    return read_record(PagesHelp, "help", "pages.toml")


def help_of(page: str) -> PageHelp:
    """The help of one page; every page has some."""
    return next(help_page for help_page in load_pages().pages if help_page.page == page)

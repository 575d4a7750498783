"""Every word of the wizard, found as one types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.words.glossary import matching
from tunewiz.knowledge.help import load_terms
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.finder import Finder
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.lines import Lines, Rule
from tunewiz.text.row import Row

NAME = 26
"""Cells for a term, so that the meanings are aligned."""


class GlossaryPage(Page):
    """A list of terms; the meaning of the one under the cursor is shown in full below."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close", show=False)]
    KEYS: ClassVar = (
        Key(key="letters", does="find a word", action=""),
        Key(key="↑↓", does="move", action=""),
        Key(key="esc", does="close", action="close"),
    )
    HELPED: ClassVar = False

    finder = query_one(Finder)
    meaning = query_one("#meaning", Lines)

    def heading(self) -> str:
        """The title of the page."""
        return "Glossary: type part of a word"

    def body(self) -> Iterable[Widget]:
        """Words, then the meaning of one."""
        yield Finder(_rows)
        yield Rule()
        yield Lines(id="meaning")

    def on_mount(self) -> None:
        """Show the meaning of the term under the cursor, starting with the first."""
        self.watch(self.finder, "place", self._tell)

    def _tell(self) -> None:
        term = next((term for term in load_terms() if term.term == self.finder.key), None)
        if term is None:
            self.meaning.write(" No term here matches.")
        else:
            also = f" ({', '.join(term.also)})" if term.also else ""
            self.meaning.write(Text.assemble((f"{term.term}{also}: ", "bold"), term.text))

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()


def _rows(typed: str) -> Sequence[Row]:
    terms = matching(load_terms(), typed)
    return tuple(
        Row(key=term.term, lit=NAME, text=Text.assemble((term.term.ljust(NAME), "bold"), term.text))
        for term in terms
    )

"""What F1 shows: what a page asks, why, what each answer changes, its keys, the words it uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.words.glossary import PageHelp, Term, found_in
from tunewiz.knowledge.help import help_of, load_pages, load_terms
from tunewiz.screens.key_help import Pairs, keys_of
from tunewiz.screens.messages import GlossaryAsked
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader

LABEL = 18


class Help(Page):
    """A page to read and close."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,left", "close", "Close", show=False),
        Binding("slash", "glossary", "Glossary", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="↑↓", does="scroll", action=""),
        Key(key="space", does="page", action=""),
        Key(key="/", does="glossary: find any word", action="glossary"),
        Key(key="esc", does="close", action="close"),
    )
    HELPED: ClassVar = False

    reader = query_one(Reader)

    def __init__(self, page: str, shown: Widget) -> None:
        super().__init__()
        self._about = page
        self._keys = keys_of(shown, help_of(page).keys)

    def heading(self) -> str:
        """The title of the page."""
        return f"Help: {self._about}"

    def body(self) -> Iterable[Widget]:
        """The text."""
        yield Reader()

    def on_mount(self) -> None:
        """Show the text from its start."""
        self.reader.read(help_lines(help_of(self._about), self._keys))

    def action_glossary(self) -> None:
        """Open the glossary."""
        self.post_message(GlossaryAsked())

    def action_close(self) -> None:
        """Go back to the page."""
        _ = self.dismiss()


def help_lines(page: PageHelp, keys: Pairs) -> tuple[Text, ...]:
    """The help of a page, with its keys."""
    said = " ".join((page.question, page.why, *(word for pair in page.answers for word in pair)))
    return (
        Text.assemble(("What is asked   ", "bold"), "\t", page.question),
        Text.assemble(("Why             ", "bold"), "\t", page.why),
        *_pairs("What each answer changes, and what the words mean", page.answers),
        *_pairs("Keys", (*keys, *load_pages().general)),
        *words_used(said),
    )


def _pairs(title: str, pairs: Sequence[tuple[str, str]]) -> Iterator[Text]:
    yield Text()
    yield Text(title, style="bold")
    for name, about in pairs:
        yield Text.assemble(f"  {name} ".ljust(LABEL), "\t", about)


def words_used(text: str) -> Iterator[Text]:
    """The meanings of the glossary terms that a text uses."""
    terms: Sequence[Term] = found_in(load_terms(), text)
    if terms:
        yield Text()
        yield Text("Words used here", style="bold")
    for term in terms:
        yield Text.assemble("  ", (term.term, "bold"), f": {term.text}")

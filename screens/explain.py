"""One recommendation in full."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.screens.ask import Answer, AskText, Typed
from tunewiz.screens.copying import COPY, COPY_KEYS, What, copy
from tunewiz.screens.help import words_used
from tunewiz.screens.page import WIDEST, Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader
from tunewiz.text.evidence_marks import legend
from tunewiz.text.finding_detail import beyond_overview
from tunewiz.text.folding import folded
from tunewiz.text.overview import overview
from tunewiz.text.reading import (
    MOST,
    NotThere,
    TextPosition,
    manual_place,
    neighbour,
    next_match,
    numbered,
    section_keys,
    section_place,
)

MARGINS = 3
"""Cells that the reader keeps free at its sides."""
AROUND = 6
"""Rows around the reader: two at the top, two rules, a message, the keys."""


class Explain(Page):
    """A page to read and close."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,left,q", "close", "Close", show=False),
        Binding("right_square_bracket", "beside(1)", "Next", show=False),
        Binding("left_square_bracket", "beside(-1)", "Previous", show=False),
        Binding("slash", "find", "Find", show=False),
        Binding("l", "manual", "Manual", show=False),
        Binding("n", "find_next", "Next match", show=False),
        Binding("o", "unfold", "Unfold", show=False),
        *COPY,
        *(Binding(str(digit), f"section({digit})", "Section", show=False) for digit in range(1, MOST + 1)),
    ]
    KEYS: ClassVar = (
        Key(key="↑↓", does="scroll", action=""),
        Key(key="1-9", does="section", action=""),
        Key(key="o", does="unfold", action="unfold", full="unfold the other sections, or fold them again"),
        Key(key="esc", does="back", action="close", full="back to the list"),
        Key(key="]", does="next", action="beside(1)", full="the next recommendation"),
        Key(key="[", does="previous", action="beside(-1)", full="the previous recommendation"),
        Key(key="/", does="find", action="find", full="find words in this text"),
        Key(key="l", does="manual", action="manual", full="the addresses of the manual's pages"),
        Key(key="n", does="again", action="find_next", full="find the same words again"),
        *COPY_KEYS,
    )

    reader = query_one(Reader)

    def __init__(self, finding: Finding, plan: Plan) -> None:
        super().__init__()
        self._finding = finding
        self._plan = plan
        self._told: tuple[Text, ...] = ()
        self._is_folded = True
        self._words = ""
        self._at = -1

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "explain"

    def heading(self) -> str:
        """The recommendation's title."""
        return self._finding.recommendation.title

    def aside(self) -> str:
        """Its id, as used in answers files."""
        return self._finding.recommendation.id

    def legend(self) -> Text:
        """What the marks of the evidence mean."""
        return legend()

    def hint(self) -> str:
        """The sections that a digit leads to."""
        return section_keys(self._told, self._width())

    def where(self) -> Text:
        """That this is not a step of its own."""
        return Text("explanation", style="dim")

    def body(self) -> Iterable[Widget]:
        """The text."""
        yield Reader()

    def on_mount(self) -> None:
        """Show the text from its start."""
        self._show(self._finding)

    def on_resize(self, event: events.Resize) -> None:
        """Lay out the columns for the new width."""
        del event
        if self.is_mounted:
            self._lay_out()

    def _show(self, finding: Finding) -> None:
        self._finding = finding
        self._at = -1
        self._is_folded = True
        self.question.write(Text(self.heading(), style="bold"), Text(self.aside(), style="dim"))
        self._lay_out()
        self.be_quiet()

    def _lay_out(self) -> None:
        result = beyond_overview(self._finding, self._plan)
        first_page = overview(self._finding, self._plan, self._width())
        used = words_used(" ".join(entry.plain for entry in (*first_page, *result)))
        self._told = numbered((*first_page, *result, *used))
        self._read()

    def _width(self) -> int:
        return min(WIDEST, self.app.size.width) - MARGINS

    def _read(self) -> None:
        self.reader.read(self._folded() if self._is_folded else self._told)

    def _folded(self) -> tuple[Text, ...]:
        return folded(self._told, room=self.app.size.height - AROUND, width=self._width())

    def _unfold(self) -> None:
        if self._is_folded:
            self._is_folded = False
            self._read()

    def action_unfold(self) -> None:
        """Show all sections, or only their titles again."""
        if self._folded() == self._told:
            self.say("All of it is shown already.")
            return
        self._is_folded = not self._is_folded
        self._read()

    def action_beside(self, by: int) -> None:
        """Show the next recommendation of the list, or the previous one."""
        match neighbour(self._finding, self._plan, by):
            case NotThere(why=why):
                self.say(why)
            case finding:
                self._show(finding)

    def action_section(self, wanted: int) -> None:
        """Go to the section with that number."""
        self._go(section_place(self._told, wanted))

    def action_copy(self, what: What) -> None:
        """Copy the value, or the command that sets it."""
        copy(self, self._finding, what)

    def action_manual(self) -> None:
        """Go to the addresses in the manuals."""
        self._go(manual_place(self._told))

    def _go(self, place: TextPosition | NotThere) -> None:
        match place:
            case NotThere(why=why):
                self.say(why)
            case TextPosition(number=number):
                self.be_quiet()
                self._unfold()
                self.reader.go_to(number)

    def action_find(self) -> None:
        """Ask for the words to find."""

        def take(answer: Answer | None) -> None:
            if isinstance(answer, Typed) and answer.text:
                self._words, self._at = answer.text, -1
                self.action_find_next()

        self.open(AskText("Find in this text", "Any words, in capitals or not.", value=self._words), take)

    def action_find_next(self) -> None:
        """Go to the next place with the words that were asked for."""
        if not self._words:
            self.say("Nothing was looked for yet: / asks for words.")
            return
        match next_match(self._told, self._words, self._at):
            case NotThere(why=why):
                self.say(why)
            case TextPosition(number=number):
                self._at = number
                self._unfold()
                self.reader.mark(number, self._words)
                self.say(f"{self._words}: marked by > and in reverse. n finds the next one.")

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()

"""One recommendation in full."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.screens.help import words_used
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader
from tunewiz.text.finding_detail import in_full


class Explain(Page):
    """A page to read and close."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,left,q", "close", "Close", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="↑↓", does="scroll", action=""),
        Key(key="space", does="page", action=""),
        Key(key="esc", does="back to the list", action="close"),
    )

    reader = query_one(Reader)

    def __init__(self, finding: Finding, plan: Plan) -> None:
        super().__init__()
        self._finding = finding
        self._plan = plan

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "explain"

    def asked(self) -> str:
        """The recommendation's title."""
        return self._finding.recommendation.title

    def aside(self) -> str:
        """Its id, as used in answers files."""
        return self._finding.recommendation.id

    def where(self) -> Text:
        """That this is not a step of its own."""
        return Text("explanation", style="dim")

    def body(self) -> Iterable[Widget]:
        """The text."""
        yield Reader()

    def on_mount(self) -> None:
        """Show the text from its start."""
        told = in_full(self._finding, self._plan)
        self.reader.read((*told, *words_used(" ".join(each.plain for each in told))))

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()

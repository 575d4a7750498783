"""What became of this host since an earlier run of the wizard read it, as `tunewiz since` tells it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.formats.since import HostNews
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader
from tunewiz.text.since import since_rows


class SincePage(Page):
    """A page to read and close."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,left,q,v", "close", "Close", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="↑↓", does="scroll", action=""),
        Key(key="space", does="page", action=""),
        Key(key="esc", does="back", action="close", full="back to the page before"),
    )

    reader = query_one(Reader)

    def __init__(self, news: HostNews) -> None:
        super().__init__()
        self._news = news

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "since"

    def heading(self) -> str:
        """What the page is for."""
        return "What changed on this host since your last visit"

    def where(self) -> Text:
        """Shown in place of the step: this page is not one."""
        return Text("last visit", style="dim")

    def hint(self) -> str:
        """Where the same is told without the wizard."""
        return "Until this run ends, `tunewiz since` prints the same."

    def body(self) -> Iterable[Widget]:
        """The text."""
        yield Reader()

    def on_mount(self) -> None:
        """Show it from its start."""
        self.reader.read(tuple(since_rows(self._news)))

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()

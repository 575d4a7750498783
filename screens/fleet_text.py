"""A text about many servers, to read and close: a group's review, or one host of a rollout."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.screens.page import Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader


class FleetText(Page):
    """A page to read and close."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,left,q", "close", "Close", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="↑↓", does="scroll", action=""),
        Key(key="space", does="page", action=""),
        Key(key="esc", does="back", action="close"),
    )

    reader = query_one(Reader)

    def __init__(self, title: str, aside: str, lay_out: Callable[[int], tuple[Text, ...]]) -> None:
        super().__init__()
        self._title = title
        self._aside = aside
        self._lay_out = lay_out

    def help_name(self) -> str:
        """The help of the groups' page fits here too."""
        return "fleet"

    def heading(self) -> str:
        """The title."""
        return self._title

    def aside(self) -> str:
        """A remark beside the title."""
        return self._aside

    def where(self) -> Text:
        """Shown in place of the step: this page is not one."""
        return Text("many servers", style="dim")

    def body(self) -> Iterable[Widget]:
        """The text."""
        yield Reader()

    def on_mount(self) -> None:
        """Show it from its start."""
        self.reader.read_for_width(self._lay_out)

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()

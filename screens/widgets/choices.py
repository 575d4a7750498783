"""One of several choices: arrows move the cursor, space selects the row under it, enter goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.containers import VerticalScroll
from textual.geometry import Region, Size
from textual.reactive import var
from textual.widget import Widget

from tunewiz.screens.widgets.focus import move_focus
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.choice import Choice
from tunewiz.text.row import Row

CHOSEN, NOT_CHOSEN = "(•) ", "( ) "


class Choices(RowList):
    """Answers of which one is selected; moving the cursor changes nothing."""

    KEEPS_POINTER: ClassVar = False
    DEFAULT_CSS = """
    Choices { height: auto; }
    """

    chosen: var[str] = var("", init=False)
    """The key of the selected answer."""

    def __init__(self, choices: Sequence[Choice], *, at: str, id: str | None = None) -> None:  # noqa: A002 - as Textual names it
        super().__init__(id=id, at=at)
        self.choices = tuple(choices)
        self._width = max((len(choice.title) for choice in self.choices), default=0)
        self._given = self._marked(at)
        self.set_reactive(Choices.chosen, at)

    def on_mount(self) -> None:
        """Put the cursor back on the selected row when another field gets the focus."""
        self.watch(self.screen, "focused", self._settle, init=False)

    def _settle(self, focused: Widget | None) -> None:
        if focused is not None and focused is not self:
            self.move_to(self._row_of(self.chosen))

    def _row_of(self, key: str) -> int:
        return next((number for number, choice in enumerate(self.choices) if choice.key == key), 0)

    def move_to(self, index: int) -> None:
        """Move the cursor, and the page with it: all rows are painted, but not all may be in view."""
        super().move_to(index)
        if self.has_focus:
            for body in self.screen.query("#body").results(VerticalScroll):
                row = Region(0, self.virtual_region.y + index, self.size.width, 1)
                _ = body.scroll_to_region(row, animate=False, immediate=True)

    def _marked(self, chosen: str) -> tuple[Row, ...]:
        return tuple(
            Row(
                key=choice.key,
                text=Text.assemble(
                    CHOSEN if choice.key == chosen else NOT_CHOSEN,
                    choice.title.ljust(self._width),
                    "  ",
                    (choice.about, "dim"),
                ),
            )
            for choice in self.choices
        )

    def is_chosen(self, key: str) -> bool:
        """Whether that answer is selected."""
        return self.chosen == key

    def _choose(self) -> None:
        self.show(self._marked(self.key))
        self.chosen = self.key

    def leave(self, direction: int) -> None:
        """At either end, the arrow keys move on to the next field."""
        move_focus(self.screen, direction)

    def action_page(self, direction: int) -> None:
        """All rows are visible, so the page scrolls instead."""
        for body in self.screen.query("#body").results(VerticalScroll):
            (body.scroll_page_down if direction > 0 else body.scroll_page_up)(animate=False)

    def press_twice(self) -> None:
        """With `--mouse`: a second click selects the answer."""
        self._choose()

    def action_press_space(self) -> None:
        """Select the answer under the cursor."""
        self._choose()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """All rows."""
        del container, viewport, width
        return len(self.choices)

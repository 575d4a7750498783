"""One of several: the row under the cursor is the one that is chosen, as its mark says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.geometry import Size

from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.choice import Choice
from tunewiz.text.row import Row

CHOSEN, NOT_CHOSEN = "(•) ", "( ) "


class Choices(RowList):
    """Answers of which one is given; moving the cursor gives it, so that enter can go on."""

    KEEPS_POINTER: ClassVar = False
    DEFAULT_CSS = """
    Choices { height: auto; }
    """

    def __init__(self, choices: Sequence[Choice], *, at: str, id: str | None = None) -> None:  # noqa: A002 - as Textual names it
        super().__init__(id=id, at=at)
        self.choices = tuple(choices)
        self._width = max((len(choice.title) for choice in self.choices), default=0)
        self._given = self._marked(at)

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

    def move_to(self, index: int) -> None:
        """Choose that row."""
        super().move_to(index)
        self.show(self._marked(self.key))

    def leave(self, direction: int) -> None:
        """At an end the arrows go on to the next field."""
        if direction > 0:
            self.screen.focus_next()
        else:
            self.screen.focus_previous()

    def action_press_space(self) -> None:
        """Space has nothing left to do here: the row is chosen already."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """All rows."""
        del container, viewport, width
        return len(self.choices)

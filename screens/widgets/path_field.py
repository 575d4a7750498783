"""A field for a path: tab completes it, as in a shell; shift and tab leave it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets.input import Selection

from tunewiz.console.paths import completed_path
from tunewiz.screens.widgets.field import Field
from tunewiz.screens.widgets.question import QuestionField


class PathField(Field):
    """Its path is completed by who knows the file system."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", "Complete the path", show=False)]

    def __init__(self, value: str, complete: Callable[[str], str], *, id: str | None = None) -> None:  # noqa: A002 - as Textual names it
        super().__init__(value, id=id)
        self._complete = complete

    def action_complete(self) -> None:
        """Complete what was typed; where several paths begin so, or none, it stays."""
        path = self._complete(self.value)
        if path != self.value:
            self.value = path
            self.selection = Selection.cursor(len(path))


class PathQuestion(QuestionField):
    """One line of a form that asks for a path."""

    def make_field(self, value: str, name: str) -> Field:
        """A field in which tab completes."""
        return PathField(value, completed_path, id=name)

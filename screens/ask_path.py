"""Asks for a path, which tab completes."""

from __future__ import annotations

from tunewiz.console.paths import completed_path
from tunewiz.screens.ask import AskText
from tunewiz.screens.widgets.field import Field
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.path_field import PathField


class AskPath(AskText):
    """Like any text, but of what is on the disk."""

    def make_field(self, value: str) -> Field:
        """A field in which tab completes."""
        return PathField(value, completed_path)

    def keys(self) -> tuple[Key, ...]:
        """Tab between the others."""
        take, close = super().keys()
        return take, Key(key="tab", does="complete it", action=""), close

"""Every command of a page by name, for users who do not remember its key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one

from tunewiz.screens.overlay import Overlay
from tunewiz.screens.widgets.finder import Finder
from tunewiz.screens.widgets.key_bar import Key, KeyBar
from tunewiz.screens.widgets.lines import Lines
from tunewiz.text.row import Row

NAME = 58
"""Cells for what a command does, before its key."""


class Palette(Overlay[str]):
    """Returns the chosen command's action; empty if none was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close", show=False)]

    finder = query_one(Finder)

    def __init__(self, commands: Sequence[Key]) -> None:
        super().__init__()
        self._commands = tuple(commands)

    def compose(self) -> ComposeResult:
        """A field, the commands, the keys."""
        with Vertical(classes="box"):
            yield Lines(Text("Commands: type part of a name", style="bold"))
            yield Finder(self._rows)
            yield KeyBar(
                (
                    Key(key="enter", does="do it", action="take"),
                    Key(key="↑↓", does="move", action=""),
                    Key(key="esc", does="close", action="close"),
                )
            )

    def _rows(self, typed: str) -> Sequence[Row]:
        sought = typed.strip().lower()
        rows = tuple(
            Row(
                key=command.action,
                lit=len(command.named),
                text=Text.assemble(command.named.ljust(NAME), (command.key, "bold")),
            )
            for command in self._commands
            if sought in command.named.lower()
        )
        return rows or (Row(text=Text("No command matches.", style="dim")),)

    @on(Finder.Chosen)
    def action_take(self) -> None:
        """Choose the command under the cursor."""
        if self.finder.key:
            _ = self.dismiss(self.finder.key)

    def action_close(self) -> None:
        """None."""
        _ = self.dismiss("")

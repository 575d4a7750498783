"""The smallest full-screen program that is of any use: what Textual itself costs."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Static


class Minimal(App[None]):
    """One line of text and the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        """The line, the keys."""
        yield Static("HELLO")
        yield Footer()


if __name__ == "__main__":
    Minimal().run()

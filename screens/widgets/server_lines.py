"""A line about each server, of which the one under the cursor is shown."""

from __future__ import annotations

from rich.text import Text

from tunewiz.screens.widgets.lines import Lines


class ServerLines(Lines):
    """What a key started for one server never shows under another."""

    def __init__(self, first: str, *, id: str) -> None:  # noqa: A002 - as Textual names it
        super().__init__(first, id=id, classes="heading")
        self._first = first
        self._latest: dict[str, Text | str] = {}
        self._server = ""

    def show_server(self, server: str) -> None:
        """Show the line of this server, by the key of its row."""
        self._server = server
        self.write(self._latest.get(server, self._first))

    def tell(self, server: str, text: Text | str) -> None:
        """Keep this line for that server; show it if the cursor is there."""
        self._latest[server] = text
        if server == self._server:
            self.write(text)

"""The part of the server page that shows how the server is being watched."""

from __future__ import annotations

from rich.text import Text

from tunewiz.core.facts.server import Window
from tunewiz.core.values.known import Fact, Known
from tunewiz.screens.widgets.server_lines import ServerLines
from tunewiz.text.server_choice import ServerKey
from tunewiz.text.watching import WATCH_SECONDS, not_watched, seen_in_words

CELLS = 20
"""Of the progress bar."""
NOT_YET = f"w: watch the server at work for {WATCH_SECONDS} s; the plan then uses what was seen."


class Watching(ServerLines):
    """Shows the progress, then what was seen."""

    def __init__(self) -> None:
        super().__init__(NOT_YET, id="watching")
        self._seen: dict[str, str] = {}

    def show_progress(self, server: ServerKey, passed: float) -> None:
        """Show how many seconds have passed."""
        done = min(CELLS, int(CELLS * passed / WATCH_SECONDS))
        bar = "█" * done + "░" * (CELLS - done)
        progress = f" {passed:.0f} of {WATCH_SECONDS} s   w: stop early   x: skip"
        self.tell(server.key, Text.assemble(f"Watching {server.name} at work ", (bar, "bold"), progress))

    def show_skipped(self, server: ServerKey) -> None:
        """Discard what was seen; what an earlier watch saw stays."""
        self.tell(server.key, self._seen.get(server.key, f"{server.title}It was not watched. {NOT_YET}"))

    def show_window(self, server: ServerKey, fact: Fact[Window]) -> None:
        """Show what the server did, or why that is unknown."""
        match fact:
            case Known(value=window):
                self._seen[server.key] = f"{server.title}{seen_in_words(window)} (w: again)"
                self.tell(server.key, self._seen[server.key])
            case unknown:
                self.tell(server.key, f"{server.title}{not_watched(unknown)} (w: again)")

"""The part of the server page that shows how the server is being watched."""

from __future__ import annotations

from rich.text import Text

from tunewiz.core.facts.server import Window
from tunewiz.core.values.known import Fact, Known
from tunewiz.screens.widgets.lines import Lines
from tunewiz.text.watching import not_watched, seen_in_words

WATCH_SECONDS = 60
"""How long the wizard watches unless stopped; the headless `--watch` accepts any time."""
THE_SERVER = "the server"
"""Used when there is only one."""
CELLS = 20
"""Of the progress bar."""
NOT_YET = f"w: watch the server at work for {WATCH_SECONDS} s; the plan then uses what was seen."


class Watching(Lines):
    """Shows the progress, then what was seen."""

    def __init__(self) -> None:
        super().__init__(NOT_YET, id="watching", classes="heading")

    def show_progress(self, passed: float, whom: str) -> None:
        """Show how many seconds have passed; `whom` names the server if there are several."""
        done = min(CELLS, int(CELLS * passed / WATCH_SECONDS))
        bar = "█" * done + "░" * (CELLS - done)
        words = f" {passed:.0f} of {WATCH_SECONDS} s   w: stop early   k: skip"
        self.write(Text.assemble(f"Watching {whom} at work ", (bar, "bold"), words))

    def show_skipped(self) -> None:
        """Discard what was seen."""
        self.write(f"It was not watched. {NOT_YET}")

    def show_window(self, fact: Fact[Window], whom: str) -> None:
        """Show what the server did, or why that is unknown."""
        match fact:
            case Known(value=window):
                self.write(f"{_title(whom)}{seen_in_words(window)} (w: again)")
            case unknown:
                self.write(f"{_title(whom)}{not_watched(unknown)} (w: again)")


def _title(whom: str) -> str:
    return "" if whom == THE_SERVER else f"{whom}: "

"""The part of the server page that shows how its storage is measured and its log is read."""

from __future__ import annotations

from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.probe import Probe
from tunewiz.core.values.known import Fact
from tunewiz.screens.widgets.lines import Lines
from tunewiz.text.measuring import PROBE_SECONDS, log_in_words, probed_in_words

NOT_YET = f"p: measure its storage for {PROBE_SECONDS} s   l: read its log"


class Measuring(Lines):
    """Shows progress, then the result; the latest one if both were started."""

    def __init__(self) -> None:
        super().__init__(NOT_YET, id="measuring", classes="heading")

    def show_probing(self, passed: float, doing: str) -> None:
        """Show what is being measured."""
        self.write(f"Measuring: {doing}, {passed:.0f} of {PROBE_SECONDS} s   p, esc: stop early")

    def show_probed(self, probe: Fact[Probe]) -> None:
        """Show what was measured, or why nothing was."""
        self.write(f"{probed_in_words(probe)} (p: again)")

    def show_reading(self) -> None:
        """Show that the log is being read."""
        self.write("Reading its log …")

    def show_log(self, log: Fact[LogSeen]) -> None:
        """Show what is in the log, or why it was not read."""
        self.write(f"{log_in_words(log)} (l: again)")

"""The part of the server page that shows how its storage is measured and its log is read."""

from __future__ import annotations

from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.probe import Probe
from tunewiz.core.values.known import Fact
from tunewiz.screens.widgets.server_lines import ServerLines
from tunewiz.text.measuring import PROBE_SECONDS, log_in_words, probed_in_words
from tunewiz.text.server_choice import ServerKey

PROBE, LOG = f"p: measure its storage for {PROBE_SECONDS} s", "l: read its log"
NOT_YET = f"{PROBE}   {LOG}"


class Measuring(ServerLines):
    """Shows progress, then the result; the latest one if both were started."""

    def __init__(self) -> None:
        super().__init__(NOT_YET, id="measuring")

    def show_probing(self, server: ServerKey, passed: float, doing: str) -> None:
        """Show what is being measured."""
        progress = f"{doing}, {passed:.0f} of {PROBE_SECONDS} s   p, esc: stop early"
        self.tell(server.key, f"{server.title}Measuring: {progress}")

    def show_probed(self, server: ServerKey, probe: Fact[Probe]) -> None:
        """Show what was measured, or why nothing was."""
        self.tell(server.key, f"{server.title}{probed_in_words(probe)} (p: again   {LOG})")

    def show_reading(self, server: ServerKey) -> None:
        """Show that the log is being read."""
        self.tell(server.key, f"{server.title}Reading its log …")

    def show_log(self, server: ServerKey, log: Fact[LogSeen]) -> None:
        """Show what is in the log, or why it was not read."""
        self.tell(server.key, f"{server.title}{log_in_words(log)} (l: again   {PROBE})")

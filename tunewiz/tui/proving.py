"""Shows the measurement of a bundle, which belongs to processes of its own: the page only follows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from tunewiz.screens.messages import ProvingAsked, ProvingLooked
from tunewiz.tui.writing import WritingApp

if TYPE_CHECKING:
    from tunewiz.core.proof.bench_seen import BenchSeen


@dataclass
class ProvingSeen(Message):
    """How far the measurement of that bundle is."""

    directory: str
    seen: BenchSeen


class ProvingApp(WritingApp):
    """One page at a time, which closes itself."""

    def on_proving_asked(self, event: ProvingAsked) -> None:
        """Show the page."""
        from tunewiz.screens.proving import ProvingPage  # noqa: PLC0415 - no page before it waits for it

        _ = self.push_screen(ProvingPage(event.directory))

    @work(thread=True, exclusive=True, group="proving")
    def look_at_proving(self, directory: str) -> None:
        """Read how far it is."""
        self.post_message(ProvingSeen(directory, self._ports.proving(directory)))

    def on_proving_looked(self, event: ProvingLooked) -> None:
        """Look."""
        self.look_at_proving(event.directory)

    def on_proving_seen(self, event: ProvingSeen) -> None:
        """Show it, if its page is still there."""
        from tunewiz.screens.proving import ProvingPage  # noqa: PLC0415 - it is shown by then

        for page in self.screen_stack:
            if isinstance(page, ProvingPage) and page.directory == event.directory:
                page.show(event.seen)

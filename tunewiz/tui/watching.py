"""Watches a server at work in the background while the wizard continues, and hands over what was seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from tunewiz.screens.messages import WatchAsked, WatchEnough, WatchSkipped
from tunewiz.tui.overlays import OverlayApp
from tunewiz.tui.terminal.driver import TerminalDriver
from tunewiz.wizard.ports import Watch

if TYPE_CHECKING:
    from tunewiz.core.facts.server import PostgresServer, Window
    from tunewiz.core.values.known import Fact


@dataclass
class WatchedOn(Message):
    """The server was sampled."""

    server: PostgresServer
    passed: float
    enough: Event


@dataclass
class Watched(Message):
    """Watching has ended."""

    server: PostgresServer
    window: Fact[Window]
    enough: Event
    """The number of the watch: a later one may have begun."""


class WatchingApp(OverlayApp):
    """One watch at a time, ended by the page, by its time limit, or with the application."""

    def __init__(
        self, report: Callable[[BaseException], str], driver: type[TerminalDriver], watch: Watch
    ) -> None:
        super().__init__(report, driver)
        self._watch = watch
        self._enough = Event()

    def use_window(self, server: PostgresServer, window: Fact[Window]) -> None:
        """Use what was seen."""
        raise NotImplementedError

    def show_watching(self, server: PostgresServer, passed: float) -> None:
        """Show the progress."""
        raise NotImplementedError

    def show_skipped(self) -> None:
        """Show that nothing is watched any longer."""
        raise NotImplementedError

    @work(thread=True, group="watching")
    def look_on(self, server: PostgresServer, enough: Event) -> None:
        """Watch until it is enough; every sample is reported to the page."""

        def report_progress(passed: float) -> None:
            self.post_message(WatchedOn(server, passed, enough))

        from tunewiz.text.watching import WATCH_SECONDS  # noqa: PLC0415 - its page is shown by then

        watch = self._watch(server, WATCH_SECONDS, report_progress, enough.is_set)
        self.post_message(Watched(server, watch, enough))

    def on_watch_asked(self, event: WatchAsked) -> None:
        """Start watching, and stop any earlier watch."""
        self.end_watching()
        self._enough = Event()
        self.look_on(event.server, self._enough)

    def on_watch_enough(self, _event: WatchEnough) -> None:
        """Stop, and use what was seen so far."""
        self._enough.set()

    def on_watch_skipped(self, _event: WatchSkipped) -> None:
        """Stop, and discard what was seen."""
        self.end_watching()
        self.show_skipped()

    def end_watching(self) -> None:
        """Stop watching, and discard what was seen."""
        self._enough.set()
        self._enough = Event()

    def on_watched_on(self, event: WatchedOn) -> None:
        """Progress."""
        if event.enough is self._enough:
            self.show_watching(event.server, event.passed)

    def on_watched(self, event: Watched) -> None:
        """Use the result, unless it was skipped meanwhile."""
        if event.enough is self._enough:
            self.use_window(event.server, event.window)

"""Watches a server at work in the background while the wizard goes on, and hands over what was seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from tunewiz.screens.messages import WatchAsked, WatchEnough, WatchSkipped
from tunewiz.tui.overlays import GuidedApp
from tunewiz.tui.terminal.driver import TerminalDriver
from tunewiz.wizard.ports import Watch

if TYPE_CHECKING:
    from tunewiz.core.facts.server import PostgresServer, Window
    from tunewiz.core.values.known import Fact


@dataclass
class WatchedOn(Message):
    """A look at it."""

    passed: float
    enough: Event


@dataclass
class Watched(Message):
    """It is over."""

    server: PostgresServer
    seen: Fact[Window]
    enough: Event
    """Which watching this was: a later one may have begun."""


class WatchfulApp(GuidedApp):
    """One watching at a time, ended by the page, by its time, or with the application."""

    def __init__(
        self, report: Callable[[BaseException], str], driver: type[TerminalDriver], watch: Watch
    ) -> None:
        super().__init__(report, driver)
        self._watch = watch
        self._enough = Event()

    def take_seen(self, server: PostgresServer, seen: Fact[Window]) -> None:
        """What becomes of it."""
        raise NotImplementedError

    def show_watching(self, passed: float) -> None:
        """How far it is."""
        raise NotImplementedError

    @work(thread=True, group="watching")
    def look_on(self, server: PostgresServer, enough: Event) -> None:
        """Watch until it is enough; every look is told to the page."""

        def told(passed: float) -> None:
            self.post_message(WatchedOn(passed, enough))

        from tunewiz.screens.watching import WATCH_SECONDS  # noqa: PLC0415 - its page is there by then

        seen = self._watch(server, WATCH_SECONDS, told, enough.is_set)
        self.post_message(Watched(server, seen, enough))

    def on_watch_asked(self, event: WatchAsked) -> None:
        """Begin, and end what was begun before."""
        self.end_watching()
        self._enough = Event()
        self.look_on(event.server, self._enough)

    def on_watch_enough(self, _event: WatchEnough) -> None:
        """What was seen until now counts."""
        self._enough.set()

    def on_watch_skipped(self, _event: WatchSkipped) -> None:
        """Nothing that was seen counts."""
        self.end_watching()

    def end_watching(self) -> None:
        """Whatever is watched is watched no longer, and comes to nothing."""
        self._enough.set()
        self._enough = Event()

    def on_watched_on(self, event: WatchedOn) -> None:
        """Progress."""
        if event.enough is self._enough:
            self.show_watching(event.passed)

    def on_watched(self, event: Watched) -> None:
        """It counts, unless it was skipped meanwhile."""
        if event.enough is self._enough:
            self.take_seen(event.server, event.seen)

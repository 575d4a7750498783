"""Measures a server's storage and reads its log in the background, and hands over what was learned."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from tunewiz.screens.messages import LogAsked, ProbeAsked, ProbeEnough
from tunewiz.tui.terminal.driver import TerminalDriver
from tunewiz.tui.watching import WatchingApp
from tunewiz.wizard.ports import Ports

if TYPE_CHECKING:
    from tunewiz.core.facts.facts import Facts
    from tunewiz.core.facts.learned_later import Learned
    from tunewiz.core.facts.log import LogSeen
    from tunewiz.core.facts.probe import Probe
    from tunewiz.core.facts.server import PostgresServer
    from tunewiz.core.values.known import Fact
    from tunewiz.tui.pages import Pages


@dataclass
class ProbedOn(Message):
    """Another part is being measured."""

    server: PostgresServer
    passed: float
    doing: str


@dataclass
class Probed(Message):
    """Measuring has ended."""

    server: PostgresServer
    probe: Fact[Probe]


@dataclass
class LogRead(Message):
    """The log has been read, or cannot be."""

    server: PostgresServer
    log: Fact[LogSeen]


class MeasuringApp(WatchingApp):
    """One probe at a time, ended by the page, by its time, or with the application."""

    def __init__(self, ports: Ports, driver: type[TerminalDriver]) -> None:
        super().__init__(ports.report, driver, ports.watch)
        self._probe, self._read_log = ports.probe, ports.read_log
        self._measured = Event()

    @property
    def pages(self) -> Pages:
        """The pages that show what was learned."""
        raise NotImplementedError

    def learn(self, learned: Learned) -> None:
        """Plan with it from now on."""
        raise NotImplementedError

    @work(thread=True, group="probing")
    def measure(self, server: PostgresServer, facts: Facts, enough: Event) -> None:
        """Measure until stopped; progress is reported to the page."""
        from tunewiz.text.measuring import PROBE_SECONDS  # noqa: PLC0415 - its page is shown by then

        def report_progress(passed: float, doing: str) -> None:
            self.post_message(ProbedOn(server, passed, doing))

        self.post_message(
            Probed(server, self._probe(server, facts, PROBE_SECONDS, report_progress, enough.is_set))
        )

    @work(thread=True, group="logs")
    def look_into_log(self, server: PostgresServer) -> None:
        """Read the log."""
        self.post_message(LogRead(server, self._read_log(server)))

    def on_probe_asked(self, event: ProbeAsked) -> None:
        """Start measuring; an earlier probe ends."""
        self.end_measuring()
        self._measured = Event()
        self.measure(event.server, event.facts, self._measured)

    def on_probe_enough(self, _event: ProbeEnough) -> None:
        """Stop, and use what was measured so far."""
        self.end_measuring()

    def on_log_asked(self, event: LogAsked) -> None:
        """Read it."""
        self.look_into_log(event.server)

    def end_measuring(self) -> None:
        """Stop measuring."""
        self._measured.set()

    def on_probed_on(self, event: ProbedOn) -> None:
        """Progress."""
        self.pages.show_probing(event.server, event.passed, event.doing)

    def on_probed(self, event: Probed) -> None:
        """Use the result."""
        from tunewiz.core.facts.learned_later import storage_probed  # noqa: PLC0415 - a journey has begun

        self.pages.show_probed(event.server, event.probe)
        self.learn(storage_probed(event.server, event.probe))

    def on_log_read(self, event: LogRead) -> None:
        """Use the result."""
        from tunewiz.core.facts.learned_later import log_read  # noqa: PLC0415 - a journey has begun

        self.pages.show_log(event.server, event.log)
        self.learn(log_read(event.server, event.log))

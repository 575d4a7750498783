"""Reads a machine in the background, and begins a journey with it.

What makes plans is imported with the first machine that is read: the first page is shown before that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message

from tunewiz.core.answers.machine_choice import Machine, ThisHost
from tunewiz.core.answers.steps import Step
from tunewiz.core.values.errors import TunewizError
from tunewiz.screens.messages import MachineChosen, ReadAgain
from tunewiz.screens.page import Page
from tunewiz.tui.terminal.driver import TerminalDriver
from tunewiz.tui.writing import WritingApp
from tunewiz.wizard.ports import AskMachine, WizardStart

if TYPE_CHECKING:
    from tunewiz.core.facts.server_here import ServerHere
    from tunewiz.session.fleet_record import FleetSession
    from tunewiz.wizard.journey import Journey
    from tunewiz.wizard.start import Begun

LOOK_AGAIN = 0.2
"""Seconds between tries to show a page that waits for a question on the screen."""


@dataclass
class Read(Message):
    """The facts have been read."""

    request: int
    """The number of the request that this answers: a later one may have been made since."""
    begun: Begun


@dataclass
class ReadFailed(Message):
    """The facts could not be read."""

    request: int
    why: str


@dataclass
class FleetFound(Message):
    """The saved session is for many servers."""

    request: int
    session: FleetSession


@dataclass
class ReadOn(Message):
    """What is being read now."""

    request: int
    what: str


@dataclass
class LookedAround(Message):
    """The servers of this host, as the first page shows them."""

    servers: tuple[ServerHere, ...]


class ReadingApp(WritingApp):
    """One machine at a time: a later request takes the place of an earlier one."""

    def __init__(self, start: WizardStart, driver: type[TerminalDriver]) -> None:
        super().__init__(start.ports, driver)
        self._start = start
        self._asked = 0
        self._is_fetching = not isinstance(start.machine, AskMachine)

    async def go_to(self, journey: Journey, step: Step) -> None:
        """Show the step's page."""
        raise NotImplementedError

    @property
    def _page(self) -> Page:
        """The page below any question."""
        return self.pages.topmost(self.screen_stack)

    @property
    def is_fetching(self) -> bool:
        """Whether a machine is being read, or the bundle written."""
        return self._is_fetching

    def ask_for(self, machine: Machine) -> None:
        """Read a machine."""
        self._asked += 1
        self._is_fetching = True
        self.read(machine, self._asked)

    @work(thread=True, group="reading")
    def read(self, machine: Machine, number: int) -> None:
        """Read a machine; progress and result are messages with the number of the request."""
        from tunewiz.wizard.start import FleetResumed, read  # noqa: PLC0415 - see above

        def report(what: str) -> None:
            self.post_message(ReadOn(number, what))

        try:
            begun = read(machine, self._start, report)
        except FleetResumed as resumed:
            self.post_message(FleetFound(number, resumed.session))
        except TunewizError as error:
            self.post_message(ReadFailed(number, str(error)))
        else:
            self.post_message(Read(number, begun))

    def on_machine_chosen(self, event: MachineChosen) -> None:
        """Read its facts."""
        self.ask_for(event.machine)

    @on(ReadAgain)
    def read_again(self) -> None:
        """Read this host again."""
        self.ask_for(ThisHost())

    def on_read_on(self, event: ReadOn) -> None:
        """Progress."""
        if event.request == self._asked:
            self._page.say(f"Reading {event.what} …")

    def on_read_failed(self, event: ReadFailed) -> None:
        """Show the error; the wizard continues."""
        if event.request == self._asked:
            self._is_fetching = False
            self.forget_typed()
            self.pages.ask_for_machine()
            self._page.complain(event.why)

    async def on_read(self, event: Read) -> None:
        """Start a new journey, with pages of its own."""
        if event.request != self._asked:
            return
        self.end_watching()
        if self.screen is self._page:
            await self.pages.begin()
            await self.go_to(event.begun.journey, event.begun.step)
            if event.begun.remark:
                self._page.complain(event.begun.remark)
            elif event.begun.news:
                self._page.say(f"{event.begun.news} v: all of it.")
            self._is_fetching = False
            self.call_after_refresh(self.run_worker, self.pages.get_ready, thread=True)
        else:
            self.set_timer(LOOK_AGAIN, partial(self.post_message, event))

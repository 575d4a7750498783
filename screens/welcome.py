"""The first page: what the program does and never does, and which machine to tune."""

# ruff: noqa: PLC0415 - what is rarely needed is imported when it is

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.answers.machine_choice import ExampleMachine, FactsFile, Machine, SavedSession, ThisHost
from tunewiz.core.answers.steps import QUESTIONS, Step
from tunewiz.screens.messages import FleetAsked, MachineChosen, StepLeft
from tunewiz.screens.page import LEAVE, Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.welcome import Offer, welcome_rows

if TYPE_CHECKING:
    from tunewiz.core.facts.server_here import ServerHere
    from tunewiz.screens.ask import Answer
    from tunewiz.wizard.journey import Journey
    from tunewiz.wizard.ports import Ports

PROMISE = """\
tunewiz reads a machine and its PostgreSQL server, asks what it is used for and what tuning may cost, \
and explains every change: what it does, what speaks against it, what was measured and where.
It writes a bundle of scripts to apply, verify and roll back. The wizard itself changes nothing."""


class Welcome(Page):
    """The page before any machine is read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", show=False),
        Binding("o", "sessions", "Sessions", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="enter", does="choose", action="choose"),
        Key(key="↑↓", does="move", action=""),
        Key(key="o", does="sessions", action="sessions", full="continue or delete a saved session"),
        LEAVE,
    )

    machines = query_one("#machines", RowList)

    def __init__(self, ports: Ports, *, asks: bool) -> None:
        super().__init__()
        self._asks = asks
        self._ports = ports
        self._offer = Offer(saved=ports.saved, examples=ports.examples)
        self._begun: Journey | None = None
        self._typed = {"file": "", "fleet": ""}

    def help_name(self) -> str:
        """The help of the first step."""
        return Step.WELCOME

    def heading(self) -> str:
        """Which machine, unless one was already named."""
        return QUESTIONS[Step.WELCOME] if self._asks else "Reading the machine"

    def aside(self) -> str:
        """The promise that matters most here."""
        return "nothing is changed by this"

    def where(self) -> Text:
        """What kind of program this is."""
        return Text("PostgreSQL on Linux, tuned with reasons", style="dim")

    def body(self) -> Iterable[Widget]:
        """What it does, then the machines."""
        yield Lines(*PROMISE.splitlines(), id="promise")
        at = "saved" if self._offer.saved else "host"
        machines = RowList(welcome_rows(self._offer), id="machines", at=at)
        machines.display = self._asks
        yield machines

    def ask(self) -> None:
        """Ask which machine: none was named, or it could not be read."""
        if not self._asks:
            self._asks = True
            self.question.write(Text(self.heading(), style="bold"), Text(self.aside(), style="dim"))
            self.machines.display = True
            _ = self.machines.focus()

    def go_on_with(self, journey: Journey) -> None:
        """Offer to continue a journey that has begun, or to replace it."""
        self.ask()
        if self._begun is None or self._begun.name != journey.name:
            self._show(dataclasses.replace(self._offer, begun=journey.name), at="begun")
        self._begun = journey

    def show_servers(self, servers: tuple[ServerHere, ...]) -> None:
        """Show which servers this host has."""
        self._show(dataclasses.replace(self._offer, servers=servers))

    def _show(self, offer: Offer, at: str = "") -> None:
        self._offer = offer
        if self.is_mounted:
            self.machines.show(welcome_rows(offer), at=at)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Choose that machine."""
        event.stop()
        self.action_choose()

    def action_choose(self) -> None:
        """Choose the machine under the cursor."""
        kind, _, name = self.machines.key.partition(" ")
        match kind:
            case "file":
                self._ask_for_file()
            case "fleet":
                self._ask_for_fleet()
            case "begun" if self._begun is not None:
                self.post_message(StepLeft(Step.WELCOME, "forward", self._begun.answers))
            case "saved":
                self._choose(SavedSession())
            case "examples":
                self._show(dataclasses.replace(self._offer, unfolded=not self._offer.unfolded))
            case "example":
                self._choose(ExampleMachine(name))
            case _:
                self._choose(ThisHost(name))

    def _ask_for_file(self) -> None:
        from tunewiz.screens.ask_path import AskPath

        about = "The path of a file that `tunewiz facts` wrote."
        self.open(AskPath("Which facts file?", about, value=self._typed["file"]), self._with_file)

    def _ask_for_fleet(self) -> None:
        from tunewiz.screens.ask_path import AskPath

        about = "A directory with one file of facts per host, or one written by `tunewiz fleet write`."
        self.open(AskPath("Which directory?", about, value=self._typed["fleet"]), self._with_fleet)

    def _with_fleet(self, answer: Answer | None) -> None:
        from tunewiz.screens.ask import Typed

        if isinstance(answer, Typed) and answer.text:
            self._typed["fleet"] = answer.text
            self.post_message(FleetAsked(answer.text))

    def action_sessions(self) -> None:
        """Ask which saved session to continue."""
        earlier = self._ports.earlier()
        if not earlier:
            self.complain("No session is saved yet.")
            return
        from tunewiz.screens.sessions import SavedSessions

        self.open(SavedSessions(earlier, self._ports.remove), self._with_session)

    def _with_session(self, name: str | None) -> None:
        if name:
            self._choose(SavedSession(name))

    def _with_file(self, answer: Answer | None) -> None:
        from tunewiz.screens.ask import Typed

        if isinstance(answer, Typed) and answer.text:
            self._typed["file"] = answer.text
            self._choose(FactsFile(answer.text))

    def _choose(self, machine: Machine) -> None:
        self.post_message(MachineChosen(machine))

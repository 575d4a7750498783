"""What the pages of a journey share: machine and step, forward and back, the answers."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Input

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.step_order import before, place
from tunewiz.core.answers.steps import QUESTIONS, Direction, Step
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.values.known import Fact, known_or
from tunewiz.screens.messages import StepLeft, UndoAsked
from tunewiz.screens.page import Page
from tunewiz.screens.since import SincePage
from tunewiz.screens.widgets.choices import Choices
from tunewiz.screens.widgets.focus import move_focus
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.watching import WATCH_SECONDS
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.last_visit import FirstVisit

NOT_CHOSEN = "Not chosen: space chooses this row; enter goes on with the marked one."
"""Said while the cursor is on an answer that is not the chosen one."""
UNDO = Key(key="u", does="undo", action="undo", full="undo the last choice, on whichever page it was made")
SINCE = Key(key="v", does="last visit", action="since", full="what changed since your last visit")
REDO = Key(key="U", does="redo", action="redo", full="redo what was undone")


class StepPage(Page):
    """A page of a journey."""

    KEEPS_ANSWERS: ClassVar[bool] = False
    """Whether its fields hold answers that the journey does not have yet."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "step_back", "Back", show=False),
        Binding("enter", "enter", "Next", show=False),
        Binding("up,k", "move_focus(-1)", "Field above", show=False),
        Binding("down,j", "move_focus(1)", "Field below", show=False),
        Binding("u", "undo", "Undo", show=False),
        Binding("U", "redo", "Redo", show=False),
        Binding("v", "since", "What changed since your last visit, if there was one", show=False),
    ]

    def __init__(self, journey: Journey) -> None:
        super().__init__()
        self.journey = journey
        self.saved = ""
        self._background = ""

    def on_mount(self) -> None:
        """Say what the keys do on a row that is not chosen."""
        for choices in self.query(Choices):
            self.watch(choices, "moved_to", partial(self._tell_keys, choices), init=False)
            self.watch(choices, "chosen", partial(self.tell_chosen, choices), init=False)

    def _tell_keys(self, choices: Choices) -> None:
        if choices.is_chosen(choices.key):
            self.be_quiet()
        else:
            self.say(NOT_CHOSEN)

    def tell_chosen(self, _choices: Choices) -> None:
        """Something else was chosen."""
        self.be_quiet()

    def help_name(self) -> str:
        """Its step."""
        return self.STEP

    def commands(self) -> tuple[Key, ...]:
        """The page's commands, and the way back to each earlier step."""
        steps = (_back_to(step) for step in before(self.STEP, self.journey.facts))
        own = super().commands()
        since = () if isinstance(self.journey.since, FirstVisit) or SINCE in own else (SINCE,)
        return (*own, *since, UNDO, REDO, *steps)

    def show(self, journey: Journey) -> None:
        """Show the current state of the journey."""
        self.journey = journey
        if self.is_mounted:
            self.top.write(self.who(), self.where())
            self.question.write(Text(self.heading(), style="bold"), Text(self.aside(), style="dim"))
            self.update_body()

    def update_body(self) -> None:
        """Update the page's own widgets."""

    def note_saved(self, words: str) -> None:
        """Show at the top whether the session is saved."""
        self.saved = words
        if self.is_mounted:
            self.top.write(self.who(), self.where())

    def show_watching(self, server: PostgresServer, passed: float) -> None:
        """Show at the top how long a server has been watched."""
        del server
        self._show_background(f"watching {passed:.0f}/{WATCH_SECONDS} s")

    def show_window(self, server: PostgresServer, window: Fact[Window]) -> None:
        """Show what was seen of a server."""
        del server, window
        self._show_background("")

    def show_skipped(self) -> None:
        """What was seen is discarded."""
        self._show_background("")

    def _show_background(self, activity: str) -> None:
        self._background = activity
        if self.is_mounted:
            self.top.write(self.who(), self.where())

    def show_probing(self, server: PostgresServer, passed: float, doing: str) -> None:
        """Show what is being measured, if the page has a place for it."""

    def show_probed(self, server: PostgresServer, probe: Fact[Probe]) -> None:
        """Show the measured storage, if the page has a place for it."""

    def show_log(self, server: PostgresServer, log: Fact[LogSeen]) -> None:
        """Show what is in the server's log, if the page has a place for it."""

    def tell_not_written(self, why: str) -> None:
        """Show why the bundle could not be written, on the page that asked for it."""

    def who(self) -> Text:
        """The machine, and whether it is this one."""
        architecture = known_or(self.journey.facts.host.architecture, "architecture unknown")
        origin = self.journey.origin
        if origin:
            origin = " (example)" if origin == self.journey.name else f" ({origin})"
        return Text.assemble(("tunewiz", "bold"), f" · {self.journey.name}{origin} · {architecture}")

    def where(self) -> Text:
        """Which step of how many."""
        number, of = place(self.STEP, self.journey.facts)
        parts = (self._background, f"{number}/{of} {self.STEP}", self.saved)
        return Text(" · ".join(part for part in parts if part), style="dim")

    def heading(self) -> str:
        """The question of the step."""
        return QUESTIONS[self.STEP]

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Enter in a list."""
        event.stop()
        self.action_enter()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a field."""
        event.stop()
        self.action_enter()

    def action_move_focus(self, direction: int) -> None:
        """To the field above or below."""
        move_focus(self, direction)

    def action_enter(self) -> None:
        """Continue; pages on which enter does something else override this."""
        self.action_step_forward()

    def action_step_forward(self) -> None:
        """Go to the next step."""
        self.post_message(StepLeft(self.STEP, "forward", self.journey.answers))

    def action_step_back(self) -> None:
        """Go to the previous step; no answer is lost."""
        self.leave_for("back")

    def action_go_back_to(self, step: str) -> None:
        """Back to that step."""
        self.leave_for(Step(step))

    def answers_here(self) -> Answers:
        """The answers with those of the page, as far as they can be parsed."""
        return self.journey.answers

    def action_undo(self) -> None:
        """Take back the last choice."""
        self.post_message(UndoAsked(self.STEP, self.answers_here()))

    def action_redo(self) -> None:
        """Make again what was taken back."""
        self.post_message(UndoAsked(self.STEP, self.answers_here(), again=True))

    def action_since(self) -> None:
        """Show what changed since the last visit."""
        if isinstance(self.journey.since, FirstVisit):
            self.complain("No earlier run of the wizard is known that read this host.")
        else:
            self.open(SincePage(self.journey.since))

    def leave_for(self, to: Direction) -> None:
        """Leave without checking the answers, which are kept."""
        self.post_message(StepLeft(self.STEP, to, self.journey.answers))


def _back_to(step: Step) -> Key:
    return Key(key="", does=step, action=f"go_back_to('{step}')", full=f"back to: {QUESTIONS[step]}")

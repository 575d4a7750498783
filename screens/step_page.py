"""What the pages of a journey have in common: which machine and step, on and back, what was answered."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Input

from tunewiz.core.answers.step_order import before, place
from tunewiz.core.answers.steps import QUESTIONS, Direction, Step
from tunewiz.core.facts.server import Window
from tunewiz.core.values.known import Fact, known_or
from tunewiz.screens.messages import StepLeft
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.focus import move_focus
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.rows import RowList
from tunewiz.wizard.journey import Journey


class StepPage(Page):
    """A page of a journey that has begun."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "step_back", "Back", show=False),
        Binding("enter", "enter", "Next", show=False),
        Binding("up", "move_focus(-1)", "Field above", show=False),
        Binding("down", "move_focus(1)", "Field below", show=False),
    ]

    def __init__(self, journey: Journey) -> None:
        super().__init__()
        self.journey = journey
        self.saved = ""

    def help_name(self) -> str:
        """Its step."""
        return self.STEP

    def commands(self) -> tuple[Key, ...]:
        """Also back to any step before this one."""
        return (*super().commands(), *(_back_to(step) for step in before(self.STEP, self.journey.facts)))

    def show(self, journey: Journey) -> None:
        """Show what is known now."""
        self.journey = journey
        if self.is_mounted:
            self.top.write(self.who(), self.where())
            self.question.write(Text(self.asked(), style="bold"), Text(self.aside(), style="dim"))
            self.update_body()

    def update_body(self) -> None:
        """Show the journey in the page's own widgets, where they show any of it."""

    def note_saved(self, words: str) -> None:
        """Say at the top whether the session is on disk."""
        self.saved = words
        if self.is_mounted:
            self.top.write(self.who(), self.where())

    def show_watching(self, passed: float) -> None:
        """How long the server has been watched, where the page shows that."""

    def show_seen(self, seen: Fact[Window]) -> None:
        """What was seen of the server, where the page shows that."""

    def tell_not_written(self, why: str) -> None:
        """Why the bundle is not there, where the page asked for it."""

    def who(self) -> Text:
        """Which machine, and whether it is another one than this."""
        architecture = known_or(self.journey.facts.host.architecture, "architecture unknown")
        origin = self.journey.origin
        if origin:
            origin = " (example)" if origin == self.journey.name else f" ({origin})"
        return Text.assemble(("tunewiz", "bold"), f" · {self.journey.name}{origin} · {architecture}")

    def where(self) -> Text:
        """Which step of how many."""
        number, of = place(self.STEP, self.journey.facts)
        saved = f" · {self.saved}" if self.saved else ""
        return Text(f"{number}/{of} {self.STEP}{saved}", style="dim")

    def asked(self) -> str:
        """As the flow has it."""
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
        """Enter goes on; pages on which it does something else say so."""
        self.action_step_forward()

    def action_step_forward(self) -> None:
        """On to the next step."""
        self.post_message(StepLeft(self.STEP, "forward", self.journey.answers))

    def action_step_back(self) -> None:
        """Back to the step before; nothing that was said is lost."""
        self.leave_for("back")

    def action_go_back_to(self, step: str) -> None:
        """Back to that step."""
        self.leave_for(Step(step))

    def leave_for(self, to: Direction) -> None:
        """Leave without asking whether everything is in order; what was answered stands."""
        self.post_message(StepLeft(self.STEP, to, self.journey.answers))


def _back_to(step: Step) -> Key:
    return Key(key="", does=step, action=f"go_back_to('{step}')", full=f"back to: {QUESTIONS[step]}")

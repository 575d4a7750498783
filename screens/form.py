"""Pages with questions: answers are checked on the way forward, and kept on the way back."""

from __future__ import annotations

from typing import ClassVar

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.parsing import checked
from tunewiz.core.answers.steps import Direction
from tunewiz.core.values.errors import InputError
from tunewiz.screens.messages import StepLeft
from tunewiz.screens.page import BACK, LEAVE
from tunewiz.screens.step_page import StepPage
from tunewiz.screens.widgets.key_bar import Key


class Form(StepPage):
    """A page with fields, choices and checkboxes."""

    KEEPS_ANSWERS: ClassVar = True
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(key="enter", does="next", action="step_forward"),
        Key(key="↑↓ tab", does="move", action=""),
        Key(key="space", does="choose", action=""),
        BACK,
        LEAVE,
    )

    def answers(self) -> Answers:
        """The answers on the page; raises InputError if a field cannot be parsed."""
        raise NotImplementedError

    def action_step_forward(self) -> None:
        """Go on, unless something is wrong: then show it."""
        try:
            answers = checked(self.answers())
        except InputError as error:
            self.complain(str(error))
        else:
            self.be_quiet()
            self.post_message(StepLeft(self.STEP, "forward", answers))

    def answers_here(self) -> Answers:
        """Text that cannot be parsed stays in its field for later and changes no answer."""
        try:
            return checked(self.answers())
        except InputError:
            return self.journey.answers

    def leave_for(self, to: Direction) -> None:
        """Go there with the answers of the page."""
        self.post_message(StepLeft(self.STEP, to, self.answers_here()))

"""A study, step by step beside the plan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.comparison.study_outcomes import retold
from tunewiz.core.planning.plan import Plan
from tunewiz.knowledge.studies import closest, load_studies
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader
from tunewiz.text.reading import TextPosition, next_match
from tunewiz.text.study import STEPS, outcome_lines


class StudyPage(Page):
    """A page to read and close; it begins with the study of the machine most like this one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,left,q,S", "close", "Close", show=False),
        Binding("right_square_bracket", "beside(1)", "Next", show=False),
        Binding("left_square_bracket", "beside(-1)", "Previous", show=False),
        Binding("s", "steps", "Steps", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="↑↓", does="scroll", action=""),
        Key(key="s", does="its steps", action="steps", full="the steps of this study, below its figures"),
        Key(key="]", does="next study", action="beside(1)"),
        Key(key="[", does="previous", action="beside(-1)", full="the previous study"),
        Key(key="esc", does="back", action="close", full="back to the review"),
    )

    reader = query_one(Reader)

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._plan = plan
        self._names = tuple(load_studies())
        self._at = self._names.index(closest(plan.start))
        self._told: tuple[Text, ...] = ()

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "study"

    def heading(self) -> str:
        """What the page is for."""
        return "What others did, step by step, beside this plan"

    def aside(self) -> str:
        """Which study of how many."""
        return f"{self._names[self._at]}, {self._at + 1} of {len(self._names)}"

    def where(self) -> Text:
        """That this is not a step of its own."""
        return Text("studies", style="dim")

    def body(self) -> Iterable[Widget]:
        """The text."""
        yield Reader()

    def on_mount(self) -> None:
        """Show the first study from its start."""
        self._show()

    def _show(self) -> None:
        name = self._names[self._at]
        self._told = tuple(outcome_lines(retold(name, load_studies()[name], self._plan)))
        self.question.write(Text(self.heading(), style="bold"), Text(self.aside(), style="dim"))
        self.be_quiet()
        self.reader.read(self._told)

    def action_beside(self, by: int) -> None:
        """Show the next study, or the previous one."""
        if 0 <= self._at + by < len(self._names):
            self._at += by
            self._show()
        else:
            self.say("This is the last study." if by > 0 else "This is the first study.")

    def action_steps(self) -> None:
        """Go to the steps."""
        place = next_match(self._told, STEPS, -1)
        if isinstance(place, TextPosition):
            self.reader.go_to(place.number)

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()

"""The last step: where the bundle goes, and why it could not be written there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from rich.text import Text
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input

from tunewiz.core.answers.steps import Direction, Step
from tunewiz.core.planning.target_names import TargetName
from tunewiz.screens.messages import WriteAsked
from tunewiz.screens.page import BACK, HELP_IN_A_FIELD
from tunewiz.screens.step_page import StepPage
from tunewiz.screens.widgets.choices import Choices
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.path_field import PathQuestion
from tunewiz.text.review import counted
from tunewiz.text.targets import contents, target_choices
from tunewiz.wizard.bundle_preview import Preview, look
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.writing import targets_of


class Write(StepPage):
    """The last step."""

    STEP: ClassVar = Step.WRITE
    KEYS: ClassVar = (
        Key(key="enter", does="write the bundle", action="write"),
        Key(key="tab", does="complete the path", action=""),
        BACK,
        Key(key="ctrl+c", does="leave", action="leave"),
    )

    out = query_one("#out", Input)

    def __init__(self, journey: Journey, preview: Preview) -> None:
        super().__init__(journey)
        self._preview = preview
        self._busy = False

    def help_key(self) -> Key:
        """F1, because the page has only a field."""
        return HELP_IN_A_FIELD

    def aside(self) -> str:
        """What the bundle contains."""
        return counted(self.journey.plan, look(self._preview, self.journey.plan).previewed)

    def hint(self) -> str:
        """What a bundle never does."""
        return "A directory that exists is never overwritten. Nothing is applied by writing it."

    def body(self) -> Iterable[Widget]:
        """The directory, and what will be in it."""
        yield Lines("")
        yield PathQuestion("Directory", self.journey.out, "", id="out")
        yield Lines("")
        ways = targets_of(self.journey.plan)
        likeliest = ways[0]
        if len(ways) > 1:
            yield Lines("Which target?", classes="heading")
            yield Choices(target_choices(ways), at=likeliest, id="target")
            yield Lines("")
        held = Lines(*_held(likeliest), id="held", classes="heading")
        held.reserve(*(tuple(_held(name)) for name in ways))
        yield held

    def on_mount(self) -> None:
        """Show what a bundle for the chosen target contains."""
        for targets in self.query("#target").results(Choices):
            self.watch(targets, "chosen", self._show_contents, init=False)

    def _show_contents(self) -> None:
        self.query_one("#held", Lines).write(*_held(self._target()))

    def _target(self) -> TargetName:
        ways = targets_of(self.journey.plan)
        chosen: list[TargetName] = [
            name
            for targets in self.query("#target").results(Choices)
            for name in ways
            if targets.is_chosen(name)
        ]
        return chosen[0] if chosen else ways[0]

    def action_enter(self) -> None:
        """Enter writes."""
        self.action_write()

    def action_write(self) -> None:
        """Ask for the bundle, once."""
        if self._busy:
            return
        out = self.out.value.strip()
        if not out:
            self.complain("Directory: expected a path, found nothing.")
            return
        self._busy = True
        self.say("Writing …")
        self.post_message(WriteAsked(out, self._target()))

    def tell_not_written(self, why: str) -> None:
        """Show why it could not be written; another directory may work."""
        self._busy = False
        self.complain(why)
        self.out.focus()

    def leave_for(self, to: Direction) -> None:
        """Go back, unless the bundle is being written."""
        if not self._busy:
            super().leave_for(to)


def _held(target: TargetName) -> Iterator[Text]:
    yield Text("It will contain:")
    for name, about in contents(target):
        yield Text.assemble("  ", (name.ljust(14), "bold"), about, no_wrap=True, overflow="ellipsis")

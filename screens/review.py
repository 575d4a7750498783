"""Everything that the bundle will do, before it is written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.answers.steps import Step
from tunewiz.core.upgrade.lines import as_sentence
from tunewiz.core.values.errors import InputError
from tunewiz.screens.messages import ProvingAsked
from tunewiz.screens.page import BACK, LEAVE
from tunewiz.screens.step_page import StepPage
from tunewiz.screens.study import StudyPage
from tunewiz.screens.upgrade import UpgradePage
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader
from tunewiz.text.diff import diff
from tunewiz.text.review import commands, counted, memory, not_reached, summary
from tunewiz.wizard.bundle_preview import Preview, Previewed, look
from tunewiz.wizard.journey import Journey

View = Literal["summary", "files", "memory"]


class Review(StepPage):
    """Summary, files, memory."""

    STEP: ClassVar = Step.REVIEW
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "look('files')", "Files", show=False),
        Binding("m", "look('memory')", "Memory", show=False),
        Binding("S", "study", "Studies", show=False),
        Binding("V", "upgrade", "Upgrade", show=False),
        Binding("p", "prove", "Measure", show=False),
        Binding("left", "step_back", "Back", show=False),
        Binding("right", "step_forward", "Write", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="enter", does="write the bundle", action="step_forward"),
        Key(key="d", does="whole diff", action="look('files')"),
        Key(key="m", does="memory", action="look('memory')"),
        Key(
            key="S", does="studies", action="study", full="what each study did, step by step beside this plan"
        ),
        BACK,
        Key(
            key="V",
            does="upgrade",
            action="upgrade",
            full="what an upgrade does to this server's settings",
        ),
        Key(
            key="p",
            does="measure",
            action="prove",
            full="measure what the reopened bundle is worth here",
        ),
        Key(key="↑↓", does="scroll", action=""),
        LEAVE,
    )

    reader = query_one(Reader)

    def __init__(self, journey: Journey, preview: Preview) -> None:
        super().__init__(journey)
        self._preview = preview
        self._view: View = "summary"

    def aside(self) -> str:
        """How many changes, restarts and reboots."""
        return counted(self.journey.plan, look(self._preview, self.journey.plan).previewed)

    def hint(self) -> str:
        """A reminder that nothing has been done yet."""
        return "Nothing has been changed or written yet."

    def body(self) -> Iterable[Widget]:
        """One of the views."""
        yield Reader()

    def on_mount(self) -> None:
        """Begin with the summary."""
        self._look("summary")

    def update_body(self) -> None:
        """Show the summary of the current plan."""
        self._look("summary")

    def action_look(self, view: View) -> None:
        """Show this view, or go back to the summary."""
        self._look("summary" if view == self._view else view)

    def action_study(self) -> None:
        """Show the studies beside the plan."""
        self.open(StudyPage(self.journey.plan))

    def action_upgrade(self) -> None:
        """Show what an upgrade does to the server's settings."""
        try:
            self.open(UpgradePage(self.journey))
        except InputError as error:
            self.complain(as_sentence(error.message))

    def action_prove(self) -> None:
        """Show how to measure the reopened bundle, or the progress of its measurement."""
        if self.journey.origin:
            self.post_message(ProvingAsked(self.journey.origin))
        else:
            self.say("Only a written bundle can be measured: write it first, then press p.")

    def action_step_back(self) -> None:
        """Go back to the summary first, then to the previous step."""
        if self._view == "summary":
            super().action_step_back()
        else:
            self._look("summary")

    def _look(self, view: View) -> None:
        self._view = view
        self.be_quiet()
        match view:
            case "summary":
                self.reader.read(summary(self.journey, self._previewed()))
            case "files":
                previewed = self._previewed()
                rows = (
                    *diff(previewed.files, self.journey.plan),
                    *not_reached(self.journey.plan, previewed),
                    Text(),
                    *commands(self.journey.plan, previewed),
                )
                self.reader.read(rows, margin=0)
                self.say("Copy rows with the terminal; the bundle contains the same. d goes back.")
            case "memory":
                self.reader.read(memory(self.journey.plan))

    def _previewed(self) -> Previewed:
        looked = look(self._preview, self.journey.plan)
        if looked.why_not:
            self.complain(looked.why_not)
        return looked.previewed

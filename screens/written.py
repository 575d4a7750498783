"""After the bundle is written: what follows, its review, and its dry run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar, Literal

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.answers.steps import Step
from tunewiz.screens.messages import DryRunAsked, DryRunEnough, EndAsked, ProvingAsked
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader
from tunewiz.text.written import steps_after
from tunewiz.wizard.outcome import Written

View = Literal["next", "review", "dry run"]


class WrittenPage(Page):
    """The last page: whatever is looked at here, the bundle stays as it is."""

    STEP: ClassVar = Step.WRITE
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,q", "end", "End", show=False),
        Binding("v", "review", "Review", show=False),
        Binding("t", "try", "Dry run", show=False),
        Binding("p", "prove", "Measure", show=False),
        Binding("escape,left", "next_steps", "Next steps", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="enter", does="end", action="end", full="end the wizard; the next steps are printed"),
        Key(key="v", does="read REVIEW.md", action="review"),
        Key(
            key="t",
            does="dry run",
            action="try",
            full="run apply.sh --dry-run, which changes nothing",
        ),
        Key(
            key="p",
            does="measure it",
            action="prove",
            full="how to measure what it is worth, and the progress",
        ),
        Key(key="esc", does="next steps", action="next_steps"),
        Key(key="↑↓", does="scroll", action=""),
    )

    reader = query_one(Reader)

    def __init__(self, written: Written, review: Callable[[int], tuple[Text, ...]]) -> None:
        super().__init__()
        self._written = written
        self._review = review
        self._view: View = "next"
        self._is_trying = False

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "written"

    def heading(self) -> str:
        """What the page is for."""
        return "The bundle is written. What next?"

    def aside(self) -> str:
        """Which part is shown."""
        return {"next": "", "review": "REVIEW.md", "dry run": "apply.sh --dry-run"}[self._view]

    def where(self) -> Text:
        """That nothing is left to answer."""
        return Text("written", style="dim")

    def hint(self) -> str:
        """What writing it did not do."""
        return "Nothing on this machine was changed. Enter ends and prints the next steps."

    def body(self) -> Iterable[Widget]:
        """One of the views."""
        yield Reader()

    def on_mount(self) -> None:
        """Begin with the next steps."""
        self.action_next_steps()

    def _look(self, view: View, lay_out: Callable[[int], tuple[Text, ...]]) -> None:
        self._view = view
        self.question.write(Text(self.heading(), style="bold"), Text(self.aside(), style="dim"))
        self.be_quiet()
        self.reader.read_for_width(lay_out)

    def action_next_steps(self) -> None:
        """Show the next steps; a dry run that has not ended is stopped."""
        if self._is_trying:
            self.post_message(DryRunEnough())
        self._look("next", lambda _width: steps_after(self._written))

    def action_review(self) -> None:
        """Show what reviewers read."""
        if self._is_trying:
            self.complain("The dry run has not ended: esc stops it.")
            return
        self._look("review", self._review)

    def action_try(self) -> None:
        """Ask for the dry run, once at a time."""
        if self._is_trying:
            return
        if not self._written.can_be_tried:
            self.complain("This bundle has no apply.sh: the next steps say how to make its changes.")
            return
        self._is_trying = True
        self.say("Running apply.sh --dry-run … esc stops it.")
        self.post_message(DryRunAsked(self._written.directory))

    def show_tried(self, said: tuple[Text, ...]) -> None:
        """Show what the dry run said."""
        self._is_trying = False
        self._look("dry run", lambda _width: said)

    def tell_not_tried(self, why: str) -> None:
        """Show why the dry run did not end by itself, or did not begin."""
        self._is_trying = False
        self.complain(why)

    def action_prove(self) -> None:
        """Show how to measure it, or the progress of its measurement."""
        self.post_message(ProvingAsked(self._written.directory))

    def action_end(self) -> None:
        """End the wizard."""
        self.post_message(EndAsked())

"""The list of possible changes, with the decision and its cost in one row, and pros and cons below."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.steps import Step
from tunewiz.core.planning.decisions import (
    is_open,
    noted,
    put_aside,
    replaced,
    takes_value,
    tally,
    toggled,
    why_no_value,
)
from tunewiz.core.planning.finding import NotDecided
from tunewiz.screens.ask import Answer, AskOne, Typed
from tunewiz.screens.copying import COPY, COPY_KEYS, What, copy
from tunewiz.screens.explain import Explain
from tunewiz.screens.finding_pane import FindingPane, division_of
from tunewiz.screens.findings_list import FindingsList
from tunewiz.screens.messages import Decided
from tunewiz.screens.own_value import note_question, value_question
from tunewiz.screens.page import BACK
from tunewiz.screens.step_page import StepPage
from tunewiz.screens.what_if import WhatIf
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.lines import Rule
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.arrangement import AS_USUAL, Arrangement, choices
from tunewiz.text.choice import Choice
from tunewiz.text.findings import marks_in_words
from tunewiz.text.headline import headline
from tunewiz.wizard.journey import Journey


class Recommendations(StepPage):
    """Accept, decline, change, note."""

    STEP: ClassVar = Step.RECOMMENDATIONS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "Own value", show=False),
        Binding("n", "note", "Note", show=False),
        Binding("x", "put_back", "As proposed", show=False),
        Binding("a", "everything", "All", show=False),
        Binding("slash", "find", "Find", show=False),
        Binding("f", "filter", "Filter", show=False),
        Binding("s", "sort", "Sort", show=False),
        *COPY,
        Binding("z", "fold", "Fold", show=False),
        Binding("i", "what_if", "What if", show=False),
        Binding("right", "step_forward", "Review", show=False),
        Binding("left", "step_back", "Back", show=False),
    ]
    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(key="space", does="yes/no", action="toggle_row", full="accept or decline this one"),
        Key(key="enter", does="explain", action="explain", full="explain this in full"),
        Key(key="e", does="value", action="edit", full="set a value of your own"),
        Key(key="/", does="find", action="find", full="find by name or subject"),
        Key(key="→", does="review", action="step_forward", full="on to the review"),
        BACK,
        Key(
            key="x",
            does="as proposed",
            action="put_back",
            full="drop your own decision, value and comment",
        ),
        Key(key="f", does="filter", action="filter", full="show some only, by restart, risk, evidence"),
        Key(key="s", does="sort", action="sort", full="sort by subject, impact, risk or name"),
        Key(key="i", does="what if", action="what_if", full="try other memory, connections, posture"),
        Key(key="z", does="fold", action="fold", full="fold or unfold what is told beside or below the list"),
        Key(key="n", does="note", action="note", full="write a note for the reviewer"),
        *COPY_KEYS,
        Key(key="a", does="all", action="everything", full="show or hide what is left alone, and why"),
    )

    listed = query_one(FindingsList)
    advice = query_one("#advice", RowList)
    pane = query_one(FindingPane)
    under_question = query_one(".under-question", Rule)

    def __init__(self, journey: Journey) -> None:
        super().__init__(journey)
        self._division = division_of(Size(0, 0))
        self._folded = False

    def heading(self) -> str:
        """What the plan does, in numbers."""
        return headline(self.journey.plan)

    def aside(self) -> str:
        """Which findings the list shows, in which order."""
        return self._arrangement().in_words

    def _arrangement(self) -> Arrangement:
        return self.listed.arrangement if self.is_mounted else AS_USUAL

    def legend(self) -> Text:
        """What the marks in the list mean."""
        return marks_in_words(self.journey.plan.findings)

    def hint(self) -> str:
        """What the filter hides; otherwise the plan's first warning, or how to see everything."""
        warnings, arrangement = self.journey.plan.warnings, self._arrangement()
        if arrangement.is_filter or not warnings:
            return arrangement.hint(tally(self.journey.plan.findings).left_alone)
        first, *others = warnings
        count = f"{len(warnings)} warnings, all in the review: " if others else ""
        return f"! {count}{first.text}"

    def body(self) -> Iterable[Widget]:
        """List and pane."""
        yield FindingsList(self.journey.plan)
        yield Rule(classes="above-pane")
        yield FindingPane()

    def on_mount(self) -> None:
        """Follow the cursor."""
        self._divide()
        self.watch(self.advice, "moved_to", self._tell, init=False)

    def update_body(self) -> None:
        """Show the current plan; the cursor stays."""
        self.be_quiet()
        self.under_question.write(self.legend())
        self._list()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out list and pane for the new size, then the columns."""
        del event
        self._divide()
        self.call_after_refresh(self._list)

    def _divide(self) -> None:
        """Pane below the list, or beside it."""
        self._division = division_of(self.app.size, folded=self._folded)
        self.set_class(self._division.is_beside, "beside")
        self.set_class(self._folded, "folded")
        self.listed.take(self._division.list_width)
        self.pane.divide(self._division)

    def _list(self) -> None:
        self.listed.show(self.journey.plan)
        self._beside()

    def _beside(self) -> None:
        self.pane.tell(self.listed.finding, self.journey.plan)

    def _tell(self) -> None:
        self.be_quiet()
        self._beside()

    @on(RowList.Toggled)
    def action_toggle_row(self) -> None:
        """Accept what was declined, and the other way round."""
        finding = self.listed.finding
        if finding is None:
            return
        if is_open(finding):
            self._decide(toggled(finding, self.journey.answers))
        else:
            self.complain(f"Nothing to decide: {finding.because}")

    def action_enter(self) -> None:
        """Explain the finding; in the search, go to what was found."""
        if self.advice.has_focus:
            self.action_explain()
        else:
            self.advice.focus()

    def action_explain(self) -> None:
        """Explain the finding under the cursor in full."""
        finding = self.listed.finding
        if finding is not None:
            self.open(Explain(finding, self.journey.plan))

    def action_edit(self) -> None:
        """Ask for a value, checked before it is accepted."""
        finding = self.listed.finding
        if finding is None:
            return
        if not takes_value(finding):
            self.complain(why_no_value(finding))
            return
        answers = self.journey.answers

        def take(answer: Answer | None) -> None:
            if isinstance(answer, Typed):
                self._decide(replaced(finding, answer.text, answers))

        self.open(value_question(finding, self.journey), take)

    def action_put_back(self) -> None:
        """Take back what was decided about the finding under the cursor."""
        finding = self.listed.finding
        if finding is None or isinstance(finding.decision, NotDecided):
            self.complain("You decided nothing here: it is as proposed.")
        else:
            gone = ", without your note" if finding.decision.note else ""
            answers = put_aside(frozenset({finding.recommendation.id}), self.journey.answers)
            self.post_message(Decided(answers, f"As proposed again{gone}. u takes that back."))

    def action_note(self) -> None:
        """Ask for a note for the reviewer."""
        finding = self.listed.finding
        if finding is None:
            return
        answers = self.journey.answers

        def take(answer: Answer | None) -> None:
            if isinstance(answer, Typed):
                self._decide(noted(finding, answer.text, answers))

        self.open(note_question(finding), take)

    def _decide(self, answers: Answers) -> None:
        self.post_message(Decided(answers))

    def action_everything(self) -> None:
        """Show or hide what is left alone."""
        self.listed.turn_everything()
        self._list()

    def action_fold(self) -> None:
        """Give the list the room of the pane, or the pane its room again."""
        self._folded = not self._folded
        self._divide()
        self.call_after_refresh(self._list)

    def action_filter(self) -> None:
        """Ask which findings to show."""
        about = ["How many of them there are stands beside each."]
        cancel = Choice(key="", title="Cancel")
        shown = (*choices(self.journey.plan.findings), cancel)
        self.open(AskOne("Show which?", about, shown), self._filtered)

    def _filtered(self, shown: str | None) -> None:
        if shown:
            self.listed.filter(shown)
        self.show(self.journey)

    def action_copy(self, what: What) -> None:
        """Copy the value under the cursor, or the command that sets it."""
        copy(self, self.listed.finding, what)

    def action_what_if(self) -> None:
        """Move answers and see the plan move, before deciding."""
        self.open(WhatIf(self.journey))

    def action_sort(self) -> None:
        """Sort by the next of the orders."""
        order = self.listed.sort()
        self.show(self.journey)
        self.advice.go_to_first()
        self.say(f"Sorted by {order}.")

    def action_find(self) -> None:
        """Open the search."""
        self.listed.begin_search()
        self.say("Type part of a name. enter: to the list · esc: show all again")

    @on(FindingsList.Narrowed)
    def tell_of_another(self) -> None:
        """The cursor is on what was found."""
        self._beside()

    def action_step_back(self) -> None:
        """Leave the search first, then go back."""
        if self.listed.end_search():
            self.be_quiet()
            self._list()
        else:
            super().action_step_back()

"""What was found, fact by fact; wrong facts can be corrected, and stay marked as corrected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.answers.corrections import CORRECTABLE, correctable
from tunewiz.core.answers.put_back import put_back
from tunewiz.core.answers.steps import Step
from tunewiz.screens.ask import Answer, AskText, Typed
from tunewiz.screens.messages import FactsCorrected, ReadAgain
from tunewiz.screens.page import BACK, LEAVE, WIDEST
from tunewiz.screens.step_page import SINCE, StepPage
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.machine import fact_lines, machine_rows
from tunewiz.wizard.last_visit import FirstVisit

NEXT = Key(key="enter", does="next", action="step_forward")
CORRECT = Key(key="c", does="correct", action="correct")
AGAIN = Key(key="r", does="read again", action="read_again")
AS_READ = Key(
    key="x", does="as read", action="put_back", full="undo the correction of a fact: as it was read"
)


class MachinePage(StepPage):
    """Hardware, kernel, storage, servers."""

    STEP: ClassVar = Step.MACHINE
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "correct", "Correct", show=False),
        Binding("r", "read_again", "Read again", show=False),
        Binding("x", "put_back", "As read", show=False),
    ]
    KEYS: ClassVar = (NEXT, CORRECT, AGAIN, AS_READ, BACK, LEAVE)

    facts_list = query_one("#found", RowList)

    def keys(self) -> tuple[Key, ...]:
        """With what changed, on a host that was read before."""
        if isinstance(self.journey.since, FirstVisit):
            return self.KEYS
        return (NEXT, CORRECT, SINCE, AGAIN, BACK, AS_READ, LEAVE)

    def aside(self) -> str:
        """The promise again: reading is all that happened."""
        return "nothing is changed by this"

    def hint(self) -> str:
        """What can be done here."""
        return "Something wrong? Correct it: the correction stays visible in the review."

    def body(self) -> Iterable[Widget]:
        """All facts."""
        yield RowList(id="found")

    def update_body(self) -> None:
        """The facts as they are now."""
        room = self.size.width - 1
        self.facts_list.show(machine_rows(self.journey.facts, min(WIDEST - 1, room), room))

    def on_resize(self, _event: events.Resize) -> None:
        """Lay out the rows for the new width."""
        self.update_body()

    def on_mount(self) -> None:
        """Show in full what did not fit in the row."""
        self.watch(self.facts_list, "moved_to", self._tell, init=False)

    def _tell(self, key: str) -> None:
        fact_line = next(line for line in fact_lines(self.journey.facts) if line.key == key)
        words = f"{fact_line.label.strip()}: {fact_line.value}" + (
            f" ({fact_line.how})" if fact_line.how else ""
        )
        self.say(words)

    def action_correct(self) -> None:
        """Ask for the right value of the fact under the cursor."""
        key = self.facts_list.key
        if key not in {entry.key for entry in CORRECTABLE}:
            can = ", ".join(entry.title.lower() for entry in CORRECTABLE[:5])
            self.complain(f"This cannot be corrected here. These can: {can} …")
            return
        fact = correctable(key)

        def take(answer: Answer | None) -> None:
            if isinstance(answer, Typed):
                self.post_message(FactsCorrected(fact.correct(self.journey.facts, answer.text)))

        about = f"Enter {fact.expected}."
        self.open(
            AskText(
                fact.title,
                about,
                value=fact.shown(self.journey.facts),
                check=fact.check_asking_again(self.journey.facts),
            ),
            take,
        )

    def action_put_back(self) -> None:
        """Put the fact under the cursor back to what was read."""
        facts, key = self.journey.facts, self.facts_list.key
        for fact in CORRECTABLE:
            if fact.key == key and fact.is_corrected(facts):
                self.post_message(FactsCorrected(put_back(key, facts, self.journey.as_read)))
                return
        self.complain("This fact was not corrected.")

    def action_read_again(self) -> None:
        """Read the machine once more."""
        if self.journey.is_this_host:
            self.post_message(ReadAgain())
        else:
            self.complain(f"These facts were not read on this host: {self.journey.origin}.")

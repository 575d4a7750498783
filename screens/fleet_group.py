"""One group: the recommendations of its first host, decided for all its hosts at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType

from tunewiz.core.answers.answers import Decision
from tunewiz.core.answers.steps import Direction
from tunewiz.core.fleet.summary import GroupSummary
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.plural import how_many
from tunewiz.screens.fleet_hosts import HostsPage
from tunewiz.screens.fleet_work import FleetWork
from tunewiz.screens.messages import Decided, UndoAsked
from tunewiz.screens.page import Page
from tunewiz.screens.recommendations import Recommendations
from tunewiz.screens.step_page import REDO, UNDO
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.wizard.journey import Journey

_NOT_HERE = frozenset({"what_if"})
"""Actions that try other facts of a single host."""
_BACK = "step_back"
_DIFFERS = Key(
    key="d", does="what differs", action="differs", full="the values that differ from host to host"
)


def _keys() -> tuple[Key, ...]:
    keys = [key for key in Recommendations.KEYS if key.action not in _NOT_HERE]
    at = next(number for number, key in enumerate(keys) if key.action == _BACK)
    return (*keys[:at], _DIFFERS, *keys[at:])


class GroupPage(Recommendations):
    """The recommendations for the group's first host; a decision is taken for all of them."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("d", "differs", "What differs", show=False)]
    KEYS: ClassVar[tuple[Key, ...]] = _keys()

    def __init__(self, work: FleetWork, summary: GroupSummary, journey: Journey) -> None:
        super().__init__(journey)
        self._work = work
        self._found = summary
        self._before: Mapping[str, Decision] = journey.answers.decisions

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "fleet group"

    def commands(self) -> tuple[Key, ...]:
        """Without the commands that move between steps."""
        return (*Page.commands(self), UNDO, REDO)

    def who(self) -> Text:
        """The group, and the host whose values are shown."""
        group = self._found.group
        hosts = how_many(len(group.hosts), "host")
        return Text.assemble(("tunewiz", "bold"), f" · {group.name}, {hosts}")

    def where(self) -> Text:
        """The host whose values are shown, and whether decisions are saved."""
        saved = f" · {self.saved}" if self.saved else ""
        return Text(f"values of {self.journey.name}{saved}", style="dim")

    def hint(self) -> str:
        """Which hosts a decision is for."""
        return "A decision is for every host of the group; esc plans them with it."

    def on_decided(self, event: Decided) -> None:
        """Plan the first host again; the others follow when the page is left."""
        event.stop()
        try:
            self.show(self.journey.with_answers(event.answers))
        except InputError as error:
            self.complain(str(error))
        else:
            self._note()

    def _note(self) -> None:
        """Have the decisions saved before the page is left."""
        is_decided = self.journey.answers.decisions != self._before
        self._work.note(self._hosts if is_decided else frozenset(), self.journey.answers.decisions)

    @property
    def _hosts(self) -> frozenset[str]:
        return frozenset(host.host for host in self._found.group.hosts)

    def on_undo_asked(self, event: UndoAsked) -> None:
        """Take back the last choice, or make it again."""
        event.stop()
        try:
            travelled = self.journey.travelled(again=event.again)
        except InputError as error:
            self.complain(str(error))
        else:
            self.show(travelled.journey)
            self.say(travelled.words)
            self._note()

    def action_what_if(self) -> None:
        """Say that this works for a single host only."""
        self.complain("What if works for a single host: open the facts of that host.")

    def action_differs(self) -> None:
        """Show what differs from host to host."""
        self.open(HostsPage(self._found.group))

    def action_step_forward(self) -> None:
        """Read the review, as it would be written."""
        if self.journey.answers.decisions != self._before:
            self.complain("Press esc first: it plans every host of the group with your decisions.")
            return
        self._work.show_text(self._found.group.name, self.journey.plan)

    def leave_for(self, to: Direction) -> None:
        """Close the page; what was decided is planned for every host."""
        del to
        decisions = self.journey.answers.decisions
        _ = self.dismiss()
        if decisions != self._before:
            self._work.decide(self._hosts, decisions)

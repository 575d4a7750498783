"""What becomes of the server's settings in a newer major version."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.upgrade.upgrade import server_of, upgrade_of
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.versions import USUAL, Major
from tunewiz.knowledge.upgrades import load_release_notes
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader
from tunewiz.text.upgrade import upgrade_lines
from tunewiz.wizard.journey import Journey


def newer_majors(journey: Journey) -> tuple[Major, ...]:
    """Those that the server can be upgraded to, the oldest first; raises InputError if there are none."""
    start = journey.plan.start
    _ = server_of(start)
    newer = tuple(sorted(major for major in journey.knowledge.settings if major > start.major))
    if not newer:
        raise InputError(f"no version newer than {start.major}, which this server runs, is known here")
    return newer


class UpgradePage(Page):
    """A page to read and close; it begins with the newest major that was tried."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,left,q,V", "close", "Close", show=False),
        Binding("right_square_bracket", "beside(1)", "Next", show=False),
        Binding("left_square_bracket", "beside(-1)", "Previous", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="↑↓", does="scroll", action=""),
        Key(key="]", does="newer version", action="beside(1)", full="the next newer major version"),
        Key(key="[", does="older", action="beside(-1)", full="the next older major version"),
        Key(key="esc", does="back", action="close", full="back to the review"),
    )

    reader = query_one(Reader)

    def __init__(self, journey: Journey) -> None:
        super().__init__()
        self._journey = journey
        self._majors = newer_majors(journey)
        self._at = max(0, sum(major <= USUAL for major in self._majors) - 1)

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "upgrade"

    def heading(self) -> str:
        """What the page is for."""
        return f"What an upgrade to PostgreSQL {self._majors[self._at]} does to these settings"

    def aside(self) -> str:
        """Which version of how many."""
        return f"{self._at + 1} of {len(self._majors)}"

    def where(self) -> Text:
        """That this is not a step of its own."""
        return Text("upgrade", style="dim")

    def body(self) -> Iterable[Widget]:
        """The text."""
        yield Reader()

    def on_mount(self) -> None:
        """Show the first version from its start."""
        self._show()

    def _show(self) -> None:
        knowledge = self._journey.knowledge
        to = knowledge.settings[self._majors[self._at]]
        upgrade = upgrade_of(self._journey.plan, to, load_release_notes(), knowledge.catalogue)
        self.question.write(Text(self.heading(), style="bold"), Text(self.aside(), style="dim"))
        self.be_quiet()
        self.reader.read(tuple(upgrade_lines(upgrade, self._journey.facts)))

    def action_beside(self, by: int) -> None:
        """Show the next newer version, or the next older one."""
        if 0 <= self._at + by < len(self._majors):
            self._at += by
            self._show()
        else:
            self.say(
                "This is the newest version known here."
                if by > 0
                else "This is the next version: none is older."
            )

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()

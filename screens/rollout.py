"""The progress of a rollout, read again and again while the page is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.screens.fleet_text import FleetText
from tunewiz.screens.fleet_work import RolloutRead, WorkFailed
from tunewiz.screens.page import LEAVE, Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.rollout import host_in_full, needs_attention, rollout_in_words, rollout_rows

EVERY = 2.0
"""Seconds between two readings of the files: even the shortest step over ssh takes longer."""


class RolloutPage(Page):
    """The waves and their hosts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,left", "close", "Back", show=False),
        Binding("n", "next_failed", "Next failure", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="enter", does="this host", action="tell", full="every step of this host, and why it failed"),
        Key(key="n", does="next failure", action="next_failed", full="the next host that failed or drifted"),
        Key(key="↑↓", does="move", action=""),
        Key(key="esc", does="back", action="close"),
        LEAVE,
    )

    hosts = query_one("#hosts", RowList)

    def __init__(self, place: str, look: Callable[[], None]) -> None:
        super().__init__()
        self._place = place
        self._look = look
        self._state: RolloutRead | None = None

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "rollout"

    def who(self) -> Text:
        """The project."""
        return Text.assemble(("tunewiz", "bold"), f" · {self._place}")

    def where(self) -> Text:
        """How often the files are read."""
        return Text(f"rollout · read every {EVERY:.0f} s", style="dim")

    def heading(self) -> str:
        """How many hosts are in each state."""
        return "Reading its files" if self._state is None else rollout_in_words(self._state.rollout)

    def hint(self) -> str:
        """How to continue the rollout."""
        return "In ansible/: ansible-playbook check.yml, then apply.yml; README.md says more."

    def body(self) -> Iterable[Widget]:
        """The list."""
        yield RowList(id="hosts")

    def on_mount(self) -> None:
        """Read the files, and again after each reading."""
        self._look()

    def on_rollout_read(self, event: RolloutRead) -> None:
        """Show the progress; the cursor stays on its host."""
        first = self._state is None
        self._state = event
        self.question.write(Text(self.heading(), style="bold"), Text())
        self.hosts.show(tuple(rollout_rows(event.rollout, event.current_time)))
        if first:
            self.hosts.focus()
        self.set_timer(EVERY, self._look)

    def on_work_failed(self, event: WorkFailed) -> None:
        """Show why; a later reading may succeed."""
        self.complain(event.why)
        self.set_timer(EVERY, self._look)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Enter was pressed in the list."""
        event.stop()
        self.action_tell()

    def action_tell(self) -> None:
        """Show every step of the host under the cursor."""
        if (state := self._state) is None:
            return
        host = next((host for host in state.rollout.hosts if host.host == self.hosts.key), None)
        if host is not None:
            rows = tuple(host_in_full(host, state.rollout, state.current_time))
            self.open(FleetText(host.host, "steps, newest last", lambda _width: rows))

    def action_next_failed(self) -> None:
        """Go to the next host that needs attention."""
        hosts = self._state.rollout.hosts if self._state is not None else ()
        names = [host.host for host in hosts]
        at = names.index(self.hosts.key) + 1 if self.hosts.key in names else 0
        wanted = [progress.host for progress in (*hosts[at:], *hosts[:at]) if needs_attention(progress)]
        if wanted:
            self.hosts.move_to([row.key for row in self.hosts.rows].index(wanted[0]))
        else:
            self.say("No host has failed or drifted.")

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()

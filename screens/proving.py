"""Measuring what a bundle is worth on this server: how it is started, its progress, its result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.proof.bench_seen import BenchSeen, UnderWay
from tunewiz.core.words.bench import DURING
from tunewiz.screens.messages import ComparingAsked, CopyAsked, ProvingLooked
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.reader import Reader
from tunewiz.text.proving import command_in, proving_rows, short_state

LOOK = 1.0
"""Seconds between two readings of the measurement's state."""


class ProvingPage(Page):
    """A page to read: the measurement is started in another terminal and does not need the wizard."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,left,q,p", "close", "Close", show=False),
        Binding("c", "compare", "Observed", show=False),
        Binding("y", "copy_command", "Copy the command", show=False),
    ]
    KEYS: ClassVar = (
        Key(key="esc", does="back", action="close", full="back to where it was opened"),
        Key(
            key="c",
            does="observed",
            action="compare",
            full="what was observed before and after the change",
        ),
        Key(
            key="y",
            does="copy the command",
            action="copy_command",
            full="copy the command to the terminal's clipboard",
        ),
        Key(key="↑↓", does="scroll", action=""),
    )

    reader = query_one(Reader)

    def __init__(self, directory: str) -> None:
        super().__init__()
        self.directory = directory
        self._seen: BenchSeen | None = None

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "proving"

    def heading(self) -> str:
        """What the page is for."""
        return "What is this plan worth on this server?"

    def where(self) -> Text:
        """Shown in place of the step: this page is not one."""
        return Text("proof", style="dim")

    def hint(self) -> str:
        """Who starts the measurement."""
        if isinstance(self._seen, UnderWay):
            return DURING
        return "You start it in another terminal; this page follows it."

    def body(self) -> Iterable[Widget]:
        """The text."""
        yield Reader()

    def on_mount(self) -> None:
        """Read the state now, then at every interval."""
        self.be_quiet()
        self._look()
        _ = self.set_interval(LOOK, self._look)

    def _look(self) -> None:
        _ = self.post_message(ProvingLooked(self.directory))

    def show(self, state: BenchSeen) -> None:
        """Show it if it is new, without moving what the reader scrolled to."""
        if state == self._seen:
            return
        is_same_kind = type(state) is type(self._seen)
        row = self.reader.scroll_offset.y if is_same_kind else 0
        self._seen = state
        self.question.write(Text(self.heading(), style="bold"), Text(short_state(state), style="dim"))
        self.message.write(Text(f" {self.hint()}", style="dim"))
        self.reader.read(proving_rows(state))
        self.reader.scroll_to(y=row, animate=False, immediate=True)

    def action_copy_command(self) -> None:
        """Send the command to the terminal's clipboard."""
        command = "" if self._seen is None else command_in(self._seen)
        if command:
            self.post_message(CopyAsked(command))
        else:
            self.say("There is no command to copy.")

    def action_compare(self) -> None:
        """Show what was observed before and after the change."""
        self.post_message(ComparingAsked(self.directory))

    def action_close(self) -> None:
        """Go back to where it was opened."""
        _ = self.dismiss()

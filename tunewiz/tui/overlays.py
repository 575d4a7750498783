"""Overlays of any page: help, glossary, commands, the question before leaving.

Each is imported on first use: the first page is shown before any of them.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

from textual import on
from textual.screen import Screen

from tunewiz.screens.messages import CommandsAsked, GlossaryAsked, HelpAsked, LeaveAsked
from tunewiz.tui.typed_ahead import TypedAheadApp
from tunewiz.wizard.outcome import Dropped, FleetWritten, Kept, Written


class OverlayApp(TypedAheadApp):
    """Opens the overlays, which close themselves."""

    @on(HelpAsked)
    def show_help(self, event: HelpAsked) -> None:
        """Show the help of a page over it."""
        from tunewiz.screens.help import Help

        _ = self.push_screen(Help(event.page, self.screen))

    @on(GlossaryAsked)
    def show_glossary(self) -> None:
        """Show the glossary over the current page."""
        from tunewiz.screens.glossary import GlossaryPage

        _ = self.push_screen(GlossaryPage())

    @on(CommandsAsked)
    def show_commands(self, event: CommandsAsked) -> None:
        """Show the commands of a page, and run the chosen one there."""
        from tunewiz.screens.palette import Palette

        page: Screen[object] = self.screen

        async def do(action: str | None) -> None:
            if action:
                await page.run_action(action)

        _ = self.push_screen(Palette(event.commands), do)

    @property
    def has_begun(self) -> bool:
        """Whether a journey has begun, which can be resumed."""
        raise NotImplementedError

    @property
    def written(self) -> Written | FleetWritten | None:
        """The bundle, once there is one: then nothing is left to ask."""
        raise NotImplementedError

    @on(LeaveAsked)
    async def action_ask_leave(self) -> None:
        """Ask before leaving, once."""
        from tunewiz.screens.ask import AskOne
        from tunewiz.tui.leave_question import question

        if self.written is not None:
            self.exit(self.written)
        elif not isinstance(self.screen, AskOne):
            await self.push_screen(question(has_begun=self.has_begun), self._leave)

    def _leave(self, answer: str | None) -> None:
        from tunewiz.tui.leave_question import FORGET, KEEP

        if answer == KEEP:
            self.exit(Kept())
        elif answer == FORGET:
            self.exit(Dropped())

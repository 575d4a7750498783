"""What may stand over any page and decides nothing: help, glossary, commands, the last question.

Each is imported when it is asked for: the first page is there before any of them.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

from textual import on
from textual.screen import Screen

from tunewiz.screens.messages import CommandsAsked, GlossaryAsked, HelpAsked, LeaveAsked
from tunewiz.tui.typed_ahead import TypedAheadApp
from tunewiz.wizard.outcome import Dropped, Kept


class GuidedApp(TypedAheadApp):
    """Opens them; each closes by itself."""

    @on(HelpAsked)
    def show_help(self, event: HelpAsked) -> None:
        """The help of a page, over it."""
        from tunewiz.screens.help import Help

        _ = self.push_screen(Help(event.page))

    @on(GlossaryAsked)
    def show_glossary(self) -> None:
        """The glossary, over whatever is shown."""
        from tunewiz.screens.glossary import GlossaryPage

        _ = self.push_screen(GlossaryPage())

    @on(CommandsAsked)
    def show_commands(self, event: CommandsAsked) -> None:
        """The commands of the page that asks; the chosen one is done there."""
        from tunewiz.screens.palette import Palette

        page: Screen[object] = self.screen

        async def do(action: str | None) -> None:
            if action:
                await page.run_action(action)

        _ = self.push_screen(Palette(event.commands), do)

    @property
    def has_begun(self) -> bool:
        """Whether there is something to keep."""
        raise NotImplementedError

    @on(LeaveAsked)
    async def action_ask_leave(self) -> None:
        """Ask before the end, once."""
        from tunewiz.screens.ask import AskOne
        from tunewiz.tui.leaving import question

        if not isinstance(self.screen, AskOne):
            await self.push_screen(question(has_begun=self.has_begun), self._leave)

    def _leave(self, answer: str | None) -> None:
        from tunewiz.tui.leaving import FORGET, KEEP

        if answer == KEEP:
            self.exit(Kept())
        elif answer == FORGET:
            self.exit(Dropped())

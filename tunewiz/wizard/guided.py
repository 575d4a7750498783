"""What may stand over any page and decides nothing: help, glossary, commands by name."""

from __future__ import annotations

from textual import on
from textual.screen import Screen

from tunewiz.screens.glossary import GlossaryPage
from tunewiz.screens.help import Help
from tunewiz.screens.messages import CommandsAsked, GlossaryAsked, HelpAsked
from tunewiz.screens.palette import Palette
from tunewiz.wizard.terminal_app import TerminalApp


class GuidedApp(TerminalApp):
    """Opens them; each closes by itself."""

    @on(HelpAsked)
    def show_help(self, event: HelpAsked) -> None:
        """The help of a page, over it."""
        _ = self.push_screen(Help(event.page))

    @on(GlossaryAsked)
    def show_glossary(self) -> None:
        """The glossary, over whatever is shown."""
        _ = self.push_screen(GlossaryPage())

    @on(CommandsAsked)
    def show_commands(self, event: CommandsAsked) -> None:
        """The commands of the page that asks; the chosen one is done there."""
        page: Screen[object] = self.screen

        async def do(action: str | None) -> None:
            if action:
                await page.run_action(action)

        _ = self.push_screen(Palette(event.commands), do)

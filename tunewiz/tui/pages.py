"""The page of each step; pages are kept, so that each comes back as it was left.

Each page is a Textual mode: a screen with nothing below it. A screen below another would be painted too.
The steps' pages are imported with the first of them: the welcome page is shown before that.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from textual.screen import Screen

from tunewiz.core.answers.steps import Step
from tunewiz.screens.page import Page
from tunewiz.screens.welcome import Welcome

if TYPE_CHECKING:
    from tunewiz.core.facts.log import LogSeen
    from tunewiz.core.facts.probe import Probe
    from tunewiz.core.facts.server import PostgresServer, Window
    from tunewiz.core.values.known import Fact
    from tunewiz.screens.step_page import StepPage
    from tunewiz.wizard.bundle_preview import Preview
    from tunewiz.wizard.journey import Journey


class Switchboard(Protocol):
    """The part of Textual's App that is needed here."""

    def add_mode(self, mode: str, base_screen: Callable[[], Screen[None]]) -> None:
        """Register a screen under a name."""
        ...

    def remove_mode(self, mode: str) -> Awaitable[object]:
        """Remove the screen."""
        ...

    def switch_mode(self, mode: str) -> Awaitable[object]:
        """Show the screen with that name."""
        ...


class Pages:
    """The pages of one journey, and the welcome page, which belongs to none."""

    def __init__(self, board: Switchboard, welcome: Welcome, preview: Preview) -> None:
        self._board = board
        self._preview = preview
        self._welcome = welcome
        self._pages: dict[Step, StepPage] = {}
        board.add_mode(Step.WELCOME, lambda: welcome)

    async def go(self, step: Step, journey: Journey) -> Page:
        """Show the step's page, new or as it was left, with the current journey."""
        if step is not Step.WELCOME and step not in self._pages:
            self._add(step, self._new(step, journey))
        self.show(journey)
        await self._board.switch_mode(step)
        page = self._pages.get(step, self._welcome)
        page.be_quiet()
        page.focus_field()
        return page

    def _add(self, step: Step, page: StepPage) -> None:
        self._pages[step] = page
        self._board.add_mode(step, lambda: page)

    def _new(self, step: Step, journey: Journey) -> StepPage:
        from tunewiz.tui.step_pages import new_page  # noqa: PLC0415 - see above

        return new_page(step, journey, self._preview)

    def get_ready(self) -> None:
        """Import what later pages need, in a thread, while a person reads the first."""
        from tunewiz.tui.step_pages import get_ready  # noqa: PLC0415 - see above

        get_ready()

    async def begin(self) -> None:
        """Drop the pages of the previous journey."""
        await self._board.switch_mode(Step.WELCOME)
        for step in list(self._pages):
            del self._pages[step]
            await self._board.remove_mode(step)

    async def renew(self, step: Step, journey: Journey) -> Page:
        """Show the step's page with other answers: pages with fields are made anew."""
        await self._board.switch_mode(Step.WELCOME)
        for entry in [step for step, page in self._pages.items() if page.KEEPS_ANSWERS]:
            del self._pages[entry]
            await self._board.remove_mode(entry)
        return await self.go(step, journey)

    def ask_for_machine(self) -> None:
        """The machine that was named could not be read."""
        self._welcome.ask()

    def show(self, journey: Journey) -> None:
        """Update all pages."""
        self._welcome.go_on_with(journey)
        for page in self._pages.values():
            page.show(journey)

    def show_watching(self, server: PostgresServer, passed: float) -> None:
        """Show how long the server has been watched."""
        for page in self._pages.values():
            page.show_watching(server, passed)

    def show_skipped(self) -> None:
        """Show that nothing is watched any longer."""
        for page in self._pages.values():
            page.show_skipped()

    def show_window(self, server: PostgresServer, window: Fact[Window]) -> None:
        """Show what was seen of the server."""
        for page in self._pages.values():
            page.show_window(server, window)

    def show_probing(self, server: PostgresServer, passed: float, doing: str) -> None:
        """Show what is being measured."""
        for page in self._pages.values():
            page.show_probing(server, passed, doing)

    def show_probed(self, server: PostgresServer, probe: Fact[Probe]) -> None:
        """Show the measured storage."""
        for page in self._pages.values():
            page.show_probed(server, probe)

    def show_log(self, server: PostgresServer, log: Fact[LogSeen]) -> None:
        """Show what is in the server's log."""
        for page in self._pages.values():
            page.show_log(server, log)

    def tell_not_written(self, why: str) -> None:
        """Show why the bundle was not written."""
        for page in self._pages.values():
            page.tell_not_written(why)

    def note_saved(self, words: str) -> None:
        """Show on every page whether the session is saved."""
        for page in self._pages.values():
            page.note_saved(words)

    def topmost(self, stack: Iterable[Screen[object]]) -> Page:
        """The page below any question."""
        shown = [page for screen in stack for page in self._pages.values() if page is screen]
        return shown[-1] if shown else self._welcome

"""Which page shows which step; pages are kept, so that one comes back as it was left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from typing import Protocol

from textual.screen import Screen

from tunewiz.core.flow import Step
from tunewiz.screens.journey import Journey
from tunewiz.screens.machine import MachinePage
from tunewiz.screens.page import Page, StepPage
from tunewiz.screens.preview import Preview
from tunewiz.screens.recommendations import Recommendations
from tunewiz.screens.review import Review
from tunewiz.screens.risk import RiskPage
from tunewiz.screens.server import ServerPage
from tunewiz.screens.welcome import Welcome
from tunewiz.screens.workload import WorkloadPage
from tunewiz.screens.write import Write


class Switchboard(Protocol):
    """What is needed of the application."""

    def install_screen(self, screen: Screen[None], name: str) -> None:
        """Keep a screen under a name."""
        ...

    def uninstall_screen(self, screen: Screen[None]) -> str | None:
        """Keep it no longer."""
        ...

    def batch_update(self) -> AbstractContextManager[None]:
        """Paint nothing inside of this."""
        ...

    def switch_screen(self, screen: str) -> Awaitable[object]:
        """Show the one of that name."""
        ...


def _paint(page: Page, held: ExitStack) -> None:
    held.close()
    page.refresh()


class Pages:
    """The pages of one journey, and the first page, which belongs to none."""

    def __init__(self, board: Switchboard, welcome: Welcome, preview: Preview) -> None:
        self._board = board
        self._preview = preview
        self._welcome = welcome
        self._pages: dict[Step, Page] = {Step.WELCOME: welcome}
        board.install_screen(welcome, Step.WELCOME)

    async def go(self, step: Step, journey: Journey) -> Page:
        """Show the step's page, new or as it was left, with what is known now."""
        if step not in self._pages:
            self._pages[step] = self._new(step, journey)
            self._board.install_screen(self._pages[step], step)
        self.show(journey)
        page = self._pages[step]
        await self._enter(page, self._board.switch_screen(step))
        page.be_quiet()
        return page

    async def enter(self, shown: Awaitable[object]) -> None:
        """Show the first page by what is awaited."""
        await self._enter(self._welcome, shown)

    async def _enter(self, page: Page, shown: Awaitable[object]) -> None:
        """Paint the page once, when it has settled: each paint costs kilobytes on a slow line."""
        with ExitStack() as held:
            held.enter_context(self._board.batch_update())
            await shown
            release = held.pop_all()
        page.call_after_refresh(_paint, page, release)

    async def begin(self) -> None:
        """Forget the pages of a journey that is over."""
        await self._board.switch_screen(Step.WELCOME)
        for step in [each for each in self._pages if each is not Step.WELCOME]:
            page = self._pages.pop(step)
            self._board.uninstall_screen(page)
            await page.remove()

    def show(self, journey: Journey) -> None:
        """Bring all pages up to date."""
        self._welcome.go_on_with(journey)
        for page in self._of_journey():
            page.show(journey)

    def note_saved(self, words: str) -> None:
        """Say on every page whether the session is on disk."""
        for page in self._of_journey():
            page.note_saved(words)

    def topmost(self, stack: Iterable[Screen[object]]) -> Page:
        """The page under whatever question stands over it."""
        shown = [page for screen in stack for page in self._pages.values() if page is screen]
        return shown[-1] if shown else self._pages[Step.WELCOME]

    def _of_journey(self) -> Iterable[StepPage]:
        return [page for page in self._pages.values() if isinstance(page, StepPage)]

    def _new(self, step: Step, journey: Journey) -> Page:
        if step is Step.REVIEW:
            return Review(journey, self._preview)
        return PAGES[step](journey)


PAGES: dict[Step, Callable[[Journey], StepPage]] = {
    Step.MACHINE: MachinePage,
    Step.SERVER: ServerPage,
    Step.WORKLOAD: WorkloadPage,
    Step.RISK: RiskPage,
    Step.RECOMMENDATIONS: Recommendations,
    Step.WRITE: Write,
}

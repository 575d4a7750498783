"""Compares what was observed before and after a change in the background, and shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from tunewiz.core.values.errors import TunewizError
from tunewiz.screens.messages import CompareAsked, ComparingAsked, WindowsAsked
from tunewiz.tui.measuring import MeasuringApp
from tunewiz.tui.terminal.driver import TerminalDriver
from tunewiz.wizard.ports import Ports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tunewiz.core.comparison.found_windows import WindowsFound
    from tunewiz.screens.observed import ObservedPage


@dataclass
class WindowsSeen(Message):
    """The windows near that bundle were found."""

    directory: str
    found: WindowsFound


@dataclass
class ComparedThese(Message):
    """The two were compared, or could not be."""

    sides: tuple[str, str]
    lines: tuple[str, ...]


class ComparingApp(MeasuringApp):
    """One comparison at a time: a later one takes the place of an earlier one."""

    def __init__(self, ports: Ports, driver: type[TerminalDriver]) -> None:
        super().__init__(ports, driver)
        self._find_windows, self._compare = ports.windows, ports.compare

    def on_comparing_asked(self, event: ComparingAsked) -> None:
        """Show its page."""
        from tunewiz.screens.observed import ObservedPage  # noqa: PLC0415 - no page before it waits for it

        _ = self.push_screen(ObservedPage(event.directory))

    @work(thread=True, exclusive=True, group="windows")
    def find_windows(self, directory: str) -> None:
        """Read the facts near that bundle."""
        self.post_message(WindowsSeen(directory, self._find_windows(directory)))

    def on_windows_asked(self, event: WindowsAsked) -> None:
        """Find them."""
        self.find_windows(event.directory)

    @work(thread=True, exclusive=True, group="comparing")
    def compare(self, before: str, after: str) -> None:
        """Read both sides and compare them."""
        from tunewiz.text.observed import compared_lines  # noqa: PLC0415 - its page is shown by then

        try:
            lines = tuple(compared_lines(self._compare(before, after)))
        except TunewizError as error:
            lines = tuple(str(error).splitlines())
        self.post_message(ComparedThese((before, after), lines))

    def on_compare_asked(self, event: CompareAsked) -> None:
        """Compare them."""
        self.compare(event.before, event.after)

    def on_windows_seen(self, event: WindowsSeen) -> None:
        """Show them, if their page is still there."""
        for page in self._observed_pages():
            if page.directory == event.directory:
                page.show_windows(event.found)

    def on_compared_these(self, event: ComparedThese) -> None:
        """Show the result, unless others were named meanwhile."""
        for page in self._observed_pages():
            if page.sides == event.sides:
                page.show_result(event.lines)

    def _observed_pages(self) -> Iterator[ObservedPage]:
        from tunewiz.screens.observed import ObservedPage  # noqa: PLC0415 - it is shown by then

        yield from (each for each in self.screen_stack if isinstance(each, ObservedPage))

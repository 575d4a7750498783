"""Writes the bundle, then shows what follows: its dry run, its measurement, and what was observed."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from tunewiz.core.values.errors import TunewizError
from tunewiz.screens.messages import (
    CompareAsked,
    ComparingAsked,
    DryRunAsked,
    DryRunEnough,
    EndAsked,
    ProvingAsked,
    ProvingLooked,
    WindowsAsked,
)
from tunewiz.tui.measuring import MeasuringApp
from tunewiz.tui.terminal.driver import TerminalDriver
from tunewiz.wizard.outcome import FleetWritten, Written
from tunewiz.wizard.ports import Ports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tunewiz.bundle.dry_run import DryRun
    from tunewiz.core.comparison.found_windows import WindowsFound
    from tunewiz.core.planning.target_names import TargetName
    from tunewiz.core.proof.bench_seen import BenchSeen
    from tunewiz.screens.observed import ObservedPage
    from tunewiz.screens.written import WrittenPage
    from tunewiz.wizard.journey import Journey


@dataclass
class WrittenThere(Message):
    """The bundle was written."""

    outcome: Written


@dataclass
class WriteFailed(Message):
    """The bundle could not be written."""

    why: str


@dataclass
class Tried(Message):
    """The dry run has ended."""

    tried: DryRun


@dataclass
class TryFailed(Message):
    """The dry run did not end, or could not begin."""

    why: str


@dataclass
class ProvingSeen(Message):
    """The state of that bundle's measurement was read."""

    directory: str
    state: BenchSeen


@dataclass
class WindowsSeen(Message):
    """The windows near that bundle were found."""

    directory: str
    windows: WindowsFound


@dataclass
class ComparedThese(Message):
    """The two were compared, or could not be."""

    sides: tuple[str, str]
    lines: tuple[str, ...]


class WritingApp(MeasuringApp):
    """One bundle; once it is written, the wizard ends with it."""

    def __init__(self, ports: Ports, driver: type[TerminalDriver]) -> None:
        super().__init__(ports, driver)
        self._ports = ports
        self._page_after: WrittenPage | None = None
        self._outcome: Written | FleetWritten | None = None
        self._enough_tried = Event()

    @work(thread=True, exclusive=True, group="writing")
    def write(self, journey: Journey, target: TargetName) -> None:
        """Write the bundle."""
        from tunewiz.wizard.writing import written  # noqa: PLC0415 - no page before it waits for it

        try:
            outcome = written(journey.plan, journey.out, target, self._ports)
        except TunewizError as error:
            self.post_message(WriteFailed(str(error)))
        else:
            self.post_message(WrittenThere(outcome))

    @property
    def written(self) -> Written | FleetWritten | None:
        """The bundle, once there is one."""
        return self._outcome

    def keep_outcome(self, outcome: FleetWritten | None) -> None:
        """Keep the outcome that the wizard prints at its end; None once something else was decided since."""
        self._outcome = outcome

    async def show_written(self, outcome: Written) -> None:
        """Show what follows."""
        # No page before it waits for these.
        from tunewiz.screens.written import WrittenPage  # noqa: PLC0415
        from tunewiz.text.review_file import review_in_terminal  # noqa: PLC0415
        from tunewiz.wizard.writing import review_of  # noqa: PLC0415

        self._outcome = outcome
        self._page_after = WrittenPage(
            outcome, lambda width: review_in_terminal(review_of(outcome, self._ports), width)
        )
        await self.push_screen(self._page_after)

    @work(thread=True, exclusive=True, group="trying")
    def try_apply(self, directory: str, enough: Event) -> None:
        """Run the dry run until it ends or is stopped."""
        try:
            tried = self._ports.dry_run(directory, enough.is_set)
        except TunewizError as error:
            self.post_message(TryFailed(str(error)))
        else:
            self.post_message(Tried(tried))

    def on_dry_run_asked(self, event: DryRunAsked) -> None:
        """Begin it."""
        self._enough_tried = Event()
        self.try_apply(event.directory, self._enough_tried)

    def on_dry_run_enough(self, _event: DryRunEnough) -> None:
        """Stop it."""
        self.end_trying()

    def end_trying(self) -> None:
        """Let no dry run outlive the wizard."""
        self._enough_tried.set()

    def on_tried(self, event: Tried) -> None:
        """Show what it said."""
        if self._page_after is not None:
            from tunewiz.text.written import dry_run_rows  # noqa: PLC0415 - the page has it

            self._page_after.show_tried(dry_run_rows(event.tried))

    def on_try_failed(self, event: TryFailed) -> None:
        """Show why not."""
        if self._page_after is not None:
            self._page_after.tell_not_tried(event.why)

    def on_proving_asked(self, event: ProvingAsked) -> None:
        """Show the page of the measurement."""
        from tunewiz.screens.proving import ProvingPage  # noqa: PLC0415 - no page before it waits for it

        _ = self.push_screen(ProvingPage(event.directory))

    @work(thread=True, exclusive=True, group="proving")
    def look_at_proving(self, directory: str) -> None:
        """Read the state of the measurement."""
        self.post_message(ProvingSeen(directory, self._ports.proving(directory)))

    def on_proving_looked(self, event: ProvingLooked) -> None:
        """Read the state again."""
        self.look_at_proving(event.directory)

    def on_proving_seen(self, event: ProvingSeen) -> None:
        """Show it, if its page is still there."""
        from tunewiz.screens.proving import ProvingPage  # noqa: PLC0415 - it is shown by then

        for page in self.screen_stack:
            if isinstance(page, ProvingPage) and page.directory == event.directory:
                page.show(event.state)

    def on_comparing_asked(self, event: ComparingAsked) -> None:
        """Show its page."""
        from tunewiz.screens.observed import ObservedPage  # noqa: PLC0415 - no page before it waits for it

        _ = self.push_screen(ObservedPage(event.directory))

    @work(thread=True, exclusive=True, group="windows")
    def find_windows(self, directory: str) -> None:
        """Read the facts near that bundle."""
        self.post_message(WindowsSeen(directory, self._ports.windows(directory)))

    def on_windows_asked(self, event: WindowsAsked) -> None:
        """Find them."""
        self.find_windows(event.directory)

    @work(thread=True, exclusive=True, group="comparing")
    def compare(self, before: str, after: str) -> None:
        """Read both sides and compare them."""
        from tunewiz.text.observed import compared_lines  # noqa: PLC0415 - its page is shown by then

        try:
            lines = tuple(compared_lines(self._ports.compare(before, after)))
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
                page.show_windows(event.windows)

    def on_compared_these(self, event: ComparedThese) -> None:
        """Show the result, unless others were named meanwhile."""
        for page in self._observed_pages():
            if page.sides == event.sides:
                page.show_result(event.lines)

    def _observed_pages(self) -> Iterator[ObservedPage]:
        from tunewiz.screens.observed import ObservedPage  # noqa: PLC0415 - it is shown by then

        yield from (entry for entry in self.screen_stack if isinstance(entry, ObservedPage))

    def on_end_asked(self, _event: EndAsked) -> None:
        """End: the next steps are printed on the terminal."""
        self.end_trying()
        self.exit(self._outcome)

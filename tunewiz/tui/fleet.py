"""Does the work of the pages about many servers in threads, and posts the results as messages."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from threading import Event, Lock

from textual.message_pump import MessagePump

from tunewiz.core.answers.answers import Decision
from tunewiz.core.fleet.summary import summaries
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import TunewizError
from tunewiz.core.values.record import dataclass
from tunewiz.fleet.answers import named_answers
from tunewiz.fleet.one_host import planned_again
from tunewiz.fleet.open_fleet import FleetStoppedError, OpenFleet, decided, open_fleet
from tunewiz.fleet.resuming import noted, resumed, session_of
from tunewiz.fleet.rollout import is_project, read_rollout
from tunewiz.fleet.write import write_fleet, written_in_words
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.screens.fleet import FleetPage
from tunewiz.screens.fleet_text import FleetText
from tunewiz.screens.fleet_work import Opened, ReviewRead, RolloutRead, SessionSaved, WorkFailed, WorkOn
from tunewiz.screens.rollout import RolloutPage
from tunewiz.session.fleet_record import FleetSession
from tunewiz.text.progress import bar
from tunewiz.text.review_file import review_in_terminal
from tunewiz.tui.saving import Saver, SaveResult
from tunewiz.tui.writing import WritingApp
from tunewiz.wizard.journey import begin
from tunewiz.wizard.outcome import FleetWritten
from tunewiz.wizard.ports import WizardStart

EVERY = 0.2
"""Seconds between two messages about progress, to spare slow connections."""


class FleetDesk:
    """One fleet, from its facts to its rollout."""

    def __init__(self, app: WritingApp, start: WizardStart, opening: Opening) -> None:
        self._app = app
        self._opening = opening
        self._enough = Event()
        self._opened: OpenFleet | None = None
        self._page = FleetPage(self, opening.place, start.ports.today())
        self._saver = Saver(start.ports.save, self._tell_saved)
        self._saving, self._is_closed = Lock(), False

    def show(self) -> None:
        """Show the groups, which begins to read the hosts."""
        _ = self._app.push_screen(self._page)

    @property
    def has_begun(self) -> bool:
        """Whether there is a session, which can be resumed."""
        return self._opened is not None or self._opening.is_resumed

    def close(self) -> None:
        """Stop the work in progress, and wait until everything is saved."""
        with self._saving:
            self._is_closed = True
        self.stop()
        self._saver.close()

    def _tell_saved(self, saved: SaveResult) -> None:
        self._page.post_message(SessionSaved(saved.why_not))

    def _save(self, opened: OpenFleet) -> None:
        with self._saving:
            if not self._is_closed:  # work that is stopped then keeps what was decided for it
                self._saver.keep(session_of(opened))

    # In a thread.

    def _run(self, work: Callable[[PageProgress], None]) -> None:
        """Start some work; work in progress is stopped first."""
        self.stop()
        self._enough = enough = Event()

        def whole() -> None:
            try:
                work(PageProgress(self._page, enough))
            except FleetStoppedError:
                self._page.post_message(WorkFailed("Stopped; nothing was kept."))
            except TunewizError as error:
                self._page.post_message(WorkFailed(str(error)))

        _ = self._app.run_worker(whole, thread=True, group="fleet")

    def stop(self) -> None:
        """Stop at the next host."""
        self._enough.set()

    def plan(self) -> None:
        """Read and plan every host."""

        def work(progress: PageProgress) -> None:
            opened = self._opening.open(partial(progress.of_hosts, "hosts planned"))
            self._show(opened)
            if not self._opening.is_resumed:  # what is not taken over stays on disk until a decision is made
                self._save(opened)

        self._run(work)

    def _show(self, opened: OpenFleet) -> None:
        self._opened = opened
        self._page.post_message(Opened(opened, summaries(opened.fleet)))

    def review(self, group: str) -> None:
        """Plan the first host of a group in full."""
        opened = self._opened
        if opened is None:
            return

        def work(_: PageProgress) -> None:
            first = planned_again(opened.group(group).hosts[0], opened.answers)
            journey = begin(first.facts, first.answers, load_knowledge(), origin=opened.place)
            self._page.post_message(ReviewRead(group, journey))

        self._run(work)

    def note(self, hosts: frozenset[str], decisions: Mapping[str, Decision]) -> None:
        """Save decisions that are not planned yet for every host; for no hosts, what was decided before."""
        if self._opened is not None:
            self._app.keep_outcome(None)
            self._save(noted(self._opened, hosts, decisions))

    def decide(self, hosts: frozenset[str], decisions: Mapping[str, Decision]) -> None:
        """Plan the hosts of a group again with these decisions."""
        opened = self._opened
        if opened is None:
            return
        self._page.show_planning_again()

        def work(progress: PageProgress) -> None:
            report = progress.of_hosts("hosts planned", len(hosts))
            try:
                self._show(decided(opened, hosts, decisions, report))
            finally:
                self._save(self._opened or opened)

        self._run(work)

    def write(self, directory: str) -> None:
        """Write the project, then show its rollout, in which every host still waits."""
        opened = self._opened
        if opened is None:
            return
        out = Path(directory).expanduser()

        def work(progress: PageProgress) -> None:
            report = progress.of_hosts("bundles written", opened.fleet.count)
            write_fleet(opened.fleet, opened.answers, out, report)
            outcome = FleetWritten(directory=directory, words=written_in_words(opened.fleet, out))
            self._app.call_from_thread(self._show_written, outcome)

        self._run(work)

    def _show_written(self, outcome: FleetWritten) -> None:
        self._app.keep_outcome(outcome)
        self._page.show_written(outcome.directory)
        self.show_rollout(outcome.directory)

    # Other pages.

    def show_text(self, group: str, plan: Plan) -> None:
        """Show the review of a group, as it would be written."""
        opened = self._opened
        if opened is None:
            return
        blocks = tuple(opened.review(opened.group(group), plan))
        lay_out = partial(review_in_terminal, blocks)
        _ = self._app.push_screen(FleetText(f"Review of {group}", f"REVIEW-{group}.md", lay_out))

    def show_rollout(self, directory: str) -> None:
        """Show the rollout of a project."""
        _ = self._app.push_screen(rollout_page(self._app, directory))


@dataclass(frozen=True, kw_only=True, slots=True)
class Opening:
    """How the hosts are read: anew, or as a session has them."""

    place: str
    is_resumed: bool
    open: Callable[[Callable[[int], Callable[[int], None]]], OpenFleet]
    """Takes what makes a report of progress from the number of hosts."""


def show_fleet(app: WritingApp, start: WizardStart, path: str) -> FleetDesk | None:
    """Show the groups of a directory of facts, or the rollout of a project, for which there is no desk.

    Raises:
        InputError: The answers cannot be used.
    """
    if is_project(Path(path).expanduser()):
        _ = app.push_screen(rollout_page(app, path))
        return None
    answers = named_answers(start.fleet_answers)
    start.ports.begin_another()
    return _shown(app, start, Opening(place=path, is_resumed=False, open=partial(open_fleet, path, answers)))


def show_resumed(app: WritingApp, start: WizardStart, session: FleetSession) -> FleetDesk:
    """Show the groups of a saved session."""
    opening = Opening(place=session.place, is_resumed=True, open=partial(resumed, session))
    return _shown(app, start, opening)


def _shown(app: WritingApp, start: WizardStart, opening: Opening) -> FleetDesk:
    desk = FleetDesk(app, start, opening)
    desk.show()
    return desk


class PageProgress:
    """Reports progress to a page, and ends the work if the person stops it."""

    def __init__(self, page: MessagePump, enough: Event) -> None:
        self._page = page
        self._enough = enough

    def of_hosts(self, what: str, total: int) -> Callable[[int], None]:
        """A function to call with the number of hosts done; it raises StoppedError."""
        began = shown = time.monotonic()

        def report(done: int) -> None:
            nonlocal shown
            if self._enough.is_set():
                raise FleetStoppedError
            moment = time.monotonic()
            if moment - shown >= EVERY:
                shown = moment
                self._page.post_message(WorkOn(bar(what, done, total, moment - began)))

        return report


def rollout_page(app: WritingApp, directory: str) -> RolloutPage:
    """The page of a project, which reads its files again and again."""

    def look() -> None:
        _ = app.run_worker(partial(_read, page, directory), thread=True, group="rollout")

    page = RolloutPage(directory, look)
    return page


def _read(page: RolloutPage, directory: str) -> None:
    try:
        rollout = read_rollout(Path(directory).expanduser())
    except TunewizError as error:
        page.post_message(WorkFailed(str(error)))
    else:
        page.post_message(RolloutRead(rollout, int(time.time())))

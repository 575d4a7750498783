"""The Textual application: which step is shown, what follows from its answers, a clean end.

It decides nothing about tuning: screens post requests, the plan follows from facts and answers.
What makes plans is imported with the first machine that is read: the first page is shown before that.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from tunewiz.core.answers.steps import Step
from tunewiz.core.values.errors import InputError, TunewizError
from tunewiz.screens.messages import (
    ChoicesTaken,
    Decided,
    FactsCorrected,
    FleetAsked,
    StepLeft,
    UndoAsked,
    WriteAsked,
)
from tunewiz.screens.welcome import Welcome
from tunewiz.tui.other_wizards import OtherWizards
from tunewiz.tui.pages import Pages
from tunewiz.tui.reading import FleetFound, LookedAround, ReadingApp
from tunewiz.tui.saving import Saver, SaveResult
from tunewiz.tui.terminal.driver import AsciiDriver, TerminalDriver
from tunewiz.tui.writing import WriteFailed, WrittenThere
from tunewiz.wizard.ports import AskMachine, WizardStart

if TYPE_CHECKING:
    from tunewiz.core.facts.learned_later import Learned
    from tunewiz.core.facts.server import PostgresServer, Window
    from tunewiz.core.values.known import Fact
    from tunewiz.session.fleet_record import FleetSession
    from tunewiz.tui.fleet import FleetDesk
    from tunewiz.wizard.journey import ChangedJourney, Journey


class Wizard(ReadingApp):
    """The wizard as a Textual application."""

    TITLE = "tunewiz"
    DEFAULT_MODE = Step.WELCOME
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "ask_leave", "Leave", show=False, priority=True)
    ]

    def __init__(self, start: WizardStart) -> None:
        driver = AsciiDriver if start.ascii else TerminalDriver
        super().__init__(start, driver)
        is_named = not isinstance(start.machine, AskMachine)
        self._welcome = Welcome(start.ports, asks=not is_named)
        self._pages = Pages(self, self._welcome, start.ports.preview)
        self._saver = Saver(start.ports.save, self.post_message)
        self._neighbours = OtherWizards(start.presence, self._tell_of_neighbour)
        self._journey: Journey | None = None
        self._remark = ""
        self._neighbour = ""
        self._told_not_saved = ""
        self._desk: FleetDesk | None = None

    def on_mount(self) -> None:
        """Go straight to the machine that the command line names."""
        self._neighbours.look()
        if self._start.fleet_session is not None:
            self.call_after_refresh(self.show_fleet_of, self._start.fleet_session)
        elif self._start.fleet:
            self.call_after_refresh(self.post_message, FleetAsked(self._start.fleet))
        elif not isinstance(self._start.machine, AskMachine):
            self.ask_for(self._start.machine)
        else:
            self.call_after_refresh(self.look_around)

    @work(thread=True, group="looking around")
    def look_around(self) -> None:
        """Find this host's servers while a person reads the first page."""
        try:
            servers = self._start.ports.servers_here()
        except TunewizError:
            return  # choosing this host says why
        self.post_message(LookedAround(servers))

    def on_looked_around(self, event: LookedAround) -> None:
        """Show them."""
        self._welcome.show_servers(event.servers)

    def _tell_of_neighbour(self, words: str) -> None:
        self._neighbour = words
        self.call_after_refresh(lambda: self._page.complain_beside_hint(words))

    def on_unmount(self) -> None:
        """Leave nothing unsaved and watch nothing any longer."""
        self.end_watching()
        self.end_measuring()
        self.end_trying()
        self._leave_fleet()
        self._neighbours.leave()
        self._saver.close()

    # Many machines.

    def on_fleet_asked(self, event: FleetAsked) -> None:
        """Show the groups of its hosts, or the progress of a rollout."""
        from tunewiz.tui.fleet import show_fleet  # noqa: PLC0415 - rarely needed

        self._leave_fleet()
        try:
            self._desk = show_fleet(self, self._start, event.path)
        except TunewizError as error:
            self._page.complain(str(error))

    def on_fleet_found(self, event: FleetFound) -> None:
        """Show the groups of the saved session."""
        if event.request == self._asked:
            self._is_fetching = False
            self.show_fleet_of(event.session)

    def show_fleet_of(self, session: FleetSession) -> None:
        """Show its groups, with the decisions that still stand."""
        from tunewiz.tui.fleet import show_resumed  # noqa: PLC0415 - rarely needed

        self._leave_fleet()
        self._desk = show_resumed(self, self._start, session)

    def _leave_fleet(self) -> None:
        if self._desk is not None:
            self._desk.close()

    # Steps and answers.

    async def on_step_left(self, event: StepLeft) -> None:
        """Go to the next or the previous step, with the new answers."""
        journey = self._journey
        if journey is None:
            return
        step = journey.next_step(event.step, event.to)
        if self._change(lambda: journey.changed(journey.facts, event.answers), event.step):
            await self.go_to(self._journey or journey, step)

    @on(UndoAsked)
    async def travel(self, event: UndoAsked) -> None:
        """Take back the last choice, or make it again; the page's own answers count as one."""
        journey = self._journey
        if journey is None or not self._change(
            lambda: journey.changed(journey.facts, event.answers), event.step
        ):
            return
        try:
            travelled = (self._journey or journey).travelled(again=event.again)
        except InputError as error:  # what was learned since rules the choice out
            self._page.complain(str(error))
            return
        self._keep(travelled.journey, event.step)
        page = await self._pages.renew(event.step, travelled.journey)
        page.say(travelled.words)

    async def on_choices_taken(self, event: ChoicesTaken) -> None:
        """Plan with what was tried; pages with fields are made anew."""
        journey, step = self._journey, Step.RECOMMENDATIONS
        if journey is not None and self._change(lambda: journey.changed(event.facts, event.answers), step):
            page = await self._pages.renew(step, self._journey or journey)
            page.say("Taken over. u takes it back.")

    def on_facts_corrected(self, event: FactsCorrected) -> None:
        """Plan again with the corrected facts."""
        journey = self._journey
        if journey is not None:
            self._show_changed(lambda: journey.changed(event.facts, journey.answers), Step.MACHINE)

    def on_decided(self, event: Decided) -> None:
        """Plan again with the new decision; say what moves with it."""
        from tunewiz.text.consequences import consequences  # noqa: PLC0415 - the first page needs none of it

        if self._journey is None:
            return
        try:
            journey = self._journey.with_answers(event.answers)
        except InputError as error:
            self._page.complain(str(error))
        else:
            news = journey.news_since(self._journey)
            said = " ".join(filter(None, (consequences(self._journey.plan, journey.plan), event.remark)))
            self._keep(journey, Step.RECOMMENDATIONS)
            self._pages.show(journey)
            if news:
                self._page.complain(news)
            elif said:
                self._page.say(said)

    def _change(self, change: Callable[[], ChangedJourney], step: Step) -> bool:
        """Whether a plan follows from the change; if not, show why and change nothing."""
        try:
            done = change()
        except InputError as error:
            self._page.complain(str(error))
            return False
        self._keep(done.journey, step)
        self._remark = done.put_aside or self._remark
        return True

    def _show_changed(self, change: Callable[[], ChangedJourney], step: Step) -> None:
        if self._change(change, step) and self._journey is not None:
            self._pages.show(self._journey)

    async def go_to(self, journey: Journey, step: Step) -> None:
        """Show the step's page, with any message from the change."""
        self._keep(journey, step)
        page = await self._pages.go(step, journey)
        if self._remark:
            page.complain(self._remark)
            self._remark = ""
        elif self._neighbour:
            page.complain_beside_hint(self._neighbour)
            self._neighbour = ""

    def _keep(self, journey: Journey, step: Step) -> None:
        self._journey = journey
        if step is not Step.WELCOME:
            self._saver.keep(journey.session(step))

    def on_save_result(self, event: SaveResult) -> None:
        """Show at the top whether the session is saved; if not, say why, once."""
        self._pages.note_saved("NOT SAVED" if event.why_not else "saved")
        if event.why_not and event.why_not != self._told_not_saved:
            self._page.tell_not_saved(event.why_not)
        self._told_not_saved = event.why_not

    def show_watching(self, server: PostgresServer, passed: float) -> None:
        """Show it on the server page, whichever page is visible."""
        self._pages.show_watching(server, passed)

    def show_skipped(self) -> None:
        """Show on every page that nothing is watched."""
        self._pages.show_skipped()

    def use_window(self, server: PostgresServer, window: Fact[Window]) -> None:
        """Plan with it from now on; say so on whichever page is visible."""
        from tunewiz.core.facts.learned_later import window_seen  # noqa: PLC0415 - see above

        self._pages.show_window(server, window)
        self.learn(window_seen(server, window))

    @property
    def pages(self) -> Pages:
        """All pages."""
        return self._pages

    def learn(self, learned: Learned) -> None:
        """Plan with it from now on; say what changes, on whichever page is visible."""
        from tunewiz.text.what_if import followed  # noqa: PLC0415 - see above

        journey = self._journey
        if journey is None or not self._change(lambda: journey.with_learned(learned), self._page.STEP):
            return
        changed, dropped = self._journey or journey, self._remark
        self._remark = ""
        self._pages.show(changed)
        if news := followed(journey.plan, changed.plan):
            self._page.say(". ".join(text for text in (news, "u takes it back", dropped) if text))
        elif dropped:
            self._page.complain(dropped)

    # The end.

    def on_write_asked(self, event: WriteAsked) -> None:
        """Write the bundle to that directory."""
        if self._journey is not None:
            self._journey = dataclasses.replace(self._journey, out=event.out)
            self._is_fetching = True
            self.write(self._journey, event.target)

    def on_write_failed(self, event: WriteFailed) -> None:
        """Show why; another directory may work."""
        self._is_fetching = False
        self._pages.tell_not_written(event.why)

    async def on_written_there(self, event: WrittenThere) -> None:
        """Show what follows; the wizard ends from there."""
        self._is_fetching = False
        await self.show_written(event.outcome)

    @property
    def has_begun(self) -> bool:
        """Whether a journey has begun, or groups were shown, which can be resumed."""
        if self._desk is not None and self._desk.has_begun:
            return True
        return self._journey is not None and not self._journey.is_untouched_example

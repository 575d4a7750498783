"""Many servers: their groups, and the hosts that could not be planned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget

from tunewiz.core.fleet.summary import GroupSummary
from tunewiz.screens.ask import Answer, Typed
from tunewiz.screens.ask_path import AskPath
from tunewiz.screens.fleet_group import GroupPage
from tunewiz.screens.fleet_hosts import HostsPage
from tunewiz.screens.fleet_work import FleetWork, Opened, ReviewRead, SessionSaved, WorkFailed, WorkOn
from tunewiz.screens.page import LEAVE, Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.screens.widgets.lines import Lines, Rule
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.fleet_pages import (
    FAILED,
    GROUP,
    SINCE,
    about_failed,
    about_group,
    about_since,
    fleet_in_words,
    fleet_rows,
    groups_heading,
)
from tunewiz.text.fleet_resumed import counted_in_words
from tunewiz.wizard.outcome import bundle_name


class FleetPage(Page):
    """The groups, each of which is reviewed once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,left", "back", "Back", show=False),
        Binding("d", "differs", "What differs", show=False),
        Binding("w", "write", "Write", show=False),
        Binding("p", "rollout", "Progress", show=False),
    ]
    KEYS: ClassVar = (
        Key(
            key="enter",
            does="decide",
            action="review",
            full="review this group, and decide for all its hosts",
        ),
        Key(key="d", does="what differs", action="differs", full="the values that differ from host to host"),
        Key(key="w", does="write", action="write", full="write the bundles and the Ansible project"),
        Key(key="p", does="progress", action="rollout", full="how far a written project is rolled out"),
        Key(
            key="esc",
            does="back",
            action="back",
            full="stop the work in progress, or go back to the first page",
        ),
        LEAVE,
    )

    groups = query_one("#groups", RowList)
    pane = query_one("#about-group", Lines)

    def __init__(self, work: FleetWork, place: str, day: str) -> None:
        super().__init__()
        self._work = work
        self._place = place
        self._out = bundle_name("rollout", day)
        self._state: Opened | None = None
        self._is_busy = False
        self._saved = ""
        self._told_not_saved = ""

    def help_name(self) -> str:
        """It has a help page of its own."""
        return "fleet"

    def who(self) -> Text:
        """The directory."""
        return Text.assemble(("tunewiz", "bold"), f" · {self._place}")

    def where(self) -> Text:
        """Shown in place of the step, as this page is not one; and whether decisions are saved."""
        return Text(f"many servers · {self._saved}" if self._saved else "many servers", style="dim")

    def heading(self) -> str:
        """How many hosts and groups there are."""
        return "Reading the hosts" if self._state is None else fleet_in_words(self._state.opened.fleet)

    def aside(self) -> str:
        """A reminder that nothing is applied."""
        return "nothing is applied here"

    def hint(self) -> str:
        """What a group is."""
        return "Hosts of a group share the same decisions, so each group is reviewed once."

    def body(self) -> Iterable[Widget]:
        """The list, and details of the row under the cursor."""
        yield Lines(groups_heading(), id="columns")
        yield RowList(id="groups")
        yield Rule(classes="above-pane")
        yield Lines("", id="about-group")

    def on_mount(self) -> None:
        """Start planning the hosts."""
        self.watch(self.groups, "moved_to", self._show_details, init=False)
        self._begin("Reading the hosts …")
        self._work.plan()

    def _begin(self, words: str) -> None:
        self._is_busy = True
        self.say(f"{words}   esc: stop")

    def on_work_on(self, event: WorkOn) -> None:
        """Show the progress."""
        if self._is_busy:
            self.say(f"{event.words}   esc: stop")

    def on_work_failed(self, event: WorkFailed) -> None:
        """Show why; the earlier list stays."""
        self._is_busy = False
        if self._state is not None:
            self.complain(event.why)
            return
        below = self.app.screen_stack[-2]
        _ = self.dismiss()
        if isinstance(below, Page):
            below.complain(event.why)

    def on_opened(self, event: Opened) -> None:
        """Show the groups."""
        self._is_busy = False
        self._state = event
        self.question.write(Text(self.heading(), style="bold"), Text(self.aside(), style="dim"))
        self.be_quiet()
        self.groups.show(tuple(fleet_rows(event.opened, event.summaries)))
        self.groups.focus()
        self._show_details()

        if lost := counted_in_words(event.opened.since):
            self.complain(lost)

    def on_session_saved(self, event: SessionSaved) -> None:
        """Show at the top whether the session is saved; if not, say why, once."""
        self._saved = "NOT SAVED" if event.why_not else "saved"
        self.top.write(self.who(), self.where())
        page = self.app.screen
        if isinstance(page, GroupPage):
            page.note_saved(self._saved)
        if event.why_not and event.why_not != self._told_not_saved:
            (page if isinstance(page, Page) else self).tell_not_saved(event.why_not)
        self._told_not_saved = event.why_not

    def on_review_read(self, event: ReviewRead) -> None:
        """Open the page of the group."""
        self._is_busy = False
        self.be_quiet()
        named = self._named(event.group)
        if named is not None:
            page = GroupPage(self._work, named, event.journey)
            page.saved = self._saved
            self.open(page)

    def _named(self, group: str) -> GroupSummary | None:
        result = self._state.summaries if self._state is not None else ()
        return next((summary for summary in result if summary.group.name == group), None)

    def _here(self) -> GroupSummary | None:
        """The group under the cursor."""
        key = self.groups.key
        return self._named(key.removeprefix(GROUP)) if key.startswith(GROUP) else None

    def _show_details(self) -> None:
        key = self.groups.key
        summary = self._here()
        if summary is not None:
            self.pane.write(*about_group(summary))
        elif key.startswith(SINCE) and self._state is not None:
            self.pane.write(*about_since(self._state.opened.since, int(key.removeprefix(SINCE))))
        elif key.startswith(FAILED) and self._state is not None:
            failed = self._state.opened.fleet.failed[int(key.removeprefix(FAILED))]
            self.pane.write(*about_failed(failed))
        else:
            self.pane.write("")

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Enter was pressed in the list."""
        event.stop()
        self.action_review()

    def action_review(self) -> None:
        """Review the group under the cursor."""
        if self._can_start(summary := self._here()) and summary is not None:
            self._begin("Planning the first host of the group …")
            self._work.review(summary.group.name)

    def action_differs(self) -> None:
        """Show what differs within the group under the cursor."""
        summary = self._here()
        if self._can_start(summary) and summary is not None:
            self.open(HostsPage(summary.group))

    def _can_start(self, summary: GroupSummary | None) -> bool:
        """Whether work on a group can start; if not, say why."""
        if self._is_busy:
            self.complain("Wait until this is done; esc stops it.")
        elif summary is None:
            self.complain("This row is not a group.")
        return not self._is_busy and summary is not None

    def action_write(self) -> None:
        """Ask where to write the project."""
        if self._is_busy or self._state is None or not self._state.opened.fleet.groups:
            self.complain(
                "Wait until this is done." if self._is_busy else "There are no hosts to write bundles for."
            )
            return
        about = "A new directory for reviews, a bundle for each host, and an Ansible project."
        self.open(
            AskPath("Where should the project be written?", about, value=self._out), self._with_directory
        )

    def _with_directory(self, answer: Answer | None) -> None:
        if isinstance(answer, Typed) and answer.text.strip():
            self._out = answer.text.strip()
            self._begin("Writing …")
            self._work.write(self._out)

    def show_written(self, directory: str) -> None:
        """Say where the project was written."""
        self._is_busy = False
        self.say(f"Written to {directory}. p shows how far it is rolled out.")

    def show_planning_again(self) -> None:
        """Say that the hosts of a group are being planned again."""
        self._begin("Planning the hosts of the group again …")

    def action_rollout(self) -> None:
        """Ask for the project whose rollout to show."""
        about = "A directory written by `tunewiz fleet write` or by this page."
        self.open(AskPath("Which project?", about, value=self._out), self._with_project)

    def _with_project(self, answer: Answer | None) -> None:
        if isinstance(answer, Typed) and answer.text.strip():
            self._out = answer.text.strip()
            self._work.show_rollout(self._out)

    def action_back(self) -> None:
        """Stop the work in progress, or go back."""
        if self._is_busy:
            self._work.stop()
        else:
            self._work.stop()
            _ = self.dismiss()

"""The server step: which PostgreSQL server or version, and on what storage."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.parsing import major
from tunewiz.core.answers.questions import SHARE
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.values.known import Fact, Unknown
from tunewiz.core.values.versions import SUPPORTED_RANGE
from tunewiz.screens.form import Form
from tunewiz.screens.measuring import Measuring
from tunewiz.screens.messages import (
    LogAsked,
    ProbeAsked,
    ProbeEnough,
    WatchAsked,
    WatchEnough,
    WatchSkipped,
)
from tunewiz.screens.watching import Watching
from tunewiz.screens.widgets.choices import Choices
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.question import QuestionField
from tunewiz.screens.widgets.server_lines import ServerLines
from tunewiz.text.counters import counters
from tunewiz.text.machine import server_words
from tunewiz.text.measuring import can_be_probed
from tunewiz.text.server_choice import (
    AS_FOUND,
    KINDS,
    STORAGE_QUESTION,
    ServerKey,
    directory_of,
    is_major_open,
    needs_major,
    server_at,
    server_key,
    server_of,
    servers,
    storages,
    unread,
)
from tunewiz.text.watching import can_be_watched, why_not_watched
from tunewiz.wizard.journey import Journey


class ServerPage(Form):
    """Asks for one of the servers found, and for the storage."""

    STEP: ClassVar = Step.SERVER

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "watch", "Watch", show=False),
        Binding("x", "skip", "Skip", show=False),
        Binding("p", "probe", "Measure the storage", show=False),
        Binding("l", "read_log", "Read the log", show=False),
    ]

    storage = query_one("#storage", Choices)

    def __init__(self, journey: Journey) -> None:
        super().__init__(journey)
        self._watched: PostgresServer | None = None
        self._probed: PostgresServer | None = None

    def hint(self) -> str:
        """Why this is asked at all."""
        return "Some recommendations are made only when the storage is known."

    def body(self) -> Iterable[Widget]:
        """The questions that the facts leave open."""
        if self.journey.facts.postgres:
            several = len(self.journey.facts.postgres) > 1
            text = "The plan is for one of these:" if several else "The server:"
            yield Lines(text, classes="heading")
            yield Choices(list(servers(self.journey)), at=server_at(self.journey), id="server")
        else:
            yield Lines("No PostgreSQL server was found: default settings are assumed.", classes="heading")
        yield Lines(classes="heading", id="unread")
        if needs_major(self.journey):
            major = str(self.journey.plan.start.major)
            yield QuestionField("Major version", major, SUPPORTED_RANGE, id="major")
        if self.journey.plan.start.running_servers > 1:
            yield QuestionField.of(SHARE, self.journey.answers, id="share")
        yield Lines("")
        yield Lines(STORAGE_QUESTION, classes="heading")
        yield Choices(
            list(storages(self.journey)), at=self.journey.answers.server.storage or AS_FOUND, id="storage"
        )
        if self.journey.is_this_host and any(map(can_be_watched, self.journey.facts.postgres)):
            yield Watching()
        if self.journey.is_this_host and self.journey.facts.postgres:
            yield Measuring()
        yield Lines(*self._counted(), id="counters", classes="heading")

    def _looked_at(self) -> PostgresServer | None:
        """The server under the cursor. The page shows its data, whichever server the plan is for."""
        if not self.journey.facts.postgres:
            return None
        keys = [choices.key for choices in self.query("#server").results(Choices) if choices.key]
        return server_of(self.journey, keys[0] if keys else server_at(self.journey))

    def _counted(self) -> tuple[Text, ...]:
        """The server's own counters, if it reported them."""
        server = self._looked_at()
        return counters(server) if server else ()

    def update_body(self) -> None:
        """Update what is shown of the server under the cursor."""
        server = self._looked_at()
        line, why = self.query_one("#unread", Lines), unread(server) if server else ""
        line.display = bool(why)
        line.write(why)
        self.query_one("#counters", Lines).write(*self._counted())
        if server:
            for lines in self.query(ServerLines):
                lines.show_server(self._key(server).key)

    def _key(self, server: PostgresServer) -> ServerKey:
        return server_key(self.journey, server)

    def _is(self, server: PostgresServer | None, other: PostgresServer) -> bool:
        return server is not None and self._key(server) == self._key(other)

    def on_mount(self) -> None:
        """Start watching while the user reads the questions."""
        self.update_body()
        for choices in self.query("#server").results(Choices):
            self.watch(choices, "moved_to", self.update_body, init=False)
        planned = self.journey.plan.start.server
        if isinstance(planned, PostgresServer) and isinstance(planned.window, Unknown) and self._can(planned):
            self._watch_it(planned)

    def tell_chosen(self, choices: Choices) -> None:
        """Say which server the plan is for now."""
        server = self._looked_at()
        if server is None or choices.id != "server":
            super().tell_chosen(choices)
        else:
            self.say(f"The plan is now for {server_words(server)}.")

    def _can(self, server: PostgresServer) -> bool:
        return bool(self.query(Watching)) and can_be_watched(server)

    def action_watch(self) -> None:
        """Start watching, or stop early if a server is already being watched."""
        server = self._looked_at()
        if server and self._watched and not self._is(server, self._watched):
            self._complain_of_another(self._watched)
        elif self._watched:
            self.post_message(WatchEnough())
        elif server and self._can(server):
            self._watch_it(server)
        else:
            self.complain(f"Nothing can be watched here: {self._why_not(server)}.")

    def _complain_of_another(self, watched: PostgresServer) -> None:
        name = self._key(watched).name
        self.complain(f"One at a time: {name} is being watched; w or x in its row ends that.")

    def _why_not(self, server: PostgresServer | None) -> str:
        if not self.journey.is_this_host:
            return "the facts are another machine's"
        return why_not_watched(server) if server else "no server was found"

    def _watch_it(self, server: PostgresServer) -> None:
        self._watched = server
        self.show_watching(server, 0)
        self.post_message(WatchAsked(server))

    def action_skip(self) -> None:
        """End watching and discard what was seen."""
        server, watched = self._looked_at(), self._watched
        if watched is None:
            self.complain("Nothing is being watched; what was seen before stays in use.")
        elif server and not self._is(server, watched):
            self._complain_of_another(watched)
        else:
            self._watched = None
            self.query_one(Watching).show_skipped(self._key(watched))
            self.post_message(WatchSkipped())

    def action_probe(self) -> None:
        """Measure the storage of the server under the cursor, or stop that early."""
        server = self._looked_at()
        if server and self._probed and not self._is(server, self._probed):
            name = self._key(self._probed).name
            self.complain(f"One at a time: {name} is being measured; esc, or p in its row, ends that.")
        elif self._probed:
            self.post_message(ProbeEnough())
        elif server and self.query(Measuring) and can_be_probed(server):
            self._probed = server
            self.post_message(ProbeAsked(server, self.journey.facts))
            self.show_probing(server, 0, "the server's own files")
            self._bring_into_view()
        else:
            self.complain("Only the storage of a server on this host can be measured.")

    def action_read_log(self) -> None:
        """Read the log of the server under the cursor."""
        server = self._looked_at()
        if server and self.query(Measuring):
            self.query_one(Measuring).show_reading(self._key(server))
            self._bring_into_view()
            self.post_message(LogAsked(server))
        else:
            self.complain("Only the log of a server on this host can be read.")

    def _bring_into_view(self) -> None:
        """With many servers, what a key has started stands below the end of a small terminal."""
        self.call_after_refresh(self.query_one(Measuring).scroll_visible, animate=False)

    def action_step_back(self) -> None:
        """Stop measuring first, if the storage is being measured."""
        if self._probed:
            self.post_message(ProbeEnough())
        else:
            super().action_step_back()

    def show_probing(self, server: PostgresServer, passed: float, doing: str) -> None:
        """Show what is being measured."""
        self.query_one(Measuring).show_probing(self._key(server), passed, doing)

    def show_probed(self, server: PostgresServer, probe: Fact[Probe]) -> None:
        """Show what was measured."""
        self._probed = None
        self.query_one(Measuring).show_probed(self._key(server), probe)

    def show_log(self, server: PostgresServer, log: Fact[LogSeen]) -> None:
        """Show what is in the log."""
        self.query_one(Measuring).show_log(self._key(server), log)

    def show_watching(self, server: PostgresServer, passed: float) -> None:
        """Show the progress."""
        super().show_watching(server, passed)
        self.query_one(Watching).show_progress(self._key(server), passed)

    def show_window(self, server: PostgresServer, window: Fact[Window]) -> None:
        """Show what was seen."""
        super().show_window(server, window)
        self._watched = None
        self.query_one(Watching).show_window(self._key(server), window)

    def answers(self) -> Answers:
        """The journey's answers with those of the page."""
        server = dataclasses.replace(
            self.journey.answers.server,
            postgres=self._major(),
            data_directory=self._directory(),
            storage=self._storage(),
        )
        answers = dataclasses.replace(self.journey.answers, server=server)
        fields = self.query("#share").results(Input)
        return next((SHARE.taken(answers, field.value) for field in fields), answers)

    def _storage(self) -> StorageKind | None:
        return next(filter(self.storage.is_chosen, KINDS), None)

    def _directory(self) -> str | None:
        server = self.query("#server").results(Choices)
        return directory_of(self.journey, next((choices.chosen for choices in server), ""))

    def _major(self) -> str | None:
        if not is_major_open(self.journey, self._directory()):
            return None
        fields = self.query("#major").results(Input)
        return next((major("major version", field.value) for field in fields), None)

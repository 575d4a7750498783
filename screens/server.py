"""Which PostgreSQL server it is about, or of which version where none is here; and on what storage."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import ClassVar, get_args

from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input

from tunewiz.core.answers import Answers, StorageKind
from tunewiz.core.disks import storage_is_settled
from tunewiz.core.facts import PostgresServer
from tunewiz.core.flow import Step, major_is_settled
from tunewiz.core.known import MissingFact, known_or
from tunewiz.core.majors import NEWEST, OLDEST
from tunewiz.core.typing_in import major
from tunewiz.screens.form import Form
from tunewiz.screens.journey import Journey
from tunewiz.screens.machine_rows import server_words
from tunewiz.screens.widgets.asked import Asked
from tunewiz.screens.widgets.choices import Choice, Choices
from tunewiz.screens.widgets.lines import Lines

KINDS: tuple[StorageKind, ...] = get_args(StorageKind)
AS_FOUND = "as found"
STORAGE = {
    "hdd": ("Spinning disks", "seeks cost milliseconds", "spinning disks"),
    "ssd": ("SSD", "SATA, SAS, or virtual on flash", "SSD"),
    "nvme": ("NVMe", "local, many requests at once", "NVMe"),
    "san": ("SAN", "an array with a cache of its own: FC, iSCSI, ECKD", "SAN"),
}


class ServerPage(Form):
    """One of the servers found, or none; the storage."""

    STEP: ClassVar = Step.SERVER

    storage = query_one("#storage", Choices)

    def hint(self) -> str:
        """Why this is asked at all."""
        return "Some recommendations are made only when the storage is known."

    def body(self) -> Iterable[Widget]:
        """The questions that the facts leave open."""
        if self.journey.facts.postgres:
            several = len(self.journey.facts.postgres) > 1
            told = (
                "The plan is for one of these, and gives it all of the memory:" if several else "The server:"
            )
            yield Lines(told, classes="heading")
            yield Choices(list(_servers(self.journey)), at=_server_at(self.journey), id="server")
        else:
            yield Lines(
                "No PostgreSQL server was found: its settings are taken for the defaults.", classes="heading"
            )
        if _needs_major(self.journey):
            about = f"{OLDEST}, 10 … {NEWEST}"
            yield Asked("Major version", str(self.journey.plan.start.major), about, id="major")
        yield Lines("")
        yield Lines("What do the data lie on?", classes="heading")
        yield Choices(
            list(_storages(self.journey)), at=self.journey.answers.server.storage or AS_FOUND, id="storage"
        )

    def answers(self) -> Answers:
        """With what the page says."""
        server = dataclasses.replace(
            self.journey.answers.server,
            postgres=self._major(),
            data_directory=self._directory(),
            storage=self._storage(),
        )
        return dataclasses.replace(self.journey.answers, server=server)

    def _storage(self) -> StorageKind | None:
        return next(filter(self.storage.is_at, KINDS), None)

    def _directory(self) -> str | None:
        if not self.journey.facts.postgres:
            return self.journey.answers.server.data_directory
        key = self.query_one("#server", Choices).key
        if len(self.journey.facts.postgres) == 1:
            return self.journey.answers.server.data_directory
        return None if key.startswith("#") else key

    def _major(self) -> str | None:
        servers, wanted = self.journey.facts.postgres, self._directory()
        chosen = [each for each in servers if known_or(each.data_directory, None) == wanted]
        if chosen and major_is_settled(chosen[0]):
            return None
        fields = self.query("#major").results(Input)
        return next((major("major version", field.value) for field in fields), None)


def _servers(journey: Journey) -> Iterator[Choice]:
    for number, server in enumerate(journey.facts.postgres):
        yield Choice(key=known_or(server.data_directory, f"#{number}"), title=server_words(server))


def _server_at(journey: Journey) -> str:
    said, planned = journey.answers.server.data_directory, journey.plan.start.server
    if isinstance(planned, PostgresServer):
        number = journey.facts.postgres.index(planned)
        return said or known_or(planned.data_directory, f"#{number}")
    return said or known_or(journey.facts.postgres[0].data_directory, "#0")


def _needs_major(journey: Journey) -> bool:
    servers = journey.facts.postgres
    return not servers or not all(major_is_settled(server) for server in servers)


def _storages(journey: Journey) -> Iterator[Choice]:
    settled = storage_is_settled(journey.facts)
    yield Choice(key=AS_FOUND, title="As found" if settled else "Not known", about=_found(journey))
    for kind in KINDS:
        title, about, _ = STORAGE[kind]
        yield Choice(key=kind, title=title, about=about)


def _found(journey: Journey) -> str:
    start = journey.plan.start
    without = dataclasses.replace(journey.answers.server, storage=None)
    try:
        kind = dataclasses.replace(
            start, answers=dataclasses.replace(start.answers, server=without)
        ).storage_kind
    except MissingFact as missing:
        return missing.why
    return f"the kernel says {STORAGE[kind][2]}"

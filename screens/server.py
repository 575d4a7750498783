"""Which PostgreSQL server it is about, or of which version where none is here; and on what storage."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import ClassVar

from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input

from tunewiz.core.answers import Answers, StorageKind
from tunewiz.core.flow import Step
from tunewiz.core.majors import NEWEST, OLDEST
from tunewiz.core.typing_in import major
from tunewiz.screens.form import Form
from tunewiz.screens.server_choice import (
    AS_FOUND,
    KINDS,
    directory_of,
    is_major_open,
    needs_major,
    server_at,
    servers,
    storages,
)
from tunewiz.screens.widgets.asked import Asked
from tunewiz.screens.widgets.choices import Choices
from tunewiz.screens.widgets.lines import Lines


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
            yield Choices(list(servers(self.journey)), at=server_at(self.journey), id="server")
        else:
            yield Lines(
                "No PostgreSQL server was found: its settings are taken for the defaults.", classes="heading"
            )
        if needs_major(self.journey):
            about = f"{OLDEST}, 10 … {NEWEST}"
            yield Asked("Major version", str(self.journey.plan.start.major), about, id="major")
        yield Lines("")
        yield Lines("What do the data lie on?", classes="heading")
        yield Choices(
            list(storages(self.journey)), at=self.journey.answers.server.storage or AS_FOUND, id="storage"
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
        server = self.query("#server").results(Choices)
        return directory_of(self.journey, next((each.key for each in server), ""))

    def _major(self) -> str | None:
        if not is_major_open(self.journey, self._directory()):
            return None
        fields = self.query("#major").results(Input)
        return next((major("major version", field.value) for field in fields), None)

"""What passes between the wizard and the process that asks a server for it, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """One way to reach a server."""

    conninfo: Mapping[str, str]
    """What libpq is told; the rest it takes from the environment, the service file and .pgpass."""
    user: str
    """The operating-system user to become for good before connecting; empty to stay who we are."""
    place: str
    """For a person: `/var/run/postgresql, port 5432`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """Ways to reach one server, tried in this order, and how it is told from others."""

    attempts: tuple[Attempt, ...]
    pid: int
    started: int
    """In seconds since 1970; 0 where that is not known."""
    port: int
    """0 where that is not known."""
    watch: int = 0
    """For so many seconds it is watched at work; 0: it is asked everything once."""

    def to_json(self) -> str:
        """For the other process, on one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Request:
        """What `to_json` wrote."""
        data = json.loads(text)
        attempts = tuple(Attempt(**attempt) for attempt in data.pop("attempts"))
        return cls(attempts=attempts, **data)


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One row of pg_settings."""

    name: str
    setting: str | None
    unit: str | None
    source: str
    sourcefile: str | None
    sourceline: int | None
    pending_restart: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a server said. What it refused to say is missing, and `refused` has its words."""

    how: str
    release: int
    """server_version_num: 90624, 150018."""
    version: str
    socket_directory: str
    """Where the server was reached; empty over the network."""
    rows: tuple[Row, ...]
    texts: Mapping[str, str]
    numbers: Mapping[str, int]
    refused: Mapping[str, str]

    def setting(self, name: str) -> str:
        """A setting as pg_settings shows it; empty where it does not."""
        return next((row.setting or "" for row in self.rows if row.name == name), "")

    def to_json(self) -> str:
        """For the process that asked."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Answer:
        """What `to_json` wrote."""
        data = json.loads(text)
        rows = tuple(Row(**row) for row in data.pop("rows"))
        return cls(rows=rows, **data)

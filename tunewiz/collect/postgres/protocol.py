"""The JSON messages between the wizard and the process that queries a server for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """One way to reach a server."""

    conninfo: Mapping[str, str]
    """Parameters for libpq; it takes the rest from the environment, the service file and .pgpass."""
    user: str
    """The operating-system user to switch to before connecting; empty to stay the current one."""
    place: str
    """For a person: `/var/run/postgresql, port 5432`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToPlan:
    """The server's most expensive statements are to be planned, as they are and under other settings."""

    settings: Mapping[str, str]
    """Values to try, by name; none: the plans as they are."""
    count: int
    """How many statements."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LoggedStatement:
    """A statement of the server's log, with the values that it was run with."""

    text: str
    calls: int
    milliseconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ToScript:
    """A request to examine one database's statements: which can scripts run, and with which values?"""

    database: str
    writes: bool
    count: int
    """The number of statements, the most expensive first."""
    logged: tuple[LoggedStatement, ...] | None
    """Statements from a log; None: those in pg_stat_statements."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """Ways to reach one server, tried in this order, and how to tell it from others."""

    attempts: tuple[Attempt, ...]
    pid: int
    started: int
    """In seconds since 1970; 0 if unknown."""
    port: int
    """0 if unknown."""
    watch: int = 0
    """How many seconds to watch it at work; 0: query everything once."""
    waits: int = 0
    """How many seconds to sample what its sessions wait for; 0: query everything once."""
    deep: int = 0
    """How many seconds a deep look may take; 0: query everything once."""
    plans: ToPlan | None = None
    """What is to be planned; None: query everything once."""
    pause: float = 0.0
    """Seconds from one look to the next."""
    wait_pause: float = 0.0
    """While watching, seconds from one look at what sessions wait for to the next; 0: none is taken."""
    statements: bool = False
    """Whether the last sample includes what each statement did since the first."""
    script: ToScript | None = None
    """The statements to examine for scripts; None: query everything once."""

    def to_json(self) -> str:
        """The JSON for the other process, on one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Request:
        """What `to_json` wrote."""
        data = json.loads(text)
        attempts = tuple(Attempt(**attempt) for attempt in data.pop("attempts"))
        plans, script = data.pop("plans"), data.pop("script")
        return cls(
            attempts=attempts,
            plans=None if plans is None else ToPlan(**plans),
            script=None if script is None else _to_script(script),
            **data,
        )


def _to_script(data: dict[str, Any]) -> ToScript:
    logged = data.pop("logged")
    result = None if logged is None else tuple(LoggedStatement(**value) for value in logged)
    return ToScript(logged=result, **data)


@dataclass(frozen=True, kw_only=True, slots=True)
class SettingsRow:
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
    """A server's answer. What it refused to say is missing, and `refused` has its messages."""

    how: str
    release: int
    """server_version_num: 90624, 150018."""
    version: str
    socket_directory: str
    """Where the server was reached; empty over the network."""
    rows: tuple[SettingsRow, ...]
    texts: Mapping[str, str]
    numbers: Mapping[str, int]
    refused: Mapping[str, str]

    def setting(self, name: str) -> str:
        """A setting as pg_settings shows it; empty if it does not."""
        return next((row.setting or "" for row in self.rows if row.name == name), "")

    def to_json(self) -> str:
        """For the process that asked."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Answer:
        """What `to_json` wrote."""
        data = json.loads(text)
        rows = tuple(SettingsRow(**row) for row in data.pop("rows"))
        return cls(rows=rows, **data)

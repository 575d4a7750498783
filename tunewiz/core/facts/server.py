"""What was learned about a PostgreSQL server: where it is, its settings, what it did."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from tunewiz.core.facts.counters import Buffers, Counters, Sessions, Statements
from tunewiz.core.facts.deep_look import DeepLook
from tunewiz.core.facts.health import Health
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.replication import Replication
from tunewiz.core.facts.slru import SlruCache
from tunewiz.core.facts.statements import StatementsSeen
from tunewiz.core.facts.strain import ProcessMemory, Strain
from tunewiz.core.facts.tables import DatabaseTables
from tunewiz.core.facts.waits import Waits
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact, Known, MaybeFact, Unknown, known_or
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes, Duration, UnitError

ServerOwner = Literal["debian", "rpm", "patroni", "container", "source"]
ServerRole = Literal["primary", "standby"]
Curved = Literal[
    "commits", "rollbacks", "rows_written", "temp_bytes", "wal_bytes", "checkpoints", "connections"
]
"""What a curve shows: a second, except for checkpoints (a part of the time) and connections (at once)."""

_LOG_NOT_READ = Unknown("no log was named (tunewiz facts --log)")
_NOT_PROBED = Unknown("its storage was not probed (tunewiz facts --probe)")
NOT_SAMPLED = Unknown("waits were not sampled (tunewiz health --waits)")
NOT_LOOKED_DEEPER = Unknown("no deep look was taken (tunewiz health --deep)")
_NOT_WATCHED = Unknown("the server was not watched at work")
NOT_COUNTED = Counters()
NO_STRAIN = Strain()
SET_BY_NOBODY = frozenset({"default", "dynamic default", "override", "environment variable"})
"""Sources of values that no line has: built in, worked out by the server, which shows `wal_buffers = -1` of a
file as override too, or taken from the limits of its environment (max_stack_depth)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """One PostgreSQL setting as pg_settings or a configuration file has it."""

    value: str
    """In `unit` if there is one: `2048` with unit `8kB` is 16 MB."""
    unit: str | None = None
    source: str = "default"
    """As pg_settings names it: default, configuration file, command line, …"""
    sourcefile: str | None = None
    """With the line if that is known: `/etc/postgresql/15/main/postgresql.conf:241`."""
    pending_restart: bool = False

    @property
    def is_set(self) -> bool:
        """Whether somebody set it."""
        return self.source not in SET_BY_NOBODY


@dataclass(frozen=True, kw_only=True, slots=True)
class Activity:
    """The server's own statistics since they were last reset."""

    since: Fact[str]
    commits: Fact[int]
    rollbacks: Fact[int]
    rows_read: Fact[int]
    """tup_returned + tup_fetched over all databases."""
    rows_written: Fact[int]
    """tup_inserted + tup_updated + tup_deleted over all databases."""
    blocks_hit: Fact[int]
    blocks_read: Fact[int]
    temp_bytes: Fact[int]
    checkpoints_timed: Fact[int]
    checkpoints_requested: Fact[int]
    connections: Fact[int]
    databases_size: Fact[Bytes]
    temp_files: Fact[int] = NOT_LOOKED_FOR
    live_rows: Fact[int] = NOT_LOOKED_FOR
    """In the tables of all databases that accepted a connection."""
    dead_rows: Fact[int] = NOT_LOOKED_FOR
    transaction_age: Fact[int] = NOT_LOOKED_FOR
    """Transactions since the oldest one that some database still needs: at 2 billion the server stops."""
    counters: Counters = NOT_COUNTED


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """How one number went while the server was watched."""

    counted: Curved
    values: tuple[int, ...]
    """In the order of time, over equal parts of the window; of each part the highest value."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """What the server did while it was watched: differences between the first and the last sample."""

    seconds: int
    samples: int
    """Number of samples; the peak of connections is the highest of them."""
    commits: Fact[int]
    rollbacks: Fact[int]
    rows_read: Fact[int]
    rows_written: Fact[int]
    blocks_hit: Fact[int]
    blocks_read: Fact[int]
    temp_files: Fact[int]
    temp_bytes: Fact[int]
    checkpoints_timed: Fact[int]
    checkpoints_requested: Fact[int]
    wal_bytes: Fact[int]
    """Bytes written; on a standby, replayed."""
    connections_peak: Fact[int]
    curves: tuple[Curve, ...] = ()
    """Those of which two values at least are known."""
    counters: Counters = NOT_COUNTED
    sessions: Fact[Sessions] = NOT_LOOKED_FOR
    """The most of each kind at any look."""
    strain: Strain = NO_STRAIN
    """Of the machine, meanwhile."""
    began: Fact[str] = NOT_LOOKED_FOR
    """The time of the first sample, UTC: 2026-11-24T14:00:00Z."""
    days: Fact[int] = NOT_LOOKED_FOR
    """Days with samples, of which this was the busiest hour."""
    server_started: Fact[str] = NOT_LOOKED_FOR
    """When the server was started, in the same form."""
    statements: Fact[StatementsSeen] = NOT_LOOKED_FOR
    """Known only for a window of `--watch`."""
    waits: Fact[Waits] = NOT_LOOKED_FOR
    """What active sessions waited for meanwhile; of recorded samples by kind, without the waits' names."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Override:
    """A value of ALTER ROLE or ALTER DATABASE: for these sessions it overrides every file."""

    database: str
    """Empty for all."""
    role: str
    """Empty for all."""
    name: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FileError:
    """A line of the configuration that the server could not use (pg_file_settings)."""

    place: str
    name: str
    error: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PostgresServer:
    """One PostgreSQL cluster, running or stopped."""

    version: Fact[str]
    major: Fact[str]
    data_directory: Fact[str]
    config_file: Fact[str]
    port: Fact[int]
    running: bool
    owner: ServerOwner
    os_user: Fact[str]
    role: Fact[ServerRole]
    system_identifier: Fact[str]
    socket_directory: MaybeFact[str]
    include_directory: MaybeFact[str]
    """A directory that the configuration includes, in which a drop-in file is read."""
    shared_memory_pages: MaybeFact[int]
    """Huge pages that the running server reports it needs (15 and newer)."""
    settings: Fact[Mapping[str, Setting]]
    activity: Fact[Activity]
    unit: MaybeFact[str] = NOT_LOOKED_FOR
    """The systemd unit that runs it: `postgresql@15-main.service`; absent if none does."""
    sampled_by: MaybeFact[str] = NOT_LOOKED_FOR
    """The systemd unit that records its counters (`tunewiz watch`); absent if none does."""
    window: Fact[Window] = _NOT_WATCHED
    overrides: Fact[tuple[Override, ...]] = NOT_LOOKED_FOR
    file_errors: Fact[tuple[FileError, ...]] = NOT_LOOKED_FOR
    choices: Fact[Mapping[str, tuple[str, ...]]] = NOT_LOOKED_FOR
    """What this build offers if that depends on the build: `{"wal_compression": ("pglz", "lz4")}`."""
    extensions: Fact[tuple[str, ...]] = NOT_LOOKED_FOR
    """Those whose files are installed, of the few that the program speaks of."""
    replication: Fact[Replication] = NOT_LOOKED_FOR
    """What it keeps for those who read its WAL."""
    slru: Fact[tuple[SlruCache, ...]] = NOT_LOOKED_FOR
    """How its caches of transactions' states were used (17 and newer, where they have settings)."""
    log: Fact[LogSeen] = _LOG_NOT_READ
    os_uid: Fact[int] = NOT_LOOKED_FOR
    """The number of `os_user`."""
    open_files: MaybeFact[int] = NOT_LOOKED_FOR
    """Files that each of its processes may have open; absent if there is no limit."""
    tables: Fact[tuple[DatabaseTables, ...]] = NOT_LOOKED_FOR
    """Of the busiest databases."""
    health: Fact[Health] = NOT_LOOKED_FOR
    """One look at its sessions and databases."""
    waits: Fact[Waits] = NOT_SAMPLED
    deep: Fact[DeepLook] = NOT_LOOKED_DEEPER
    """Indexes and tables that amcheck read whole, and files of no relation."""
    sessions: Fact[Sessions] = NOT_LOOKED_FOR
    """At the time of reading."""
    buffers: Fact[Buffers] = NOT_LOOKED_FOR
    statements: Fact[Statements] = NOT_LOOKED_FOR
    process_memory: Fact[ProcessMemory] = NOT_LOOKED_FOR
    probe: Fact[Probe] = _NOT_PROBED
    """Its storage, measured."""

    @property
    def release(self) -> Fact[str]:
        """`15.18`, without the packager's suffix; the major version if only the files could be read."""
        match self.version:
            case Known(value=version, how=how):
                return Known(version.partition(" (")[0], how)
            case Unknown():
                return self.major


def not_asked(server: PostgresServer) -> str:
    """Why a running server did not answer (refused by pg_hba, say); empty if it did, or is stopped."""
    match server:
        case PostgresServer(running=True, version=Unknown(), activity=Unknown(why=why)):
            return why
        case _:
            return ""


NO_SETTINGS: Mapping[str, Setting] = MappingProxyType({})


def seconds_set(settings: Fact[Mapping[str, Setting]], name: str) -> int:
    """A setting that is a time, in seconds; 0 where it is not known."""
    setting = known_or(settings, NO_SETTINGS).get(name)
    if setting is None:
        return 0
    is_number = setting.value.isascii() and setting.value.isdigit()
    try:
        return Duration.parse(f"{setting.value}{setting.unit or 's'}" if is_number else setting.value).seconds
    except UnitError:
        return 0

"""Servers that showed this or that of themselves, the rest of which is not known."""

import dataclasses

from situations import situation
from small_tables import table
from tunewiz.core.facts.counters import Buffers, Sessions, Statements
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.machine import Memory
from tunewiz.core.facts.server import Activity, PostgresServer, Window
from tunewiz.core.facts.strain import ProcessMemory, Strain
from tunewiz.core.facts.tables import DatabaseTables, Table
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import GIB
from watched import NOT_READ, window

HOUR = 3_600
MANY = Given(connections=2000, cores=8, major="15")
QUIET = Sessions(
    active=0,
    idle=0,
    idle_in_transaction=0,
    waiting=0,
    longest_idle_in_transaction=0,
    autovacuums=0,
    longest_autovacuum=0,
)
ROWS = 1_000_000
TABLE = table(
    bytes=GIB,
    main_bytes=GIB,
    live_rows=ROWS,
    inserted=0,
    index_scans=0,
    last_autovacuum="",
    last_autoanalyze="",
    transaction_age=0,
    inserted_since_vacuum=0,
    row_width=None,
)
"""Of a million rows, of which nothing is to say."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Shown:
    """What a server showed; the rest is not known."""

    activity: Known[Activity] | Unknown = NOT_READ
    window: Known[Window] | Unknown = NOT_READ
    log: Known[LogSeen] | Unknown = NOT_READ
    sessions: Known[Sessions] | Unknown = NOT_READ
    buffers: Known[Buffers] | Unknown = NOT_READ
    statements: Known[Statements] | Unknown = NOT_READ
    process_memory: Known[ProcessMemory] | Unknown = NOT_READ
    tables: Known[tuple[DatabaseTables, ...]] | Unknown = NOT_READ
    strain: Strain = dataclasses.field(default_factory=Strain)


def seen(given: Given, shown: Shown) -> Situation:
    """The situation of a server that showed this."""
    result = situation(given)
    assert isinstance(result.server, PostgresServer)
    named = {field.name: getattr(shown, field.name) for field in dataclasses.fields(shown)}
    memory: Memory = dataclasses.replace(result.facts.memory, strain=named.pop("strain"))
    server = dataclasses.replace(result.server, **named)
    facts = dataclasses.replace(result.facts, postgres=(server,), memory=memory)
    return dataclasses.replace(result, facts=facts, server=server)


def watched(given: Given, *, sessions: Sessions = QUIET, seconds: int = 2 * HOUR, **counted: int) -> Shown:
    """A server that was watched."""
    del given
    seen_then = window(seconds=seconds, **counted)
    return Shown(window=Known(dataclasses.replace(seen_then.value, sessions=Known(sessions, "")), "watched"))


def tables(*one: Table) -> Known[tuple[DatabaseTables, ...]]:
    """The tables of one database."""
    database_tables = DatabaseTables(
        database="shop",
        since=NOT_READ,
        counted_seconds=NOT_READ,
        tables=Known(one, ""),
        unused_indexes=NOT_READ,
        bare_foreign_keys=NOT_READ,
    )
    return Known((database_tables,), "")

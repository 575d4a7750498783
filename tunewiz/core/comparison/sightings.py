"""Watched windows of one live server, from files of facts; some cannot be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.facts.statements import StatementSeen, StatementsSeen
from tunewiz.core.proof.index_numbers import Spent
from tunewiz.core.proof.proof import Omission
from tunewiz.core.proof.week_hours import HOUR, WindowSpan
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown, known_or
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Duration, in_words

COLD = HOUR
"""Seconds after a restart while caches fill: windows that begin then are left out."""
HOW = "`tunewiz facts --watch 1h -o FILE` records one"

_TIME = "%Y-%m-%dT%H:%M:%SZ"
QueryKey = tuple[str, str, str]
"""queryid, database, role."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedFacts:
    """The facts in one file."""

    file: str
    facts: Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class Sighting:
    """A window of the compared server with statistics of its statements."""

    file: str
    facts: Facts
    server: PostgresServer
    window: Window
    statements: StatementsSeen
    span: WindowSpan

    @property
    def spent(self) -> Mapping[QueryKey, Spent]:
        """What each listed query did."""
        return {
            query_key(statement): Spent(calls=statement.calls, ms=statement.run_ms, rows=statement.rows)
            for statement in self.statements.statements
            if statement.calls > 0
        }


def query_key(statement: StatementSeen) -> QueryKey:
    """What identifies a query on both sides."""
    return (statement.queryid, statement.database, statement.role)


def compared_identifier(files: Sequence[NamedFacts]) -> str:
    """The system identifier of the first server that has a window; empty if none has."""
    for named in files:
        for server in named.facts.postgres:
            if isinstance(server.window, Known) and isinstance(server.system_identifier, Known):
                return server.system_identifier.value
    return ""


def server_in(named: NamedFacts, identifier: str) -> PostgresServer | None:
    """The server with that system identifier."""
    for server in named.facts.postgres:
        if known_or(server.system_identifier, "") == identifier:
            return server
    return None


def sighting(named: NamedFacts, server: PostgresServer) -> Sighting | Omission:
    """The window of a server, or why it cannot be used.

    Raises:
        InputError: The file contains an invalid time.
    """
    if isinstance(server.window, Unknown):
        return Omission(what=named.file, why=f"no window: {server.window.why}; {HOW}")
    window = server.window.value
    match window.began, window.server_started, window.statements:
        case Known(value=began), Known(value=started), Known(value=statements):
            span = WindowSpan(began=_seconds(began, named.file), seconds=window.seconds)
            if why := _unsettled(span, _seconds(started, named.file)):
                return Omission(what=named.file, why=why)
            return Sighting(
                file=named.file,
                facts=named.facts,
                server=server,
                window=window,
                statements=statements,
                span=span,
            )
        case _:
            return Omission(what=named.file, why=_missing(window))


def _missing(window: Window) -> str:
    facts = (
        ("when the window began", window.began),
        ("when the server was started", window.server_started),
        ("the work of each statement", window.statements),
    )
    return "; ".join(f"{what} is unknown: {fact.why}" for what, fact in facts if isinstance(fact, Unknown))


def _unsettled(span: WindowSpan, started: int) -> str:
    """Why a window does not show the server's usual work; empty if it does."""
    if started > span.began:
        return "the server was restarted during the window, expected no restart"
    if span.began < started + COLD:
        ago = in_words(Duration(1_000 * (span.began - started)))
        return f"the server was started only {ago} before, expected an hour or more to fill its caches"
    return ""


def _seconds(text: str, file: str) -> int:
    try:
        return round(datetime.strptime(text, _TIME).replace(tzinfo=UTC).timestamp())
    except ValueError as error:
        raise InputError(
            f"{file}: postgres.window: found the time {text!r}, expected one such as 2026-11-24T14:00:00Z"
        ) from error


def time_text(seconds: int) -> str:
    """A time since 1970 as facts have it: 2026-11-24T14:00:00Z."""
    return f"{datetime.fromtimestamp(seconds, UTC):{_TIME}}"


def sightings(files: Sequence[NamedFacts], identifier: str) -> Iterator[Sighting | Omission]:
    """The windows in the files that contain the server."""
    for named in files:
        server = server_in(named, identifier)
        if server is not None:
            yield sighting(named, server)

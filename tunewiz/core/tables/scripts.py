"""The advice on tables as two files for psql: what to do, and how to undo it.

What takes a short lock and is undone as fast is a statement; what a person must decide is commented out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.tables.items import Relation, StorageChange, TableAdvice, TableDecision
from tunewiz.core.values.identifiers import connect_command, literal, qualified, shown
from tunewiz.core.values.known import known_or
from tunewiz.core.values.versions import Major

DO_FILE, UNDO_FILE = "tables.sql", "tables-undo.sql"
LOCK_WAIT = "5s"
"""How long a statement waits for its lock: everybody else queues behind it meanwhile."""

_CHECK = (
    "DO $$ BEGIN IF (SELECT system_identifier::text FROM pg_catalog.pg_control_system()) <> IDENTIFIER "
    "THEN RAISE EXCEPTION 'this is another server'; END IF; END $$;"
)
_TELLS_ITSELF = Major(906)
"""The first major with pg_control_system()."""


def table_scripts(advice: TableAdvice, situation: Situation) -> Mapping[str, str]:
    """The two files by name; none if there is nothing to say."""
    if not advice.something or isinstance(situation.server, NoServer):
        return {}
    return {
        DO_FILE: _file(_head_of(situation, f"{UNDO_FILE} undoes it"), advice, situation, _done),
        UNDO_FILE: _file(_head_of(situation, f"It undoes {DO_FILE}"), advice, situation, _undone),
    }


def statement(change: StorageChange) -> str:
    """What sets the parameter."""
    return _alter(change, f"SET ({change.parameter} = {change.value})", "ALTER TABLE")


def undo_statement(change: StorageChange) -> str:
    """What puts back what was there; a table that is gone by then stops nothing."""
    back = (
        f"SET ({change.parameter} = {literal(change.before)})"
        if change.before
        else f"RESET ({change.parameter})"
    )
    return _alter(change, back, "ALTER TABLE IF EXISTS")


def name_of(table: Relation) -> str:
    """The table for a person: `shop: public.orders`."""
    whole = f"{shown(table.schema)}.{shown(table.name)}" if table.name else "the whole database"
    return f"{shown(table.database)}: {whole}"


def _alter(change: StorageChange, what: str, how: str) -> str:
    return f"{how} {qualified(change.table.schema, change.table.name)} {what};"


def _head_of(situation: Situation, other: str) -> tuple[str, ...]:
    host = shown(known_or(situation.facts.host.name, "this server"))
    return (
        (
            f"Tables of {host}, PostgreSQL {situation.major}. apply.sh never runs this file: "
            "read it, then run it"
        ),
        "as the owner of the tables or a superuser, on the primary: psql -X -d postgres -f FILE",
        f"{other}. What is commented out is for a person to decide, each by itself.",
    )


def _done(advice: TableAdvice) -> Iterator[str]:
    """What is done in one database, each with its reason above it."""
    for change in advice.changes:
        yield from ("", f"-- {_of_change(change)}", statement(change))
    yield from ("", "RESET lock_timeout;")
    for decision in advice.decisions:
        yield from ("", f"-- {_of_decision(decision)}: {shown(decision.because)}.", *_out(decision.do))
    for sight in advice.sights:
        yield from ("", f"-- Look at {name_of(sight.table)}, {sight.kind}: {shown(sight.because)}.")


def _undone(advice: TableAdvice) -> Iterator[str]:
    """What undoes it."""
    yield ""
    yield from map(undo_statement, advice.changes)
    yield from ("", "RESET lock_timeout;")
    for decision in advice.decisions:
        if decision.undo:
            yield from ("", f"-- {_of_decision(decision)}", *_out(decision.undo))


def _out(statements: Iterable[str]) -> Iterator[str]:
    """Commented out: each is on one line."""
    return (f"-- {text}" for text in statements)


def _of_change(change: StorageChange) -> str:
    before = change.before or "not set"
    return f"{name_of(change.table)}, {change.parameter}, now {shown(before)}: {shown(change.because)}."


def _of_decision(decision: TableDecision) -> str:
    return f"{name_of(decision.table)}, {decision.kind}, {shown(decision.what)}"


def _file(
    head: Iterable[str],
    advice: TableAdvice,
    situation: Situation,
    body: Callable[[TableAdvice], Iterator[str]],
) -> str:
    lines = [*(f"-- {text}" for text in head), "\\set ON_ERROR_STOP on"]
    for database in advice.databases:
        lines += ["", *_start(database, situation), *body(advice.of(database))]
    return "\n".join(lines) + "\n"


def _start(database: str, situation: Situation) -> Iterator[str]:
    yield f"-- Database {shown(database)}"
    yield connect_command(database)
    yield "\\encoding UTF8"
    yield "SET standard_conforming_strings = on;"
    yield from _this_server(situation)
    yield f"SET lock_timeout = {literal(LOCK_WAIT)};"


def _this_server(situation: Situation) -> Iterator[str]:
    """Another server may have tables of the same names."""
    identifier = (
        known_or(situation.server.system_identifier, "")
        if isinstance(situation.server, PostgresServer)
        else ""
    )
    if identifier.isdecimal() and identifier.isascii() and situation.major >= _TELLS_ITSELF:
        yield _CHECK.replace("IDENTIFIER", literal(identifier))

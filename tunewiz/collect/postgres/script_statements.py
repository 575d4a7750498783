"""Statements of a running server that pgbench scripts can run, and the statistics to draw values from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tunewiz.collect.postgres.client import ask_statements
from tunewiz.collect.postgres.endpoints import reachable
from tunewiz.collect.postgres.found_server import Stopped
from tunewiz.collect.postgres.protocol import ToScript
from tunewiz.collect.postgres.servers import running_server
from tunewiz.collect.system import System
from tunewiz.core.proof.parameter_values import ColumnStatistics
from tunewiz.core.values.errors import ServerError

MOST_STATEMENTS = 100
"""pgbench takes 128 scripts (PostgreSQL's source, pgbench.c, MAX_SCRIPTS)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ScriptStatement:
    """A statement that a script can run without side effects."""

    text: str
    calls: int
    milliseconds: float
    columns: Mapping[int, ColumnStatistics]
    """Statistics by the number of the parameter whose values are drawn from them."""
    limits: tuple[int, ...]
    """Numbers of the parameters of LIMIT and OFFSET."""
    rows: int
    """Rows returned by all calls."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOutStatement:
    """A statement that is left out."""

    text: str
    milliseconds: float
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ScriptStatements:
    """All statements."""

    milliseconds: float
    """Execution time of all statements of all databases."""
    path: str
    """The search path of sessions in the database."""
    statements: tuple[ScriptStatement | LeftOutStatement, ...]


def statements_for_scripts(system: System, data_directory: str, task: ToScript) -> ScriptStatements:
    """The statements of a running server that scripts can run, and those left out.

    Raises:
        ServerError: The server is not running, cannot be reached, or has no usable pg_stat_statements.
    """
    result = running_server(system, data_directory)
    if isinstance(result, Stopped):
        raise ServerError("the server is not running")
    data = ask_statements(system, reachable(system, result), task)
    if data["refused"]:
        raise ServerError(str(data["refused"]))
    return ScriptStatements(
        milliseconds=float(data["milliseconds"]),
        path=str(data["path"]),
        statements=tuple(_statement(value) for value in data["statements"]),
    )


def _statement(entry: Mapping[str, Any]) -> ScriptStatement | LeftOutStatement:
    text, milliseconds = str(entry["text"] or ""), float(entry["milliseconds"])
    if entry["why"]:
        return LeftOutStatement(text=text, milliseconds=milliseconds, why=str(entry["why"]))
    return ScriptStatement(
        text=text,
        calls=int(entry["calls"]),
        milliseconds=milliseconds,
        columns={int(number): _statistics(value) for number, value in entry["columns"].items()},
        limits=tuple(entry["limits"]),
        rows=int(entry["rows"]),
    )


def _statistics(entry: Mapping[str, Any]) -> ColumnStatistics:
    return ColumnStatistics(
        type=str(entry["type"]),
        common=tuple(map(str, entry["common"])),
        frequencies=tuple(map(float, entry["frequencies"])),
        bounds=tuple(map(str, entry["bounds"])),
    )

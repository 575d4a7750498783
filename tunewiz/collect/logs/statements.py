"""Statements with their times in a server's log: those of log_min_duration_statement and its samples.

The server must write English messages (lc_messages).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import BinaryIO, TextIO

from tunewiz.collect.logs.files import BROKEN, log_streams
from tunewiz.collect.logs.scan import Form
from tunewiz.core.proof.parameter_values import VARIANTS
from tunewiz.core.proof.script_statement import MOST_CHARACTERS
from tunewiz.core.proof.statement_text import parts, without_strings
from tunewiz.formats.structure import is_table

MOST_KINDS = 5_000
"""Kinds of statements that are kept, as many as pg_stat_statements keeps by default."""
MOST_LINES = 1_000
"""The most lines of one statement."""
LONGEST_FIELD = 1 << 24
"""Characters of a field, a line, or a statement with all its lines that are kept: any role can log more."""
_TIMED = re.compile(
    r"duration: (?P<ms>\d{1,12}\.\d{1,6}) ms  (?:statement|execute [^\n]*?): (?P<text>.*)", re.DOTALL
)
_GIVEN = re.compile(r"parameters: (?P<list>.*)", re.DOTALL | re.IGNORECASE)
_VALUE = re.compile(r"\$(?P<number>\d{1,5}) = (?P<value>NULL|'(?:[^']|'')*')(?:, |\s*$)")
_NUMBER = re.compile(r"(?<![\w$.])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_DATABASE, _SEVERITY, _MESSAGE, _DETAIL = 2, 11, 13, 14
"""Columns of csvlog (PostgreSQL documentation, "Using CSV-Format Log Output")."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Logged:
    """One statement as it was run."""

    database: str
    """Empty if the log does not name it: a text log has it only in log_line_prefix."""
    milliseconds: float
    text: str
    """With the values of its parameters."""


@dataclass(kw_only=True, slots=True)
class Kind:
    """All statements that differ only in their values."""

    calls: int = 0
    milliseconds: float = 0.0
    samples: list[str] = field(default_factory=list[str])
    """A uniform random sample of the statements."""


@dataclass(kw_only=True, slots=True)
class LoggedKinds:
    """What a log holds."""

    kinds: dict[str, Kind] = field(default_factory=dict[str, Kind])
    elsewhere_ms: float = 0.0
    """Statements of other databases."""
    beyond_ms: float = 0.0
    """Statements that are too long, or of kinds beyond the limit."""
    damaged: int = 0
    """Files that could not be read to their end."""


def read_statements(paths: Iterable[Path], database: str, random: Random) -> LoggedKinds:
    """The statements of a database in a log.

    Args:
        paths: Files and directories.
        database: The database; statements whose database the log does not name count as its own.
        random: Draws the samples.

    Raises:
        InputError: A path cannot be opened, is not a regular file, or has another compression.
    """
    logged_kinds = LoggedKinds()
    for stream, form in log_streams(paths):
        try:
            for statement in statements_in(stream, form):
                _count(logged_kinds, statement, database, random)
        except (*BROKEN, csv.Error):
            logged_kinds.damaged += 1
    return logged_kinds


def _count(logged_kinds: LoggedKinds, entry: Logged, database: str, random: Random) -> None:
    if entry.database not in ("", database):
        logged_kinds.elsewhere_ms += entry.milliseconds
        return
    key = without_values(entry.text) if len(entry.text) <= MOST_CHARACTERS else ""
    if not key or (key not in logged_kinds.kinds and len(logged_kinds.kinds) >= MOST_KINDS):
        logged_kinds.beyond_ms += entry.milliseconds
        return
    kind = logged_kinds.kinds.setdefault(key, Kind())
    kind.calls += 1
    kind.milliseconds += entry.milliseconds
    if len(kind.samples) < VARIANTS:
        kind.samples.append(entry.text)
    elif (place := random.randrange(kind.calls)) < VARIANTS:
        kind.samples[place] = entry.text


def without_values(text: str) -> str:
    """What statements of one kind have in common.

    >>> without_values("SELECT a  FROM t WHERE b = 'x' and c = 1.5")
    "select a from t where b = '' and c = 0"
    """
    return " ".join(_NUMBER.sub("0", without_strings(text)).lower().split())


def statements_in(stream: BinaryIO, form: Form) -> Iterator[Logged]:
    """The timed statements in one file; raises what reading it raises."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", newline="\n")
    try:
        for database, message, detail in _MESSAGES[form](text):
            if timed := _TIMED.fullmatch(message):
                yield Logged(
                    database=database,
                    milliseconds=float(timed["ms"]),
                    text=with_values(timed["text"], detail),
                )
    finally:
        text.detach()


Message = tuple[str, str, str]
"""Database, message, detail."""


def _of_text(stream: TextIO) -> Iterator[Message]:
    message, detail = "", ""
    for line in _joined(stream):
        logged, said = line.partition("LOG:  ")[1:]
        explained, more = line.partition("DETAIL:  ")[1:]
        if logged:
            yield "", message, detail
            message, detail = said, ""
        elif explained and not detail:
            detail = more
        else:
            yield "", message, detail
            message, detail = "", ""
    yield "", message, detail


def _joined(stream: TextIO) -> Iterator[str]:
    """Lines joined with their continuation lines, which begin with a tab."""
    result, length = list[str](), 0
    for line in _lines(stream):
        if not line.startswith("\t"):
            if result:
                yield "\n".join(result)
            result, length = [], 0
        if len(result) < MOST_LINES and length < LONGEST_FIELD:
            result.append(line.rstrip("\n").removeprefix("\t"))
            length += len(line)
    if result:
        yield "\n".join(result)


def _lines(stream: TextIO) -> Iterator[str]:
    """Lines, of which the end of a longer one is dropped: a few compressed bytes may hold an endless one."""
    begins = True
    while line := stream.readline(LONGEST_FIELD):
        if begins:
            yield line
        begins = line.endswith("\n")


def _of_csv(stream: TextIO) -> Iterator[Message]:
    csv.field_size_limit(LONGEST_FIELD)
    for row in csv.reader(_lines(stream)):
        if len(row) > _DETAIL and row[_SEVERITY] == "LOG":
            yield row[_DATABASE], row[_MESSAGE], row[_DETAIL]


def _of_json(stream: TextIO) -> Iterator[Message]:
    for line in _lines(stream):
        try:
            row: object = json.loads(line)
        except (RecursionError, ValueError):
            continue
        if is_table(row):
            yield str(row.get("dbname", "")), str(row.get("message", "")), str(row.get("detail", ""))


_MESSAGES = {"text": _of_text, "csv": _of_csv, "json": _of_json}


def with_values(text: str, detail: str) -> str:
    """The statement with the logged values of its parameters; unchanged if there are none.

    >>> with_values("select a from t where b = $1", "parameters: $1 = 'it''s'")
    "select a from t where b =  'it''s' "
    """
    given = _GIVEN.fullmatch(detail)
    if given is None:
        return text
    values = {match["number"]: match["value"] for match in _VALUE.finditer(given["list"])}
    return "".join(_with_values([*parts(text)], values))


def _with_values(results: Sequence[tuple[str, str]], values: Mapping[str, str]) -> Iterator[str]:
    for kind, part in results:
        value = values.get(part[1:]) if kind == "parameter" else None
        yield part if value is None else f" {value} "

"""A mix of scripts made from a server's own statements: from pg_stat_statements, or from its log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from types import MappingProxyType

from tunewiz.bench.errors import RefusedError
from tunewiz.bench.mix import Mix
from tunewiz.bench.options import BenchOptions
from tunewiz.bundle.manifest import digest_of
from tunewiz.collect.logs.statements import Kind, LoggedKinds, read_statements
from tunewiz.collect.postgres.protocol import LoggedStatement, ToScript
from tunewiz.collect.postgres.script_statements import (
    MOST_STATEMENTS,
    LeftOutStatement,
    ScriptStatement,
    ScriptStatements,
    statements_for_scripts,
)
from tunewiz.collect.system import LiveSystem
from tunewiz.core.proof.parameter_values import VARIANTS, script, variants
from tunewiz.core.proof.proof import Omission, ProofScript
from tunewiz.core.proof.script_statement import on_one_line, why_left_out
from tunewiz.core.proof.statement_text import WRITES, parts, shown
from tunewiz.core.values.errors import ServerError
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import shortly

LARGEST_WEIGHT = 1_000_000
"""The largest weight; if a script has more calls, all are scaled down."""
MOST_REASONS = 20
"""Reasons that are listed one by one, those of the most time first."""
OLDEST_PGBENCH = 11
r"""From 11 on its scripts can choose (`\if`; PostgreSQL release notes, 11)."""
_VERSION = re.compile(r"pgbench \(PostgreSQL\) (\d{1,3})")


@dataclass(frozen=True, kw_only=True, slots=True)
class Runnable:
    """A statement, and a script that runs it."""

    statement: ScriptStatement
    content: bytes
    writes: bool


def check_pgbench(version: str) -> None:
    """Refuse a pgbench too old for choices in scripts; raises RefusedError."""
    match = _VERSION.match(version)
    if match is None or int(match[1]) < OLDEST_PGBENCH:
        raise RefusedError(f"found {version.strip()!r}, expected pgbench {OLDEST_PGBENCH} or newer")


def mix_from_server(options: BenchOptions, data_directory: str) -> Mix:
    """The scripts, and the statements left out.

    Raises:
        InputError: A log cannot be read.
        RefusedError: The server's statements are unknown, or no script can run any of them.
    """
    random = Random(options.seed)  # noqa: S311 - nothing secret
    if options.logs:
        return _from_log(options, data_directory, random)
    statements = _statements(options, data_directory, None)
    runnable = [
        Runnable(statement=statement, content=_script(statement, random), writes=_writes(statement.text))
        for statement in statements.statements
        if isinstance(statement, ScriptStatement)
    ]
    left = [statement for statement in statements.statements if isinstance(statement, LeftOutStatement)]
    return _mix(options, statements, runnable, left)


def _statements(
    options: BenchOptions, data_directory: str, logged: tuple[LoggedStatement, ...] | None
) -> ScriptStatements:
    task = ToScript(
        database=options.database, writes=options.with_writes, count=MOST_STATEMENTS, logged=logged
    )
    try:
        return statements_for_scripts(LiveSystem(), data_directory, task)
    except ServerError as error:
        raise RefusedError(f"the server's statements are unknown: {error.message}") from error


def _script(statement: ScriptStatement, random: Random) -> bytes:
    wanted = str(max(1, round(statement.rows / max(1, statement.calls))))
    fixed = dict.fromkeys(statement.limits, wanted)
    return script(variants(on_one_line(statement.text), statement.columns, fixed, random)).encode()


def _writes(text: str) -> bool:
    return any(kind == "word" and part.lower() in WRITES for kind, part in parts(text))


def _from_log(options: BenchOptions, data_directory: str, random: Random) -> Mix:
    log = read_statements(options.logs, options.database, random)
    usable, left = dict[str, Sequence[str]](), [*_not_read(log)]
    kinds = dict[str, Kind]()
    for kind in sorted(log.kinds.values(), key=lambda kind: -kind.milliseconds):
        good = [text for text in kind.samples if not why_left_out(text, writes=options.with_writes)]
        # Statements of two kinds may have the same text: the first one stands for both.
        if good and good[0] not in usable:
            usable[good[0]], kinds[good[0]] = good, kind
        else:
            why = why_left_out(kind.samples[0], writes=options.with_writes)
            left.append(LeftOutStatement(text=kind.samples[0], milliseconds=kind.milliseconds, why=why))
    logged = tuple(
        LoggedStatement(text=text, calls=kind.calls, milliseconds=kind.milliseconds)
        for text, kind in kinds.items()
    )
    statements = _statements(options, data_directory, logged)
    runnable = [
        _of_samples(statement, usable[statement.text])
        for statement in statements.statements
        if isinstance(statement, ScriptStatement)
    ]
    left += [statement for statement in statements.statements if isinstance(statement, LeftOutStatement)]
    whole = statements.milliseconds + sum(
        omission.milliseconds for omission in left if omission.text not in kinds
    )
    return _mix(
        options, ScriptStatements(milliseconds=whole, path=statements.path, statements=()), runnable, left
    )


def _not_read(log: LoggedKinds) -> Iterator[LeftOutStatement]:
    if log.elsewhere_ms:
        yield LeftOutStatement(text="", milliseconds=log.elsewhere_ms, why="it ran in another database")
    if log.beyond_ms:
        yield LeftOutStatement(
            text="", milliseconds=log.beyond_ms, why="it is too long, or of too many kinds"
        )


def _of_samples(statement: ScriptStatement, samples: Sequence[str]) -> Runnable:
    statements = [f"{on_one_line(text)};" for text in samples[:VARIANTS]]
    return Runnable(statement=statement, content=script(statements).encode(), writes=_writes(statement.text))


def _mix(
    options: BenchOptions,
    script_statements: ScriptStatements,
    runnable: Sequence[Runnable],
    left: Sequence[LeftOutStatement],
) -> Mix:
    whole = script_statements.milliseconds
    left_out = tuple(_left_out(left, whole))
    if not runnable:
        reasons = "\n  ".join(f"{omission.what}: {omission.why}" for omission in left_out)
        raise RefusedError(f"no statement of {options.database} can be run by a script\n  {reasons}")
    contents = {f"script-{number}.sql": runnable.content for number, runnable in enumerate(runnable, start=1)}
    most = max(runnable.statement.calls for runnable in runnable)
    scripts = tuple(
        ProofScript(
            name=name,
            weight=_weight(runnable.statement.calls, most),
            writes=runnable.writes,
            digest=digest_of(runnable.content),
        )
        for name, runnable in zip(contents, runnable, strict=True)
    )
    return Mix(
        source="log" if options.logs else "statements",
        scripts=scripts,
        contents=MappingProxyType(contents),
        share=min(1.0, sum(runnable.statement.milliseconds for runnable in runnable) / whole)
        if whole
        else None,
        left_out=left_out,
        session=_session(script_statements.path, writes=options.with_writes),
    )


def _weight(calls: int, most: int) -> int:
    """The number of calls, scaled down to what pgbench accepts."""
    return calls if most <= LARGEST_WEIGHT else max(1, round(calls * LARGEST_WEIGHT / most))


def _session(path: str, *, writes: bool) -> Mapping[str, str]:
    """Settings that a copy of the database does not inherit, and a guard against writes, for libpq."""
    escaped = re.sub(r"([\\\s])", r"\\\1", path)
    read_only = "off" if writes else "on"
    options = f"-c default_transaction_read_only={read_only} -c search_path={escaped}"
    return MappingProxyType({"PGOPTIONS": options, "PGCLIENTENCODING": "UTF8"})


def _left_out(left: Sequence[LeftOutStatement], whole: float) -> Iterator[Omission]:
    """By reason, those of the most time first; each with an example."""
    reasons = dict[str, list[LeftOutStatement]]()
    for omission in left:
        reasons.setdefault(omission.why, []).append(omission)
    ordered = sorted(
        reasons.items(),
        key=lambda item: -sum(left_out_statement.milliseconds for left_out_statement in item[1]),
    )
    for why, ones in islice(ordered, MOST_REASONS):
        yield Omission(what=_in_words(ones, whole), why=why)
    if rest := [left_out_statement for _, ones in ordered[MOST_REASONS:] for left_out_statement in ones]:
        yield Omission(what=_in_words(rest, whole), why="for other reasons")


def _in_words(ones: Sequence[LeftOutStatement], whole: float) -> str:
    share = 100 * sum(omission.milliseconds for omission in ones) / whole if whole else 0.0
    texts = [
        omission.text
        for omission in sorted(ones, key=lambda omission: -omission.milliseconds)
        if omission.text
    ]
    example = f", such as {shown(texts[0])}" if texts else ""
    return f"{how_many(len(ones), 'statement')} ({shortly(share, 2)} % of the time){example}"

"""Statements are read from a log in any of the server's formats, with the values that they were run with."""

import csv
import gzip
import io
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.collect.logs.scan import Form
from tunewiz.collect.logs.statements import (
    LONGEST_FIELD,
    MOST_LINES,
    Logged,
    LoggedKinds,
    read_statements,
    statements_in,
    with_values,
    without_values,
)
from tunewiz.core.proof.parameter_values import VARIANTS

STAMP = "2026-11-20 12:00:00.123 UTC [4711] app@shop "
ROWS = (
    ("duration: 1.500 ms  statement: SELECT a\nFROM t WHERE b = 'x'", ""),
    ("connection authorized: user=app", ""),
    (
        "duration: 2.250 ms  execute <unnamed>: SELECT $1::text, $2",
        "parameters: $1 = 'it''s, $2 = 5', $2 = NULL",
    ),
    ("duration: 0.100 ms  parse <unnamed>: SELECT 1", ""),
    ("duration: 9.000 ms", ""),
    ("duration: 3.000 ms  execute s1: SELECT 2", ""),
)
FOUND = (
    (1.5, "SELECT a\nFROM t WHERE b = 'x'"),
    (2.25, "SELECT  'it''s, $2 = 5' ::text,  NULL "),
    (3.0, "SELECT 2"),
)


def as_text() -> str:
    lines = list[str]()
    for message, detail in ROWS:
        lines.append(f"{STAMP}LOG:  " + message.replace("\n", "\n\t"))
        if detail:
            lines.append(f"{STAMP}DETAIL:  {detail}")
    return "\n".join(lines) + "\n"


def as_csv() -> str:
    out = io.StringIO()
    for message, detail in ROWS:
        row = [""] * 23
        row[2], row[11], row[13], row[14] = "shop", "LOG", message, detail
        csv.writer(out).writerow(row)
    return out.getvalue()


def as_json() -> str:
    rows = ({"dbname": "shop", "error_severity": "LOG", "message": m, "detail": d} for m, d in ROWS)
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("form", "text", "database"),
    [("text", as_text(), ""), ("csv", as_csv(), "shop"), ("json", as_json(), "shop")],
)
def test_statements_are_read_in_every_format(form: Form, text: str, database: str) -> None:
    statements = tuple(statements_in(io.BytesIO(text.encode()), form))
    assert statements == tuple(Logged(database=database, milliseconds=ms, text=said) for ms, said in FOUND)


def logged(statement: str) -> str:
    return f"{STAMP}LOG:  duration: 1.000 ms  statement: {statement}\n"


def read(path: Path, database: str = "shop") -> LoggedKinds:
    return read_statements([path], database, Random(1))  # noqa: S311 - a sample


def test_statements_of_one_kind_are_counted_together_and_sampled(tmp_path: Path) -> None:
    file = tmp_path / "postgresql.log.gz"
    lines = map(logged, (f"select a from t where b = {n}" for n in range(500)))  # noqa: S608 - never run
    file.write_bytes(gzip.compress("".join(lines).encode()))
    (kind,) = read(file).kinds.values()
    assert (kind.calls, kind.milliseconds, len(set(kind.samples))) == (500, 500.0, VARIANTS)
    assert max(int(text.split()[-1]) for text in kind.samples) > 2 * VARIANTS


def test_other_databases_count_as_left_out(tmp_path: Path) -> None:
    file = tmp_path / "postgresql.csv"
    file.write_text(as_csv())
    logged_kinds = read(file, "other")
    assert not logged_kinds.kinds
    assert logged_kinds.elsewhere_ms == 6.75


def test_a_damaged_file_tells_what_comes_before(tmp_path: Path) -> None:
    file = tmp_path / "postgresql.log.gz"
    lines = "".join(logged(f"values ('{'x' * 50}{n}')") for n in range(20_000))
    packed = gzip.compress(lines.encode())
    file.write_bytes(packed[: len(packed) // 2])
    logged_kinds = read(file)
    assert logged_kinds.damaged == 1
    assert logged_kinds.kinds


def test_a_statement_of_endless_lines_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "postgresql.log"
    file.write_text(f"{STAMP}LOG:  duration: 1.0 ms  statement: select 1\n" + "\tx\n" * (5 * MOST_LINES))
    (kind,) = read(file).kinds.values()
    assert len(kind.samples[0].splitlines()) == MOST_LINES


def test_statements_that_differ_in_values_alone_are_of_one_kind() -> None:
    assert without_values("SELECT 'a', 1.5e3 FROM t1") == without_values("select  'it''s',\n 2 from t1")
    assert without_values("select a from t1") != without_values("select a from t2")


@given(st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=4))
def test_a_value_is_put_where_its_parameter_was(values: list[str | None]) -> None:
    said = ["NULL" if value is None else "'" + value.replace("'", "''") + "'" for value in values]
    detail = "parameters: " + ", ".join(f"${n} = {text}" for n, text in enumerate(said, start=1))
    text = " and ".join(f"${n}" for n in range(1, len(values) + 1))
    assert with_values(text, detail) == " and ".join(f" {text} " for text in said)


def test_json_of_endless_depth_is_skipped() -> None:
    text = b"[" * 200_000 + b'\n{"message": "duration: 2.000 ms  statement: SELECT 1"}\n'
    assert [statement.text for statement in statements_in(io.BytesIO(text), "json")] == ["SELECT 1"]


def test_an_endless_line_is_cut() -> None:
    line = b"LOG:  duration: 1.000 ms  statement: SELECT "
    text = line + b"1" * (2 * LONGEST_FIELD) + b"\n" + line + b"2\n"
    texts = [statement.text for statement in statements_in(io.BytesIO(text), "text")]
    assert len(texts[0]) < LONGEST_FIELD
    assert texts[1:] == ["SELECT 2"]


def test_long_lines_of_one_statement_are_cut_together() -> None:
    text = (
        b"LOG:  duration: 1.000 ms  statement: SELECT\n" + (b"\t" + b"1" * (LONGEST_FIELD // 2) + b"\n") * 5
    )
    (entry,) = statements_in(io.BytesIO(text), "text")
    assert len(entry.text) < 2 * LONGEST_FIELD

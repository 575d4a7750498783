"""What of a statement's text pgbench would read as something else is found, whatever else stands in it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.proof.script_statement import called, on_one_line, why_left_out

PIECES = st.lists(
    st.sampled_from(
        [
            "a",
            " ",
            "\n",
            "'",
            "''",
            '"',
            "\\",
            ";",
            ":",
            "::",
            ":x",
            "$1",
            "$$",
            "--",
            "/*",
            "*/",
            "1",
            "(",
            "é",
        ]
    ),
    max_size=12,
).map("".join)
QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
TEXTS = PIECES.map(lambda text: f"select {text}")

KEPT = [
    "select 1",
    "SELECT a::text FROM t WHERE b = '10:30'",
    "select '2026-01-01 10:30:00'::timestamptz",
    "with x as (select 1) select * from x",
    "select a[1:2] from t",
    "select substring(a for 2) from t",
    "select 'it''s' -- a: comment \\ with ; anything",
    "values (1)",
    "select key, share, no from t",
    "select inserted, updated from t;",
]
LEFT = [
    ("select ':scale'", "colon"),
    ("select a[1:n] from t", "colon"),
    ("select :scale", "colon"),
    ("select a[1:_n] from t", "colon"),
    ("select $x$a$x$", "dollar"),
    ("select E'\\n'", "backslash"),
    ("select 1; drop table t", "several"),
    ("select 'a\nb'", "line break"),
    ("select 'a", "an unterminated quote"),
    ("select 'a\ufffd'", "UTF-8"),
    ("select 1 from t for update", "locks"),
    ("select 1 from t FOR NO KEY UPDATE", "locks"),
    ("select 1 from t for key share", "locks"),
    ("select a into b from t", "makes a table"),
    ("with x as (insert into t values (1) returning 1) select 1 from x", "--with-writes"),
    ("delete from t", "--with-writes"),
    ("copy t to stdout", "no query plan"),
    ("begin", "no query plan"),
    ("", "no query plan"),
    (f"select '{'x' * 20_000}'", "longer"),
]


@pytest.mark.parametrize("text", KEPT)
def test_a_statement_that_pgbench_changes_nothing_of_can_be_run(text: str) -> None:
    assert why_left_out(text, writes=False) == ""


@pytest.mark.parametrize(("text", "why"), LEFT)
def test_a_statement_that_would_become_another_is_left_out(text: str, why: str) -> None:
    assert why in why_left_out(text, writes=False)


def test_a_statement_that_writes_can_be_run_where_that_is_wanted() -> None:
    assert why_left_out("update t set a = 1", writes=True) == ""
    assert why_left_out("with x as (insert into t values (1) returning 1) select 1 from x", writes=True) == ""
    assert "locks" in why_left_out("select 1 from t for update", writes=True)


@given(TEXTS)
def test_a_script_s_statement_is_one_line_that_pgbench_reads_as_one_statement(text: str) -> None:
    if why_left_out(text, writes=True):
        return
    said = on_one_line(text)
    assert not set(said) & set("\n\\")
    assert not set(QUOTED.sub("", said)) & set(";'\"")
    assert not re.search("(?<!:):x", said)
    assert on_one_line(said) == said


def test_functions_are_found_however_they_are_spelled() -> None:
    text = 'SELECT a.PG_Sleep (1), "Quoted""Name"(2), x FROM t WHERE \'f(\' = b /* g( */ AND c IN (1)'
    assert called(text) == {"pg_sleep", 'Quoted"Name', "in"}

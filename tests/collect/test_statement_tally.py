"""What is told of statements between two readings: what was added, the most expensive, nothing quoted."""

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.collect.postgres.statement_tally import (
    LONGEST,
    MOST_CALLED,
    MOST_EXPENSIVE,
    Key,
    StatementCount,
    StatementsReading,
    reported,
    without_constants,
)

NUMBERS = st.integers(0, 10**9)
COUNTS = st.builds(StatementCount, calls=NUMBERS, ms=st.floats(0, 1e9), rows=NUMBERS)
LONG = "x" * LONGEST


def key(name: object) -> Key:
    return (str(name), "shop", "app")


def reading(counts: dict[Key, StatementCount], discarded: int = 0) -> StatementsReading:
    return StatementsReading(counts=counts, discarded=discarded, reset="")


@given(COUNTS, COUNTS)
def test_what_was_added_is_the_difference(before: StatementCount, added: StatementCount) -> None:
    after = StatementCount(
        calls=before.calls + added.calls, ms=before.ms + added.ms, rows=before.rows + added.rows
    ).since(before)
    assert (after.calls, after.rows) == (added.calls, added.rows)
    assert isclose(after.ms, added.ms, abs_tol=1e-3)


def test_an_entry_that_was_made_anew_counts_from_its_beginning() -> None:
    anew = StatementCount(calls=2, ms=1.0, rows=2)
    assert anew.since(StatementCount(calls=9, ms=90.0, rows=9)) == anew


def test_entries_that_vanished_were_evicted_and_those_that_only_grew_were_not() -> None:
    before = {key(name): StatementCount(calls=5, ms=1.0, rows=5) for name in "abc"}
    grown = {name: StatementCount(calls=6, ms=2.0, rows=6) for name in before}
    assert reading(grown).evicted_since(reading(before)) == 0
    gone = {key("a"): grown[key("a")], key("b"): StatementCount(calls=1, ms=1.0, rows=1)}
    assert reading(gone).evicted_since(reading(before)) == 2
    assert reading(grown, discarded=7).evicted_since(reading(before, discarded=3)) == 4


def test_the_most_expensive_and_the_most_called_are_reported() -> None:
    called = {
        key(number): StatementCount(calls=number + 1, ms=float(1000 - number), rows=0)
        for number in range(1000)
    }
    result = reported(called)
    assert len(result) == MOST_EXPENSIVE + MOST_CALLED
    assert result[0] == key(0)
    assert key(999) in result
    assert key(500) not in result


def test_few_statements_are_all_reported() -> None:
    called = {key(number): StatementCount(calls=1, ms=1.0, rows=0) for number in range(50)}
    assert set(reported(called)) == called.keys()


@pytest.mark.parametrize(
    "text",
    [
        "alter role app password 'hunter2'",
        "do $$begin perform 'hunter2'; end$$",
        "copy t from program 'curl -u hunter2 host'",
        "select 'hunter2'",
        f"select 'hunter2{LONG}",
        f"select a /* {LONG} */, 'hunter2'"[:LONGEST],
        f"select 'it''s hunter2', {LONG}"[:LONGEST],
    ],
)
def test_what_is_quoted_does_not_leave_the_process(text: str) -> None:
    assert "hunter2" not in without_constants(text)


def test_what_is_planned_is_told_and_a_command_only_by_its_name() -> None:
    assert without_constants("select a\n from t where b = $1") == "select a from t where b = $1"
    assert without_constants("vacuum analyze t") == "VACUUM"

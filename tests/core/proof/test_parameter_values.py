"""Values come as often as the statistics say, and a script chooses each as often as the others."""

import re
from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.proof.parameter_values import (
    VARIANTS,
    ColumnStatistics,
    Range,
    drawn,
    literal,
    script,
    variants,
)


def seeded(number: int) -> Random:
    """What draws, the same again each time."""
    return Random(number)  # noqa: S311 - nothing secret


STATES = ColumnStatistics(type="text", common=("new", "old"), frequencies=(0.6, 0.2), bounds=("a", "k", "z"))
IDS = ColumnStatistics(type="int4", bounds=("-10", "0", "500"))


def test_common_values_come_as_often_as_they_are() -> None:
    random = seeded(1)
    counter = Counter(str(drawn(STATES, random)) for _ in range(20_000))
    assert abs(counter["'new'"] / 20_000 - 0.6) < 0.02
    assert abs(counter["'old'"] / 20_000 - 0.2) < 0.02
    assert set(counter) == {"'new'", "'old'", "'a'", "'k'", "'z'"}


def test_common_values_alone_are_all_that_there_is() -> None:
    only = ColumnStatistics(type="bool", common=("t", "f"), frequencies=(0.5, 0.25))
    assert {drawn(only, seeded(number)) for number in range(50)} == {"'t'", "'f'"}


def test_whole_numbers_come_from_the_bins_of_the_histogram() -> None:
    result = {drawn(IDS, seeded(number)) for number in range(50)}
    assert result == {Range(low=-10, high=0, type="int4"), Range(low=0, high=500, type="int4")}


def test_a_range_that_pgbench_cannot_draw_from_is_a_bound() -> None:
    wide = ColumnStatistics(type="int8", bounds=(str(-(2**63)), str(2**63 - 1)))
    assert drawn(wide, seeded(1)) in (f"'{-(2**63)}'", f"'{2**63 - 1}'")


def test_every_parameter_is_replaced_and_nothing_within_quotes() -> None:
    text = "select '$1' from t where a=$1 and b=$2 limit $3"
    result = variants(text, {1: IDS, 2: STATES}, {3: "5"}, seeded(1))
    assert len(result) == VARIANTS
    for name in result:
        assert re.fullmatch(
            r"\\set tunewiz_1 random\(-?\d+, \d+\)\nselect '\$1' from t where a= "
            r"CAST\(:tunewiz_1 AS pg_catalog\.int4\)  and b= '\w+'  limit  5 ;",
            name,
        )
    assert variants("select 1", {}, {}, seeded(1)) == ("select 1;",)


def chosen(text: str, number: int) -> list[str]:
    """What pgbench runs for one draw: its conditions, evaluated."""
    taken, result = [True], list[str]()
    for line in text.splitlines():
        if condition := re.fullmatch(r"\\if :tunewiz_variant < (\d+)", line):
            taken.append(number < int(condition[1]))
        elif line == "\\else":
            taken[-1] = not taken[-1]
        elif line == "\\endif":
            taken.pop()
        elif all(taken) and not line.startswith("\\set"):
            result.append(line)
    return result


@given(st.integers(1, 100))
def test_each_draw_runs_one_statement_and_each_statement_has_one(count: int) -> None:
    result = [f"select {number};" for number in range(1, count + 1)]
    assert [chosen(script(result), number) for number in range(1, count + 1)] == [[text] for text in result]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_literal_holds_nothing_that_pgbench_reads(value: str) -> None:
    text = literal(value, "text")
    assert text.isascii()
    assert text.isprintable()
    assert "\\" not in text
    assert not re.search(":[A-Za-z_]", text)
    assert text.count("'") % 2 == 0

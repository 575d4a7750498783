"""Curves by block letters: whatever shares a cell, the highest is seen."""

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.words.ascii import in_ascii
from tunewiz.text.bars import LEVELS, sparkline

VALUES = st.lists(st.integers(0, 10**18), min_size=1, max_size=400)


@given(VALUES, st.integers(1, 100))
def test_a_curve_has_a_letter_for_each_value_or_cell_and_reaches_the_top(
    values: list[int], cells: int
) -> None:
    drawn = sparkline(values, cells)
    assert len(drawn) == min(cells, len(values))
    assert (LEVELS[-1] in drawn) is any(values)


@given(st.lists(st.integers(0, 10**18), min_size=1, max_size=60))
def test_higher_values_are_never_drawn_lower_and_nothing_is_drawn_as_nothing(values: list[int]) -> None:
    drawn = sparkline(values, len(values))
    pairs = sorted(zip(values, map(LEVELS.index, drawn), strict=True))
    assert [level for _, level in pairs] == sorted(level for _, level in pairs)
    assert all((level == 0) is (value == 0) for value, level in pairs)


@given(VALUES, st.integers(1, 100))
def test_in_ascii_every_level_keeps_a_letter_of_its_own(values: list[int], cells: int) -> None:
    drawn = sparkline(values, cells)
    assert len(set(in_ascii(LEVELS))) == len(LEVELS)
    assert len(in_ascii(drawn)) == len(drawn)
    assert in_ascii(drawn).isascii()


def test_no_values_are_no_curve() -> None:
    assert sparkline((), 10) == ""

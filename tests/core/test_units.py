"""Sizes and times are read and written as PostgreSQL does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.values.units import GIB, KIB, MIB, TIB, Bytes, Duration, UnitError

WHOLE_KB = st.integers(0, 2**50).map(lambda count: Bytes(count * KIB))
TIMES = st.integers(1, 2**50).map(Duration)


@given(WHOLE_KB)
def test_a_size_of_whole_kilobytes_comes_back_from_its_postgres_form(size: Bytes) -> None:
    assert Bytes.parse(size.pg()) == size


@given(TIMES)
def test_a_time_comes_back_from_its_postgres_form(time: Duration) -> None:
    assert Duration.parse(time.pg()) == time


@given(st.integers(0, 2**60).map(Bytes), st.integers(1, 2**40).map(Bytes))
def test_pages_hold_the_size_and_one_page_less_does_not(size: Bytes, page: Bytes) -> None:
    pages = size.pages(page)
    assert page * pages >= size
    assert pages == 0 or page * (pages - 1) < size


@given(st.integers(0, 2**60).map(Bytes), st.integers(1, 2**40).map(Bytes))
def test_rounding_down_loses_less_than_a_step(size: Bytes, step: Bytes) -> None:
    rounded = size.down_to(step)
    assert rounded <= size < rounded + step
    assert rounded.count % step.count == 0


@pytest.mark.parametrize(
    ("text", "count"),
    [("1kB", KIB), (" 16 MB ", 16 * MIB), ("1.5GB", GIB + GIB // 2), ("0B", 0), ("2TB", 2048 * GIB)],
)
def test_sizes_are_read_with_the_units_of_postgres(text: str, count: int) -> None:
    assert Bytes.parse(text) == Bytes(count)


@pytest.mark.parametrize(
    "text", ["", "16", "16gb", "16 kb", "16K", "-1GB", "1e3MB", "GB", "1,5GB", "٣GB\n\n1"]
)
def test_what_postgres_takes_for_no_size_is_refused(text: str) -> None:
    with pytest.raises(UnitError, match="expected a size such as"):
        Bytes.parse(text)


@pytest.mark.parametrize("text", ["", "5", "5m", "5 sec", "1H", "1us"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UnitError, match="expected a time such as"):
        Duration.parse(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [("16GB", "16.0 GiB"), ("1.25GB", "1.2 GiB"), ("512MB", "512 MiB"), ("64kB", "64 KiB"), ("12B", "12 B")],
)
def test_sizes_are_shown_to_people_with_one_digit(size: str, text: str) -> None:
    assert Bytes.parse(size).human() == text


@given(st.one_of(*(st.integers(unit - unit // 1_000, unit) for unit in (MIB, GIB, TIB))))
def test_no_size_rounds_to_a_thousand_and_twenty_four(count: int) -> None:
    number, unit = Bytes(count).human().split()
    assert float(number) < 1_024, (number, unit)


def test_a_size_between_units_is_written_in_the_unit_that_divides_it() -> None:
    assert Bytes(1536 * MIB).pg() == "1536MB"
    assert Bytes(GIB + 1).pg() == "1048576kB"


def test_no_time_at_all_is_zero() -> None:
    assert Duration(0).pg() == "0"

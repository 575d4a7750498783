"""Sizes that a person would write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.values.rounding import COARSE, FINE, close, round_down, round_up_to, shortly
from tunewiz.core.values.units import GIB, MIB, Bytes

SIZES = st.integers(1, 2**60).map(Bytes)
STEPS = st.sampled_from([COARSE, FINE])


@pytest.mark.parametrize(
    ("exact", "steps", "round_size"),
    [
        ("15.67GB", FINE, "15GB"),
        ("16GB", FINE, "16GB"),
        ("31.9GB", FINE, "30GB"),
        ("300MB", FINE, "288MB"),
        ("47MB", COARSE, "40MB"),
        ("48MB", COARSE, "48MB"),
        ("5000kB", COARSE, "4MB"),
    ],
)
def test_a_size_is_rounded_to_what_a_person_would_write(exact: str, steps: int, round_size: str) -> None:
    assert round_down(Bytes.parse(exact), steps).pg() == round_size


@given(SIZES, STEPS)
def test_rounding_never_adds_and_takes_less_than_one_step(size: Bytes, steps: int) -> None:
    made = round_down(size, steps)
    assert made <= size
    assert (size.count - made.count) * steps < size.count + steps


@given(SIZES, SIZES, STEPS)
def test_a_larger_size_never_becomes_the_smaller_one(one: Bytes, other: Bytes, steps: int) -> None:
    small, large = sorted((one, other))
    assert round_down(small, steps) <= round_down(large, steps)


@given(SIZES, STEPS)
def test_a_round_size_stays_as_it_is(size: Bytes, steps: int) -> None:
    once = round_down(size, steps)
    assert round_down(once, steps) == once


@pytest.mark.parametrize(("one", "other", "alike"), [(100, 95, True), (100, 94, False), (0, 0, True)])
def test_five_per_cent_is_close_enough(one: int, other: int, *, alike: bool) -> None:
    assert close(Bytes(one * MIB), Bytes(other * MIB)) is alike
    assert close(Bytes(other * MIB), Bytes(one * MIB)) is alike


def test_a_number_is_rounded_up_to_the_next_step() -> None:
    assert round_up_to(213, 10) == 220
    assert round_up_to(220, 10) == 220


def test_gigabytes_are_whole_from_eight_on() -> None:
    for size in range(8 * GIB, 20 * GIB, 700 * MIB):
        assert round_down(Bytes(size)).pg().endswith("GB")


@given(st.floats(0, 1e15), st.integers(1, 5))
def test_a_number_is_never_shown_with_an_exponent(number: float, digits: int) -> None:
    shown = shortly(number, digits)
    assert "e" not in shown.removeprefix("under")
    assert number < 0.01 or abs(float(shown) - number) <= 0.5 * 10 ** (1 - digits) * number

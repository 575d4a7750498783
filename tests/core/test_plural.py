"""Counts mind their number."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tunewiz.core.values.plural import how_many, in_millions


@pytest.mark.parametrize(
    ("number", "noun", "words"),
    [
        (0, "change", "0 changes"),
        (1, "core", "1 core"),
        (2, "core", "2 cores"),
        (1, "process", "1 process"),
        (3, "process", "3 processes"),
        (10_000, "connection", "10,000 connections"),
    ],
)
def test_only_one_is_singular(number: int, noun: str, words: str) -> None:
    assert how_many(number, noun) == words


@given(st.integers(10**6, 10**15 - 10**12))
@example(999_949_999)
@example(999_950_000)
@example(10**12 - 1)
def test_a_large_count_has_three_digits_before_the_point_and_is_within_half_a_tenth(count: int) -> None:
    shown, word = in_millions(count).split()
    unit = {"million": 10**6, "billion": 10**9, "trillion": 10**12}[word]
    assert 1 <= float(shown) < 1_000
    assert abs(float(shown) * unit - count) <= unit * 0.0501

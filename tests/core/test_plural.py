"""Counts mind their number."""

from __future__ import annotations

import pytest

from tunewiz.core.values.plural import how_many


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

"""The page on faults holds what the tests hold: every case once, none lost, each with a test for it."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parent / "docs" / "faults.md"


def rows() -> list[tuple[int, str]]:
    """Number and result of each case of the page."""
    results = re.findall(r"^\| (\d+) \|.*\| ([a-z ]+) \|$", PAGE.read_text(), re.MULTILINE)
    return [(int(number), result) for number, result in results]


def numbers_in_names() -> set[int]:
    """The cases that the names of tests carry."""
    sources = "".join(file.read_text() for file in TESTS.rglob("test_*.py"))
    names = re.findall(r"^def test_cases?_((?:\d+_)+)", sources, re.MULTILINE)
    return {int(number) for name in names for number in name.split("_") if number}


def test_the_page_has_every_case_once_in_order() -> None:
    numbers = [number for number, _ in rows()]
    assert numbers == sorted(set(numbers))
    assert set(range(1, 73)) <= set(numbers)


def test_no_case_is_lost() -> None:
    assert {result for _, result in rows()} == {"survived", "cannot happen"}


def test_every_case_has_a_test_that_names_it() -> None:
    assert {number for number, _ in rows()} - numbers_in_names() == set()

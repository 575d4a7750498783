"""The page about the advice names tests that are there, and is found."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs" / "advice.md").read_text()
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")][1:]
TEST = re.compile(r"`(tests/[a-z_/]+\.py)`")


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_each_line_says_before_now_and_what_holds_it(row: list[str]) -> None:
    subject, before, after, held_by = row
    assert all((subject, before, after))
    named = TEST.findall(held_by)
    assert named
    assert held_by == ", ".join(f"`{name}`" for name in named)


@pytest.mark.parametrize("name", sorted({*TEST.findall(PAGE)}))
def test_every_test_that_is_named_is_there(name: str) -> None:
    assert "\ndef test_" in (REPOSITORY / name).read_text()


def test_the_page_is_linked_from_the_readme() -> None:
    assert "(docs/advice.md)" in (REPOSITORY / "README.md").read_text()

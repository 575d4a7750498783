"""The page of the evidence says what the program says, of every recommendation."""

import subprocess
import sys
from pathlib import Path

import pytest

from fixtures_golden import difference
from tunewiz.catalogue import recommendations

CHECKOUT = Path(__file__).resolve().parent.parent.parent
PAGE = CHECKOUT / "docs" / "evidence.md"


def rows() -> dict[str, list[str]]:
    """The cells of each recommendation's row, by its id."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.split(" | ")] for line in lines if line.startswith("| `")]
    return {row[0].strip("| `"): row for row in cells}


def test_the_page_is_the_one_that_the_program_makes() -> None:
    made = subprocess.run(
        [sys.executable, CHECKOUT / ".ci" / "evidence_page.py"], capture_output=True, check=True
    ).stdout
    if made != PAGE.read_bytes():
        pytest.fail(
            f"docs/evidence.md is another (make docs makes it anew):\n{difference(PAGE.read_bytes(), made)}"
        )


def test_every_recommendation_has_a_row_and_every_dispute_is_counted_there() -> None:
    assert rows().keys() == {recommendation.id for recommendation in recommendations()}
    for recommendation in recommendations():
        disputes = rows()[recommendation.id][-1].rstrip(" |")
        assert disputes.startswith(f"[{len(recommendation.disputes)}]") == bool(recommendation.disputes)


def test_what_only_a_manual_speaks_of_claims_no_measurement() -> None:
    for row in rows().values():
        if "manual" in row[1].lower():
            assert row[3] == "documented"

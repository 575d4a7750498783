"""The page of the catalogue says what the program says."""

import subprocess
import sys
from pathlib import Path

import pytest

from fixtures_golden import difference
from tunewiz.catalogue import recommendations
from tunewiz.knowledge.loading import load_knowledge

CHECKOUT = Path(__file__).resolve().parent.parent.parent
PAGE = CHECKOUT / "docs" / "catalogue.md"
LIBRARY = load_knowledge().library


def test_the_page_is_the_one_that_the_program_makes() -> None:
    made = subprocess.run(
        [sys.executable, CHECKOUT / ".ci" / "catalogue_page.py"], capture_output=True, check=True
    ).stdout
    if made != PAGE.read_bytes():
        pytest.fail(
            f"docs/catalogue.md is another (make docs makes it anew):\n{difference(PAGE.read_bytes(), made)}"
        )


def test_every_recommendation_and_every_claim_has_its_place_and_every_link_leads_there() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    for recommendation in recommendations():
        assert lines.count(f"### {recommendation.id}") == 1
        assert any(f"(#{recommendation.id.replace('.', '')})" in line for line in lines)
    for claim in LIBRARY.claims:
        assert lines.count(f"#### {claim}") == 1
        assert any("(#" + claim.replace(".", "") + ")" in line for line in lines)

"""Every claim of the source documents stands in the data, whole, and some recommendation leans on it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from catalogue_rules import uncited
from tunewiz.core.evidence import Claim
from tunewiz.core.majors import Major
from tunewiz.knowledge import load_knowledge

CLAIMS = frozenset(str(number) for number in range(1, 35)) | frozenset(
    {"1a", "1b", "1c", "3a", "5a", "5b", "6a", "6b", "6c", "6d", "7a", "9a", "20a", "24a"}
)
"""All that the five documents claim."""

OWN = ("m1", "m2", "m3", "m4")
"""What the project measured itself."""

KNOWN_TODAY = frozenset({"3", "5", "6", "6b", "6c", "6d", "7", "8", "11", "13", "15", "16", "24", "26", "29"})
"""Claims that PostgreSQL's or the kernel's own documentation changes today."""

CONTRADICTING = frozenset({"6", "13", "19", "21"})
"""Claims where the document contradicts itself, or its twin."""

LONGEST = {"subject": 60, "place": 110, "text": 320, "figure": 150, "today": 260, "caution": 240}
"""Characters: an 80-column screen shows a claim without turning a page."""

LIBRARY = load_knowledge().library


def cited() -> frozenset[str]:
    return frozenset(cite.claim for each in load_knowledge().catalogue for cite in each.cites)


def test_every_claim_of_the_documents_stands_in_the_data() -> None:
    assert set(LIBRARY.claims) == {*CLAIMS, *OWN}


def test_some_recommendation_leans_on_every_claim() -> None:
    assert uncited(load_knowledge().catalogue, LIBRARY.claims) == set()


def test_every_citation_names_a_claim() -> None:
    assert cited() <= set(LIBRARY.claims)


def test_the_five_documents_and_the_own_measurement_are_the_sources() -> None:
    assert set(LIBRARY.sources) == {"z-deck", "z-guide", "power", "kernel-talk", "vxfs", "own-small-vm"}


def test_every_source_makes_a_claim() -> None:
    assert {each.source for each in LIBRARY.claims.values()} == set(LIBRARY.sources)


def test_something_was_measured_on_every_system() -> None:
    assert {key for each in LIBRARY.claims.values() for key in each.measured_on} == set(LIBRARY.systems)


def of_each_claim(check: Callable[[Claim], bool]) -> list[str]:
    """The ids of the claims that fail."""
    return [each.id for each in LIBRARY.claims.values() if not check(each)]


def test_source_and_systems_of_a_claim_are_known() -> None:
    assert of_each_claim(lambda claim: claim.source in LIBRARY.sources) == []
    assert of_each_claim(lambda claim: set(claim.measured_on) <= set(LIBRARY.systems)) == []


def test_a_claim_says_where_what_and_how_much() -> None:
    assert of_each_claim(lambda claim: all((claim.subject, claim.place, claim.text, claim.figure))) == []


def test_a_claim_names_a_system_exactly_if_something_was_measured() -> None:
    assert of_each_claim(lambda claim: bool(claim.measured_on) == (claim.figure != "not measured")) == []


@pytest.mark.parametrize(("part", "most"), LONGEST.items())
def test_a_claim_is_short_enough_to_read(part: str, most: int) -> None:
    assert of_each_claim(lambda claim: len(str(getattr(claim, part))) <= most) == []


def test_a_claim_is_told_in_whole_sentences() -> None:
    assert of_each_claim(lambda claim: claim.text.endswith(".")) == []
    assert of_each_claim(lambda claim: claim.today.endswith(".") or not claim.today) == []
    assert of_each_claim(lambda claim: claim.caution.endswith(".") or not claim.caution) == []


def test_what_changes_a_claim_today_is_told_beside_it() -> None:
    assert [name for name in KNOWN_TODAY if not LIBRARY.claims[name].today] == []


def test_where_a_source_contradicts_itself_is_told() -> None:
    assert [name for name in CONTRADICTING if not LIBRARY.claims[name].caution] == []


def test_the_figures_are_those_of_the_documents() -> None:
    assert "17408" in LIBRARY.claims["5"].text
    assert "57,459.9 to 66,106.3" in LIBRARY.claims["13"].figure
    assert "50,080 to 51,978" in LIBRARY.claims["22"].figure
    assert "807,232 to 109,700" in LIBRARY.claims["30"].figure
    assert "1312.9 to 1426.9" in LIBRARY.claims["6c"].figure


def test_the_versions_of_the_measured_systems_compare() -> None:
    versions = [each.postgres for each in LIBRARY.systems.values() if each.postgres]
    assert min(versions, key=Major.parse) == "8.2.5"

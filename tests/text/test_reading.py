"""Ways through a long text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from tunewiz.core.planning.decisions import is_open
from tunewiz.core.planning.finding import Finding
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.finding_detail import in_full
from tunewiz.text.reading import (
    MOST,
    NotThere,
    TextPosition,
    neighbour,
    next_match,
    numbered,
    section_place,
    sections_of,
)

FACTS, KNOWN = demo_facts("nvme-server"), load_knowledge()
PLAN = make_plan(FACTS, default_answers(FACTS, KNOWN), KNOWN)
HEADINGS = (Text("a"), Text(), Text("One", style="bold"), Text("b"), Text(), Text("Two", style="bold"))


def test_a_section_is_a_bold_line_after_an_empty_one() -> None:
    assert sections_of(HEADINGS) == (2, 5)
    assert sections_of((Text(), Text("plain"), Text("bold", style="bold"))) == ()


def test_a_digit_leads_to_the_heading_that_shows_it() -> None:
    for finding in PLAN.findings:
        test_a_digit_leads = numbered(in_full(finding, PLAN))
        for digit in range(1, min(MOST, len(sections_of(test_a_digit_leads))) + 1):
            place = section_place(test_a_digit_leads, digit)
            assert isinstance(place, TextPosition)
            assert test_a_digit_leads[place.number].plain.startswith(f"{digit} ")


def test_a_digit_without_a_section_says_how_many_there_are() -> None:
    assert section_place(HEADINGS, 3) == NotThere(why="There is no section 3: this text has 2.")


def test_numbers_leave_every_other_line_alone() -> None:
    result = in_full(PLAN.findings[0], PLAN)
    places = sections_of(result)[:MOST]
    shown = numbered(result)
    assert [text for at, text in enumerate(shown) if at not in places] == [
        text for at, text in enumerate(result) if at not in places
    ]


@given(st.lists(st.text("aB ", max_size=4), max_size=8), st.text("aB", min_size=1, max_size=2))
def test_finding_again_visits_every_match_once_and_then_begins_anew(lines: list[str], words: str) -> None:
    texts = [Text(line) for line in lines]
    expected = [at for at, line in enumerate(lines) if words.lower() in line.lower()]
    visited, at = list[int](), -1
    for _ in expected:
        result = next_match(texts, words, at)
        assert isinstance(result, TextPosition)
        at = result.number
        visited.append(at)
    assert visited == expected
    assert next_match(texts, words, at) == (
        TextPosition(number=expected[0]) if expected else NotThere(why=f"Not found in this text: {words}")
    )


@pytest.mark.parametrize("left_alone", [False, True])
def test_next_walks_through_all_that_are_listed_and_previous_back(left_alone: bool) -> None:  # noqa: FBT001
    listed = [finding for finding in PLAN.findings if is_open(finding) is not left_alone]
    first = next(finding for finding in listed if isinstance(neighbour(finding, PLAN, -1), NotThere))
    there = _walk(first, 1)
    assert {finding.recommendation.id for finding in there} == {
        finding.recommendation.id for finding in listed
    }
    assert _walk(there[-1], -1) == there[::-1]


def _walk(finding: Finding, by: int) -> list[Finding]:
    walked = [finding]
    while not isinstance(beside := neighbour(walked[-1], PLAN, by), NotThere):
        walked.append(beside)
        assert len(walked) <= len(PLAN.findings)
    return walked

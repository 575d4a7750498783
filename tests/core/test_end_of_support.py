"""Health says when a major's support has ended or ends within a year, by dated data; otherwise nothing."""

import dataclasses
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_plans import small_answers, small_facts
from tunewiz.core.health.troubles import checkup
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.end_of_life import END_OF_LIFE, POLICY, SUPPORTED_UNTIL
from tunewiz.core.values.known import Unknown
from tunewiz.core.values.versions import NEWEST, Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import make_plan

PLANS = {
    major: make_plan(small_facts(Given(major=major)), small_answers(), load_knowledge())
    for major in ("12", "15", "18")
}


def notes(major: str, today: str) -> list[str]:
    result = checkup(PLANS[major], load_minor_fixes(), today=today).notes
    return [note for note in result if POLICY in note]


@pytest.mark.parametrize(
    ("major", "today", "said"),
    [
        ("12", "2026-11-29", "PostgreSQL 12 has had no fixes since 2024-11-21"),
        ("12", "", "PostgreSQL 12 has had no fixes since 2024-11-21"),
        ("15", "2026-11-29", "PostgreSQL 15 gets its last fixes on 2027-11-11"),
        ("15", "2027-11-11", "PostgreSQL 15 gets its last fixes on 2027-11-11"),
        ("15", "2027-11-12", "PostgreSQL 15 has had no fixes since 2027-11-11"),
        ("15", "2026-11-10", None),
        ("15", "", None),
        ("18", "2026-11-29", None),
        ("18", "2028-02-29", None),
    ],
)
def test_it_is_said_when_support_has_ended_or_will_within_a_year(
    major: str, today: str, said: str | None
) -> None:
    result = notes(major, today)
    assert [note.partition(" (")[0] for note in result] == ([said] if said else [])
    assert all(f"tunewiz upgrade --to {max(SUPPORTED_UNTIL)}" in note for note in result)


@given(st.dates(date(2020, 1, 1), date(2040, 12, 31)))
def test_at_most_one_is_said_and_once_begun_it_goes_on(day: date) -> None:
    said = notes("15", day.isoformat())
    assert len(said) == (day >= date(2026, 11, 11))


def test_a_server_whose_version_is_not_known_is_not_judged() -> None:
    facts = small_facts(major=Unknown("not read"), version=Unknown("not read"))
    answers = small_answers()
    stated = dataclasses.replace(answers, server=dataclasses.replace(answers.server, postgres="12"))
    plan = make_plan(facts, stated, load_knowledge())
    assert not any(POLICY in note for note in checkup(plan, load_minor_fixes(), today="2035-01-01").notes)


def test_every_major_that_was_released_has_one_date_and_they_are_in_order() -> None:
    assert not END_OF_LIFE.keys() & SUPPORTED_UNTIL.keys()
    dates = [*END_OF_LIFE.items(), *SUPPORTED_UNTIL.items()]
    assert dates == sorted(dates, key=lambda entry: entry[1])
    assert [major for major, _ in dates] == sorted(major for major, _ in dates)
    assert {major for major, _ in dates} >= {Major.parse(name) for name in ("14", "15", "16", "17", "18")}
    assert max(SUPPORTED_UNTIL) <= NEWEST
    for _, day in dates:
        assert date.fromisoformat(day).month in {2, 11}

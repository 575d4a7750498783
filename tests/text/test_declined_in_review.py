"""What a person declined stands on the review page, and is not counted as open."""

import dataclasses
from types import MappingProxyType

import pytest

from tunewiz.core.answers.answers import Decision, Refused
from tunewiz.core.planning.decisions import is_open, is_refused, is_undecided
from tunewiz.core.words.finding import name_of
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers
from tunewiz.text.arrangement import Arrangement
from tunewiz.text.review import summary
from tunewiz.wizard.bundle_preview import Previewed
from tunewiz.wizard.journey import Journey, begin

NOTE = "after the summer"


def journey_of(machine: str, *, declines: bool) -> Journey:
    """With everything declined that can be, or with no decision at all."""
    facts, knowledge = demo_facts(machine), load_knowledge()
    answers = default_answers(facts, knowledge)
    journey = begin(facts, answers, knowledge)
    if not declines:
        return journey
    decisions: dict[str, Decision] = {
        finding.recommendation.id: Refused(note=NOTE) for finding in journey.plan.findings if is_open(finding)
    }
    return begin(facts, dataclasses.replace(answers, decisions=MappingProxyType(decisions)), knowledge)


def rows(journey: Journey) -> list[str]:
    return [text.plain for text in summary(journey, Previewed(files=(), out_of_reach=()))]


@pytest.mark.parametrize("machine", demo_names())
def test_every_declined_item_has_a_row_of_its_own_with_its_note(machine: str) -> None:
    journey = journey_of(machine, declines=True)
    refused = [finding for finding in journey.plan.findings if is_refused(finding)]
    assert refused
    shown = [row for row in rows(journey) if row.startswith("- ")]
    assert len(shown) == len(refused)
    for finding in refused:
        name = name_of(finding).short
        assert any(row.startswith(f"- {name} stays as it is") and NOTE in row for row in shown), name
    counted = next(row for row in rows(journey) if row.startswith("  not done"))
    assert f"0 for you to decide · {len(refused)} declined by you" in counted


@pytest.mark.parametrize("machine", demo_names())
def test_what_was_declined_is_not_shown_as_open(machine: str) -> None:
    assert Arrangement(shown="undecided").of(journey_of(machine, declines=True).plan.findings) == ()


@pytest.mark.parametrize("machine", demo_names())
def test_without_a_decision_nothing_is_declined(machine: str) -> None:
    journey = journey_of(machine, declines=False)
    assert not [row for row in rows(journey) if row.startswith("- ")]
    undecided = sum(map(is_undecided, journey.plan.findings))
    counted = next(row for row in rows(journey) if row.startswith("  not done"))
    assert f"{undecided} for you to decide · 0 declined by you" in counted

"""Where sources disagree both sides are shown, with the one that the plan follows and why."""

import dataclasses

import pytest

from situations import situation
from tunewiz.bundle.review_change import change_in_full
from tunewiz.catalogue import recommendations
from tunewiz.core.examples import Given
from tunewiz.core.model import Dispute, Recommendation
from tunewiz.core.plan import plan_of
from tunewiz.core.plan_json import plan_document
from tunewiz.explanation import explained
from tunewiz.knowledge import load_knowledge
from tunewiz.screens.advice_text import in_full

KNOWLEDGE = load_knowledge()
BY_ID = {each.id: each for each in recommendations()}
DISPUTED = [each for each in recommendations() if each.disputes]
LONGEST = 78 * 4

CONTRADICTING = {
    "pg.shared_buffers": {"1", "1c"},
    "storage.vxfs_direct": {"1c", "1a"},
    "kernel.sched_migration_cost_ns": {"6", "6b"},
    "storage.read_ahead": {"4"},
    "storage.wal_disk": {"16"},
    "kernel.dirty_bytes": {"7", "m2"},
    "kernel.dirty_background_bytes": {"7", "m2"},
    "pg.autovacuum": {"3", "3a"},
    "host.smt": {"20", "20a"},
}
"""Claims that contradict each other, the usual advice, or themselves in two environments."""

disputed = pytest.mark.parametrize("each", DISPUTED, ids=[each.id for each in DISPUTED])


@pytest.mark.parametrize(("name", "claims"), CONTRADICTING.items())
def test_claims_that_contradict_stand_side_by_side(name: str, claims: set[str]) -> None:
    told = {claim for dispute in BY_ID[name].disputes for claim in dispute.claims}
    assert claims <= told


@disputed
def test_both_sides_rest_on_claims_that_are_cited_below(each: Recommendation) -> None:
    cited = {cite.claim for cite in each.cites}
    for dispute in each.disputes:
        assert dispute.claims
        assert {*dispute.claims} <= cited


@disputed
def test_each_side_is_short_enough_to_read_beside_the_other(each: Recommendation) -> None:
    for dispute in each.disputes:
        for side in (dispute.one, dispute.other, dispute.follows):
            assert 20 < len(side) <= LONGEST
            assert side.endswith(".")


DISPUTE = Dispute(
    one="One says yes.", other="Another says no.", follows="Neither, until measured.", claims=("1",)
)
MADE = dataclasses.replace(BY_ID["pg.shared_buffers"], disputes=(DISPUTE,))
PLAN = plan_of((MADE,), situation(Given()))


def shown_by_the_review() -> str:
    return "\n".join(change_in_full(1, PLAN.findings[0], PLAN.start))


def shown_by_the_wizard() -> str:
    return "\n".join(line.plain for line in in_full(PLAN.findings[0], PLAN))


@pytest.mark.parametrize(
    "shown",
    [
        explained(MADE, KNOWLEDGE),
        shown_by_the_review(),
        shown_by_the_wizard(),
        str(plan_document(PLAN)),
    ],
    ids=["explain", "review", "wizard", "json"],
)
def test_every_way_to_read_a_recommendation_shows_both_sides_and_the_choice(shown: str) -> None:
    text = " ".join(shown.split()).lower()
    for part in (DISPUTE.one, DISPUTE.other, DISPUTE.follows):
        assert part.lower() in text


def test_the_sides_stand_beside_each_other_where_there_are_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    line = next(line for line in explained(MADE, KNOWLEDGE).splitlines() if DISPUTE.one in line)
    assert DISPUTE.other in line

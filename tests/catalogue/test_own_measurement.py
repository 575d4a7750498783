"""What the project measured itself on one small machine decides nothing that a plan carries out."""

import dataclasses
from types import MappingProxyType

import pytest

from tunewiz.core.answers.answers import Posture
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan

OWN = "own-small-vm"
KNOWLEDGE = load_knowledge()


def planned(machine: str, posture: Posture) -> Plan:
    answers = default_answers(demo_facts(machine), KNOWLEDGE)
    risk = dataclasses.replace(answers.risk, posture=posture)
    return make_plan(demo_facts(machine), dataclasses.replace(answers, risk=risk), KNOWLEDGE)


def states(plan: Plan) -> dict[str, str]:
    return {finding.recommendation.id: finding.state for finding in plan.findings}


@pytest.mark.parametrize("machine", demo_names())
@pytest.mark.parametrize("posture", ["balanced", "bold"])
def test_a_plan_without_it_changes_the_same(machine: str, posture: Posture) -> None:
    plan = planned(machine, posture)
    without = tuple(
        dataclasses.replace(
            recommendation, cites=tuple(cite for cite in recommendation.cites if not _is_own(cite))
        )
        for recommendation in KNOWLEDGE.catalogue
    )
    library = plan.start.library
    others = {name: claim for name, claim in library.claims.items() if claim.source != OWN}
    situation = dataclasses.replace(
        plan.start, library=dataclasses.replace(library, claims=MappingProxyType(others))
    )
    assert states(plan_of(without, situation)) == states(plan)


def _is_own(cite: Cite) -> bool:
    return KNOWLEDGE.library.claims[cite.claim].source == OWN


def test_it_is_cited_and_told() -> None:
    assert any(_is_own(cite) for recommendation in KNOWLEDGE.catalogue for cite in recommendation.cites)

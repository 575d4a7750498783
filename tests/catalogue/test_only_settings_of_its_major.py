"""Whatever the machine: a plan sets, and its steps name, only what a server of that major knows."""

import dataclasses
import re
from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings

from drawn_machines import machines
from tunewiz.bundle.placing import placed
from tunewiz.core.answers.answers import Posture
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, example_situation, make_plan

KNOWLEDGE = load_knowledge()
STUDIED = ("z13-lpar", "z13-sandbox")
"""Examples that ran 9.5.7."""
ASSIGNED = re.compile(r"\bSET (?:LOCAL |SESSION )?([a-z_]+) (?:=|TO)|^([a-z_]+) = |-c ([a-z_]+)=")
PLANS = 60


def settings_told(plan: Plan) -> Iterator[str]:
    """Names that the bundle writes, that the plan sets, and that steps assign."""
    yield from (setting.name for setting in placed(plan).settings)
    for finding in plan.findings:
        if isinstance(finding.recommendation.target, PgTarget) and finding.sets:
            yield finding.recommendation.target.name
        if isinstance(finding.verdict, Advice):
            for step in (*finding.verdict.steps, *finding.verdict.undo):
                yield from (name for names in ASSIGNED.findall(step) for name in names if name)


def foreign(plan: Plan) -> set[str]:
    """Those of them that only other majors have."""
    return {name for name in settings_told(plan) if name in plan.start.settings.elsewhere}


@pytest.mark.parametrize("major", SUPPORTED, ids=str)
def test_no_plan_names_a_setting_of_another_major(major: Major) -> None:
    @settings(
        max_examples=PLANS, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(machines((major,)))
    def holds(machine: Given) -> None:
        assert foreign(plan_of(KNOWLEDGE.catalogue, example_situation(machine, KNOWLEDGE))) == set()

    holds()


@pytest.mark.parametrize("posture", get_args(Posture))
@pytest.mark.parametrize("name", STUDIED)
def test_the_machine_that_was_studied_gets_a_plan_in_terms_of_its_own_server(
    name: str, posture: Posture
) -> None:
    facts = demo_facts(name)
    usual = default_answers(facts, KNOWLEDGE)
    answers = dataclasses.replace(usual, risk=dataclasses.replace(usual.risk, posture=posture))
    plan = make_plan(facts, answers, KNOWLEDGE)
    assert str(plan.start.major) == "9.5"
    assert "no_server" not in [warning.code for warning in plan.warnings]
    assert len(placed(plan).settings) > 2
    assert foreign(plan) == set()


def test_a_name_of_another_major_in_a_step_would_be_seen() -> None:
    plan = plan_of(KNOWLEDGE.catalogue, example_situation(Given(major="9.5"), KNOWLEDGE))
    assert "jit" in plan.start.settings.elsewhere
    assert ASSIGNED.findall("ALTER SYSTEM SET jit = off;") == [("jit", "", "")]

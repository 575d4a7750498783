"""The plans of the example machines, as a DBA reviewed them line by line."""

import dataclasses

import pytest

from fixtures_golden import Golden
from plan_listing import plan_listing
from tunewiz.core.answers.answers import Answers, Posture, Risk, WorkloadKind
from tunewiz.core.values.units import Duration
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan

OTHERWISE: tuple[tuple[str, WorkloadKind, Posture, str], ...] = (
    ("nvme-server", "analytics", "bold", "30min"),
    ("hdd-server", "mixed", "cautious", "1min"),
    ("graviton", "read_mostly", "balanced", "5min"),
    ("container", "mixed", "bold", "5min"),
)
"""Example machines with other answers than the usual ones."""


def usual(machine: str) -> Answers:
    return default_answers(demo_facts(machine), load_knowledge())


def listed(machine: str, answers: Answers) -> str:
    return plan_listing(make_plan(demo_facts(machine), answers, load_knowledge()))


@pytest.mark.parametrize("machine", demo_names())
def test_the_plan_of_an_example_machine_is_as_it_was_reviewed(golden: Golden, machine: str) -> None:
    golden(f"plans/{machine}.txt", listed(machine, usual(machine)))


@pytest.mark.parametrize(("machine", "kind", "posture", "recovery"), OTHERWISE)
def test_the_plan_for_other_answers_is_as_it_was_reviewed(
    golden: Golden, machine: str, kind: WorkloadKind, posture: Posture, recovery: str
) -> None:
    answers = usual(machine)
    workload = dataclasses.replace(answers.workload, kind=kind)
    risk = Risk(posture=posture, recovery_time=Duration.parse(recovery))
    said = dataclasses.replace(answers, workload=workload, risk=risk)
    golden(f"plans/{machine}.{kind}-{posture}.txt", listed(machine, said))

"""Workers are for cores that nobody else needs: sessions at work come first, and transactions need few."""

import dataclasses

import pytest

from situations import finding, situation
from tunewiz.core.answers.answers import WorkloadKind
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.known import Unknown
from tunewiz.knowledge.loading import load_knowledge

LARGE = Given(memory="512GB", available="500GB", cores=112, workload="mixed")


def planned(given: Given) -> Plan:
    return plan_of(load_knowledge().catalogue, situation(given))


@pytest.mark.parametrize(("connections", "workers"), [(20, 112), (392, 112), (393, 56), (2000, 56)])
def test_sessions_that_fill_the_cores_leave_half_of_them_to_workers(connections: int, workers: int) -> None:
    verdict = planned(dataclasses.replace(LARGE, connections=connections))
    assert verdict.end.will_be("max_parallel_workers") == str(workers)


def test_threads_that_are_not_known_leave_every_core_to_workers() -> None:
    start = situation(dataclasses.replace(LARGE, connections=2000))
    cpu = dataclasses.replace(start.facts.cpu, threads_per_core=Unknown("not read"))
    unknown = dataclasses.replace(start, facts=dataclasses.replace(start.facts, cpu=cpu))
    made = plan_of(load_knowledge().catalogue, unknown)
    assert made.end.will_be("max_parallel_workers") == "112"


def test_workers_that_were_chosen_within_the_cores_stay() -> None:
    made = planned(dataclasses.replace(LARGE, connections=2000, settings={"max_parallel_workers": "100"}))
    assert finding(made, "pg.max_parallel_workers").state == "keep"


@pytest.mark.parametrize(
    ("workload", "most"), [("oltp", "2"), ("read_mostly", "2"), ("mixed", "4"), ("analytics", "8")]
)
def test_more_workers_than_cores_are_lowered_to_what_the_workload_uses(
    workload: WorkloadKind, most: str
) -> None:
    given = Given(
        cores=16, workload=workload, connections=20, settings={"max_parallel_workers_per_gather": "32"}
    )
    assert planned(given).end.will_be("max_parallel_workers_per_gather") == most


def test_workers_for_transactions_beyond_the_cap_are_shown_to_a_person_and_not_changed() -> None:
    given = Given(cores=16, settings={"max_parallel_workers_per_gather": "6"})
    result = finding(planned(given), "pg.max_parallel_workers_per_gather")
    assert isinstance(result.verdict, Proposal)
    assert (result.state, result.verdict.value) == ("advise", "2")


@pytest.mark.parametrize(("workload", "workers"), [("oltp", "2"), ("mixed", "4"), ("analytics", "12")])
def test_workers_that_were_chosen_within_the_cap_or_for_reports_stay(
    workload: WorkloadKind, workers: str
) -> None:
    given = Given(cores=16, workload=workload, settings={"max_parallel_workers_per_gather": workers})
    assert finding(planned(given), "pg.max_parallel_workers_per_gather").state == "keep"

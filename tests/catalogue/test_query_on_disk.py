"""temp_file_limit is of a process: a query's workers write as much each, and the limit must hold for all."""

import pytest

from situations import finding, situation
from tunewiz.core.answers.answers import WorkloadKind
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import load_knowledge

CATALOGUE = load_knowledge().catalogue
FREE = "1TB"
HALF = Bytes.parse(FREE) // 2


def planned(workload: WorkloadKind, cores: int) -> Plan:
    return plan_of(CATALOGUE, situation(Given(free_space=FREE, workload=workload, cores=cores)))


def limit(plan: Plan) -> Bytes:
    verdict = finding(plan, "pg.temp_file_limit").verdict
    assert isinstance(verdict, Proposal)
    return Bytes.parse(verdict.value)


@pytest.mark.parametrize("cores", [1, 4, 16, 64])
@pytest.mark.parametrize("workload", ["oltp", "mixed", "analytics"])
def test_a_query_with_all_of_its_workers_leaves_half_of_the_free_space(
    workload: WorkloadKind, cores: int
) -> None:
    plan = planned(workload, cores)
    processes = int(plan.end.will_be("max_parallel_workers_per_gather")) + 1
    assert HALF // 2 < limit(plan) * processes <= HALF


def test_the_computation_names_the_workers() -> None:
    verdict = finding(planned("analytics", 16), "pg.temp_file_limit").verdict
    assert isinstance(verdict, Proposal)
    assert "(a query and its " in verdict.computed

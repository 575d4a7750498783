"""On small machines autovacuum gives way before buffers and sorts do, gradually, and with a word of it."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from cliffs import cliffs
from situations import situation
from tunewiz.catalogue.pg_autovacuum_work_mem import LEAST
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge

CATALOGUE = load_knowledge().catalogue
SMALLEST, LARGEST = 384, 4096
"""Megabytes."""
STEP = 1.03
SWEPT = [
    (workload, connections, major)
    for workload in ("oltp", "analytics")
    for connections in (20, 100)
    for major in ("9.6", "18")
]


def sizes() -> Iterator[int]:
    size = float(SMALLEST)
    while size <= LARGEST:
        yield int(size)
        size *= STEP


def planned(megabytes: int, workload: str, connections: int, major: str, **settings: str) -> Plan:
    given = Given(
        memory=f"{megabytes}MB",
        available=f"{megabytes * 3 // 4}MB",
        cores=2,
        major=major,
        workload="analytics" if workload == "analytics" else "oltp",
        connections=connections,
        database_size="10GB",
        settings={"shared_buffers": "128MB", **settings},
    )
    return plan_of(CATALOGUE, situation(given))


def of_a_worker(plan: Plan) -> Bytes:
    own = plan.end.will_be("autovacuum_work_mem")
    return plan.end.will_be_size("maintenance_work_mem" if own == "-1" else "autovacuum_work_mem")


def check_gives_way(plan: Plan) -> None:
    """Nothing else gives way while autovacuum has more than its least."""
    assert of_a_worker(plan) >= LEAST
    end = plan.end
    if end.will_be_size("work_mem") < end.settings["work_mem"].size(end.default("work_mem")):
        assert of_a_worker(plan) == LEAST
    assert isinstance(plan.after, MemoryBudget)
    if not plan.after.fits:
        assert of_a_worker(plan) == LEAST


def swept(workload: str, connections: int, major: str) -> None:
    plans = [planned(size, workload, connections, major) for size in sizes()]
    for plan in plans:
        check_gives_way(plan)
    for small, large in pairwise(plans):
        assert list(cliffs(small, large)) == []
        assert of_a_worker(small) <= of_a_worker(large)


def test_of_a_growing_small_machine_autovacuum_is_the_first_to_give_way() -> None:
    swept("oltp", 20, "15")


@pytest.mark.slow
@pytest.mark.parametrize(("workload", "connections", "major"), SWEPT)
def test_of_every_growing_small_machine_it_is(workload: str, connections: int, major: str) -> None:
    swept(workload, connections, major)


def test_a_machine_with_room_leaves_it_alone() -> None:
    assert planned(2048, "oltp", 20, "15").end.will_be("autovacuum_work_mem") == "-1"


def test_what_somebody_chose_for_the_workers_stays() -> None:
    plan = planned(512, "oltp", 20, "15", autovacuum_work_mem="48MB")
    assert plan.end.will_be("autovacuum_work_mem") == "48MB"


def test_a_smaller_maintenance_work_mem_is_not_raised_for_them() -> None:
    plan = planned(512, "oltp", 20, "15", maintenance_work_mem="16MB")
    assert plan.end.will_be("autovacuum_work_mem") == "-1"
    assert of_a_worker(plan) == Bytes(16 * MIB)

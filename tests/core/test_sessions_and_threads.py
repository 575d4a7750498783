"""What ordinary clients get of the slots, what a quota pays for, and what sessions and vacuums keep."""

import pytest

from sick_servers import plan_of_case, warning_texts
from situations import finding, situation
from tunewiz.core.planning.budget import MemoryBudget, budget_of
from tunewiz.core.planning.memory_warnings import container_warnings
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.server.parallel_memory import RoomEnough, SharedMemoryTooSmall, shared_by_vacuum
from tunewiz.core.server.sessions import hardware_threads, ordinary_slots
from tunewiz.core.server.temp_buffers import temp_buffers_in_words
from tunewiz.core.values.units import GIB, Bytes


def test_a_hundred_clients_find_97_places_in_a_hundred_slots() -> None:
    kept = finding(plan_of_case("52-conn100"), "pg.max_connections")
    assert "leave 97 places" in kept.because
    assert "3 are refused" in kept.because


@pytest.mark.parametrize("clients", [1, 50, 97])
def test_clients_within_the_ordinary_slots_are_covered(clients: int) -> None:
    result = situation(Given(connections=clients))
    assert ordinary_slots(result) == 97


@pytest.mark.parametrize(("quota", "threads"), [(8.0, 8), (2.5, 2), (0.5, 1), (0.0, 64), (100.0, 64)])
def test_a_quota_counts_threads(quota: float, threads: int) -> None:
    assert hardware_threads(situation(Given(cores=8, threads_per_core=8, cpu_limit=quota))) == threads


def test_temp_buffers_of_gigabytes_are_budgeted_for_every_session_and_lowered() -> None:
    plan = plan_of_case("tempbuf")
    assert isinstance(plan.before, MemoryBudget)
    assert isinstance(plan.after, MemoryBudget)
    assert plan.before.connections > Bytes(400 * GIB)
    assert not plan.before.fits
    assert plan.after.fits
    assert plan.end.will_be("temp_buffers") == "8MB"
    assert "temp_buffers 1GB to 8MB" in warning_texts(plan)["memory_repaired"]


def test_temp_buffers_that_stay_are_named() -> None:
    result = situation(Given(connections=500, settings={"temp_buffers": "1GB"}))
    assert "temp_buffers = 1GB" in temp_buffers_in_words(result)


def test_the_default_of_temp_buffers_costs_nothing_extra() -> None:
    usual, named = (situation(Given(settings=row)) for row in ({}, {"temp_buffers": "8MB"}))
    assert budget_of(usual).connections == budget_of(named).connections
    assert temp_buffers_in_words(usual) == ""


def test_temp_buffers_of_few_sessions_are_not_named() -> None:
    assert temp_buffers_in_words(situation(Given(connections=10, settings={"temp_buffers": "256MB"}))) == ""


@pytest.mark.parametrize(("size", "fails"), [("32MB", False), ("64MB", True), ("1GB", True)])
def test_a_parallel_vacuum_needs_room_for_its_dead_rows(size: str, *, fails: bool) -> None:
    result = situation(Given(shared_memory="64MB", settings={"maintenance_work_mem": size}))
    assert isinstance(shared_by_vacuum(result), SharedMemoryTooSmall if fails else RoomEnough)
    texts = [text for _, text in container_warnings(result)]
    assert any("VACUUM with parallel workers" in text for text in texts) == fails


@pytest.mark.parametrize(
    "of",
    [
        Given(settings={"maintenance_work_mem": "1GB"}),
        Given(shared_memory="64MB", major="12", settings={"maintenance_work_mem": "1GB"}),
        Given(
            shared_memory="64MB",
            settings={"maintenance_work_mem": "1GB", "max_parallel_maintenance_workers": "0"},
        ),
        Given(
            shared_memory="64MB",
            settings={"maintenance_work_mem": "1GB", "dynamic_shared_memory_type": "mmap"},
        ),
    ],
    ids=["no limit", "no parallel vacuum before 13", "no workers", "elsewhere"],
)
def test_without_a_limit_or_parallel_vacuum_nothing_is_said(of: Given) -> None:
    assert isinstance(shared_by_vacuum(situation(of)), RoomEnough)

"""Parallel queries share memory in /dev/shm: no plan makes them need more than that in silence."""

from hypothesis import given
from hypothesis import strategies as st

from situations import situation
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.server.parallel_memory import RoomEnough, SharedMemoryTooSmall, shared_by_queries
from tunewiz.knowledge.loading import load_knowledge

WARNED = "shared_memory_small"
DOCKER = Given(container="docker", shared_memory="64MB", connections=100, cores=16, workload="analytics")

servers = st.builds(
    Given,
    container=st.just("docker"),
    shared_memory=st.sampled_from(["", "64MB", "256MB", "1GB", "64GB"]),
    connections=st.integers(1, 300),
    cores=st.integers(1, 256),
    memory=st.sampled_from(["2GB", "16GB", "512GB"]),
    available=st.just("2GB"),
    workload=st.sampled_from(["oltp", "mixed", "read_mostly", "analytics"]),
    major=st.sampled_from(["9.6", "10", "11", "12", "13", "15", "18"]),
    settings=st.fixed_dictionaries({}, optional={"work_mem": st.sampled_from(["64kB", "4MB", "1GB"])}),
)


def planned(one: Given) -> Plan:
    return plan_of(load_knowledge().catalogue, situation(one))


def workers(made: Plan) -> int:
    return int(made.end.will_be("max_parallel_workers_per_gather"))


def codes(made: Plan) -> list[str]:
    return [warning.code for warning in made.warnings]


@given(servers)
def test_a_hash_join_that_would_not_fit_is_warned_of_and_no_other(one: Given) -> None:
    made = planned(one)
    assert (WARNED in codes(made)) is isinstance(shared_by_queries(made.end), SharedMemoryTooSmall)


def test_a_small_one_keeps_the_number_of_workers() -> None:
    before = situation(DOCKER)
    made = planned(DOCKER)
    assert workers(made) == int(before.will_be("max_parallel_workers_per_gather"))


def test_one_of_half_of_memory_does_not() -> None:
    roomy = Given(connections=100, cores=16, workload="analytics")
    assert workers(planned(roomy)) > int(situation(roomy).will_be("max_parallel_workers_per_gather"))


def test_what_is_needed_is_told_with_its_computation() -> None:
    tight = Given(shared_memory="64MB", settings={"work_mem": "32MB"})
    result = shared_by_queries(situation(tight))
    assert isinstance(result, SharedMemoryTooSmall)
    assert result.computed == "work_mem 32MB x 2 for a hash x 3 processes = 192 MiB"


def test_other_ways_to_share_memory_and_older_servers_are_left_alone() -> None:
    for one in (
        Given(shared_memory="64MB", settings={"work_mem": "1GB", "dynamic_shared_memory_type": "sysv"}),
        Given(shared_memory="64MB", settings={"work_mem": "1GB", "max_parallel_workers_per_gather": "0"}),
        Given(shared_memory="64MB", settings={"work_mem": "1GB"}, major="10"),
        Given(settings={"work_mem": "1GB"}),
    ):
        assert isinstance(shared_by_queries(situation(one)), RoomEnough)

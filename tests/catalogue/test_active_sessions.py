"""Memory for sorts is shared by the sessions that are at work; that all of them may be is told as a risk."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situations import finding, situation
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.server.sorts import at_work_in_words, sessions_at_work
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import load_knowledge

WARNED = "memory_worst_case"


def planned(one: Given) -> Plan:
    return plan_of(load_knowledge().catalogue, situation(one))


def work_mem(one: Given) -> Bytes:
    return planned(one).end.will_be_size("work_mem")


def test_two_gigabytes_and_a_hundred_connections_leave_room_for_buffers() -> None:
    made = planned(Given(memory="2GB", available="1500MB", connections=100, cores=2))
    assert made.end.will_be("shared_buffers") == "480MB"
    assert made.end.will_be("work_mem") == "4MB"


def test_twenty_analysts_on_a_large_machine_sort_in_memory() -> None:
    one = Given(memory="512GB", available="500GB", connections=20, cores=64, workload="analytics")
    assert Bytes.parse("512MB") <= work_mem(one) <= Bytes.parse("2GB")


def test_the_posture_moves_what_is_counted() -> None:
    one = Given(memory="64GB", connections=1000)
    cautious, balanced, bold = (
        work_mem(dataclasses.replace(one, posture=posture)) for posture in ("cautious", "balanced", "bold")
    )
    assert cautious < balanced < bold


def test_more_processors_serve_more_sessions() -> None:
    few, many = (situation(Given(connections=200, cores=cores)) for cores in (4, 16))
    assert sessions_at_work(few) < sessions_at_work(many) < 200


@settings(max_examples=30)
@given(st.integers(1, 5000), st.integers(1, 1024))
def test_no_more_are_at_work_than_there_are(connections: int, cores: int) -> None:
    working = sessions_at_work(situation(Given(connections=connections, cores=cores)))
    assert 1 <= working <= connections


def test_processors_that_are_not_known_let_all_be_at_work() -> None:
    result = situation(Given(connections=200, cores_unknown=True))
    assert sessions_at_work(result) == 200
    assert at_work_in_words(result) == "200 sessions at work"


@pytest.mark.parametrize("connections", [50, 200, 1000, 5000])
@pytest.mark.parametrize("memory", ["2GB", "16GB", "256GB"])
def test_the_worst_case_is_told_where_it_exceeds_the_memory_and_nowhere_else(
    connections: int, memory: str
) -> None:
    made = planned(Given(memory=memory, available=memory, connections=connections))
    assert isinstance(made.after, MemoryBudget)
    result = WARNED in [warning.code for warning in made.warnings]
    assert result is (made.after.fits and made.after.at_worst > made.after.total)


def test_what_all_at_once_would_take_stands_beside_the_value() -> None:
    made = planned(Given(memory="64GB", connections=500))
    assert "all 500 at their limit would take" in finding(made, "pg.work_mem").because

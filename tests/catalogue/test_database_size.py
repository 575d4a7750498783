"""The size of the databases counts: caches hold no more than there is, nothing jumps at a round number."""

import dataclasses
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situations import finding, situation
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal, RiskLevel
from tunewiz.core.server.database_size import GROWTH, LARGE
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge

STEP = Fraction(105, 100)
MOST = Fraction(125, 100)
SMALLEST = Bytes(128 * MIB)
few = settings(max_examples=15)


def planned(one: Given) -> Plan:
    return plan_of(load_knowledge().catalogue, situation(one))


def size(count: Fraction | int) -> str:
    return f"{int(count)}B"


def test_fifty_megabytes_of_data_take_no_sixteen_gigabytes_and_no_huge_pages() -> None:
    made = planned(Given(memory="64GB", database_size="50MB"))
    assert made.end.will_be("shared_buffers") == "128MB"
    assert "vm.nr_hugepages" not in made.end.chosen
    assert "even if they double" in finding(made, "pg.shared_buffers").because


def test_the_growth_that_was_assumed_is_told() -> None:
    verdict = finding(planned(Given(memory="64GB", database_size="3GB")), "pg.shared_buffers").verdict
    assert isinstance(verdict, Proposal)
    assert verdict.value == "6GB"
    assert f"3 GiB x {GROWTH} = 6 GiB with growth" in verdict.computed


@few
@given(st.integers(1, 4096 * 1024), st.integers(1, 1024))
def test_buffers_never_exceed_what_the_databases_fill(megabytes: int, memory: int) -> None:
    one = Given(memory=f"{memory}GB", database_size=f"{megabytes}MB", connections=20)
    made = planned(one)
    most = max(SMALLEST, Bytes(megabytes * MIB) * GROWTH)
    assert made.end.will_be_size("shared_buffers") <= most


@few
@given(st.integers(64 * MIB, 1024 * GIB))
def test_a_little_more_data_takes_a_little_more_memory(count: int) -> None:
    small, large = (
        planned(Given(memory="256GB", available="250GB", database_size=size(number), connections=50))
        for number in (count, count * STEP)
    )
    before, after = (plan.end.will_be_size("shared_buffers") for plan in (small, large))
    assert before <= after <= before * MOST


@pytest.mark.parametrize(
    "name", ["autovacuum_vacuum_scale_factor", "autovacuum_analyze_scale_factor", "shared_buffers"]
)
def test_nothing_jumps_at_a_hundred_gigabytes(name: str) -> None:
    values = [planned(Given(database_size=name, posture="bold")) for name in ("99GB", "101GB")]
    small, large = (value.end.settings[name].canonical(value.end.will_be(name)) for value in values)
    assert Fraction(1) / MOST <= Fraction(large) / Fraction(small) <= MOST


@few
@given(st.integers(LARGE.count, 200 * 1024 * GIB))
def test_vacuum_comes_sooner_the_more_there_is(count: int) -> None:
    small, large = (
        planned(Given(database_size=size(number), posture="bold")).end.will_be(
            "autovacuum_vacuum_scale_factor"
        )
        for number in (count, count * 2)
    )
    assert Fraction(1, 50) <= Fraction(large) <= Fraction(small) <= Fraction(1, 5)


def test_what_was_set_to_the_documented_bound_stays() -> None:
    made = planned(Given(memory="64GB", settings={"shared_buffers": "25GB"}))
    assert finding(made, "pg.shared_buffers").state == "keep"


def test_more_than_that_stays_too_and_the_risk_is_told() -> None:
    made = planned(Given(memory="64GB", settings={"shared_buffers": "26GB"}))
    result = finding(made, "pg.shared_buffers")
    assert made.end.will_be("shared_buffers") == "26GB"
    assert result.state == "advise"
    assert result.risk is RiskLevel.MEDIUM
    assert "memory may run short" in result.because


@pytest.mark.parametrize("storage", ["hdd", "san"])
def test_data_that_stay_cached_are_not_read_from_slow_disks(storage: str) -> None:
    one = Given(database_size="20GB", memory="64GB")
    one = dataclasses.replace(one, disk="hdd" if storage == "hdd" else "san")
    result = finding(planned(one), "pg.random_page_cost")
    assert isinstance(result.verdict, Proposal)
    assert result.verdict.value == "1.1"
    assert result.changes is (storage == "san")


def test_data_that_do_not_stay_cached_are() -> None:
    one = Given(database_size="40GB", memory="64GB", disk="hdd")
    assert finding(planned(one), "pg.random_page_cost").state == "keep"


def test_rotating_disks_under_cached_data_keep_a_cost_that_suits_the_cache() -> None:
    one = Given(database_size="20GB", disk="hdd", settings={"random_page_cost": "1.1"})
    assert finding(planned(one), "pg.random_page_cost").state == "keep"

"""The memory budget counts what a busy server can take."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from situations import situation
from tunewiz.core.planning.budget import VACUUM_LIMIT, budget_of, system_reserve
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.units import Bytes

GIVENS = st.builds(
    Given,
    memory=st.integers(1, 1024).map(lambda size: f"{size}GB"),
    connections=st.integers(1, 5000),
    major=st.sampled_from(["9.6", "13", "17", "18"]),
    workload=st.sampled_from(["oltp", "read_mostly", "mixed", "analytics"]),
    posture=st.sampled_from(["cautious", "balanced", "bold"]),
)


@given(GIVENS)
def test_what_is_claimed_and_what_is_left_are_all_there_is(of: Given) -> None:
    budget = budget_of(situation(of))
    if budget.fits:
        assert budget.claimed + budget.page_cache == budget.total
    else:
        assert budget.page_cache == Bytes(0)


@given(GIVENS)
def test_the_parts_add_up_to_what_is_claimed(of: Given) -> None:
    parts = dict(budget_of(situation(of)).parts)
    total, claimed, cache = parts.pop("total"), parts.pop("claimed"), parts.pop("page_cache")
    assert sum(parts.values(), Bytes(0)) == claimed
    assert total == Bytes.parse(of.memory)
    assert cache >= Bytes(0)


@given(GIVENS, st.integers(1, 100))
def test_more_connections_never_claim_less(of: Given, more: int) -> None:
    result = situation(of)
    then = situation(
        Given(
            memory=of.memory,
            connections=of.connections + more,
            major=of.major,
            workload=of.workload,
            posture=of.posture,
        )
    )
    assert budget_of(then).claimed >= budget_of(result).claimed


def test_the_system_keeps_no_more_than_a_quarter_of_a_small_machine() -> None:
    assert system_reserve(situation(Given(memory="1GB"))) <= Bytes.parse("256MB")


def test_huge_pages_that_the_server_does_not_use_are_lost_to_everyone() -> None:
    reserved = {"vm.nr_hugepages": 4096}
    unused = budget_of(situation(Given(kernel=reserved, settings={"huge_pages": "off"})))
    assert unused.huge_pages_idle == Bytes.parse("8GB")
    used = budget_of(situation(Given(kernel=reserved, settings={"shared_buffers": "7GB"})))
    assert used.huge_pages_idle < Bytes.parse("1GB")


def test_vacuum_took_no_more_than_a_gigabyte_before_version_17() -> None:
    large = {"maintenance_work_mem": "4GB"}
    assert budget_of(situation(Given(major="16", settings=large))).autovacuum == VACUUM_LIMIT * 3
    assert budget_of(situation(Given(major="17", settings=large))).autovacuum == Bytes.parse("12GB")


def test_autovacuum_counts_with_its_own_limit_where_it_has_one() -> None:
    own = {"maintenance_work_mem": "4GB", "autovacuum_work_mem": "128MB"}
    assert budget_of(situation(Given(settings=own))).autovacuum == Bytes.parse("384MB")


def test_hashes_count_with_their_multiplier() -> None:
    once = budget_of(situation(Given(settings={"hash_mem_multiplier": "1"})))
    twice = budget_of(situation(Given(settings={"hash_mem_multiplier": "2"})))
    assert twice.work == once.work * Fraction(3, 2)
    assert twice.work_at_worst == once.work_at_worst * 2


@given(GIVENS)
def test_all_sessions_at_once_never_claim_less_than_those_at_work(of: Given) -> None:
    budget = budget_of(situation(of))
    assert budget.claimed <= budget.at_worst

"""Huge pages by the server's own count, and pools that nobody uses."""

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from sick_servers import plan_of_case, warning_texts
from situations import finding, situation
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice
from tunewiz.core.server.shared_memory import huge_pages_needed, shared_overhead
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation


def counting(of: Given, pages: int) -> Situation:
    """A server that counts its own pages."""
    result = situation(of)
    assert isinstance(result.server, PostgresServer)
    return dataclasses.replace(
        result, server=dataclasses.replace(result.server, shared_memory_pages=Known(pages, "test"))
    )


@given(rest=st.integers(20, 4000), wanted=st.integers(1, 64))
def test_what_the_server_counts_beside_its_buffers_stays_beside_larger_ones(rest: int, wanted: int) -> None:
    result = counting(Given(settings={"shared_buffers": "1GB"}), 512 + rest)
    after = result.with_chosen("shared_buffers", f"{wanted}GB")
    grown = shared_overhead(after, Bytes(wanted * GIB)) - shared_overhead(result, Bytes(GIB))
    need = huge_pages_needed(after)
    expected = Bytes(wanted * GIB) + Bytes(rest * 2 * MIB) + grown
    assert need.count == max(Bytes(wanted * GIB), expected).pages(Bytes(2 * MIB))
    assert "as the server counts" in need.computed


def test_a_plan_that_changes_nothing_takes_the_servers_own_count() -> None:
    assert huge_pages_needed(counting(Given(), 3152)).count == 3152


def test_longer_queries_in_the_activity_view_take_shared_memory() -> None:
    long = {"track_activity_query_size": "1MB", "max_connections": "1000"}
    usual = shared_overhead(situation(Given(settings={"max_connections": "1000"})), Bytes(GIB))
    assert shared_overhead(situation(Given(settings=long)), Bytes(GIB)) - usual > Bytes(1000 * MIB)


def test_memory_that_is_kept_for_parallel_queries_is_counted() -> None:
    usual = shared_overhead(situation(), Bytes(GIB))
    kept = situation(Given(settings={"min_dynamic_shared_memory": "2GB"}))
    assert shared_overhead(kept, Bytes(GIB)) - usual == Bytes(2 * GIB)


def planned(of: Given) -> Plan:
    return plan_of(load_knowledge().catalogue, example_situation(of, load_knowledge()))


def test_a_pool_three_times_too_large_is_told_with_its_gibibytes_and_the_steps_back() -> None:
    pool = finding(plan_of_case("60-hugeover"), "kernel.nr_hugepages")
    assert pool.state == "advise"
    assert "148.9 GiB lie idle" in pool.because
    assert isinstance(pool.verdict, Advice)
    assert any("vm.nr_hugepages=33772" in step for step in pool.verdict.steps)


def test_pages_that_the_running_server_leaves_free_are_told_with_why() -> None:
    plan = plan_of_case("hp-unused")
    text = warning_texts(plan)["huge_pages_unused"]
    assert "33,000 huge pages (64.5 GiB)" in text
    assert "with fewer it takes none" in text
    assert isinstance(plan.before, MemoryBudget)
    assert plan.before.huge_pages_idle == Bytes(2 * MIB) * 33_000


def with_free_pages(of: Given, free: int) -> Plan:
    result = example_situation(of, load_knowledge())
    memory = dataclasses.replace(result.facts.memory, huge_pages_free=Known(free, "test"))
    facts = dataclasses.replace(result.facts, memory=memory)
    return plan_of(load_knowledge().catalogue, dataclasses.replace(result, facts=facts))


IN_USE = Given(settings={"shared_buffers": "16GB"}, kernel={"vm.nr_hugepages": 8500})
TOO_MANY = Given(settings={"shared_buffers": "16GB"}, kernel={"vm.nr_hugepages": 20_000})


def test_a_pool_in_use_is_not_warned_of() -> None:
    plan = with_free_pages(IN_USE, 50)
    assert "huge_pages_unused" not in warning_texts(plan)
    assert finding(plan, "kernel.nr_hugepages").state == "keep"


def test_pages_that_another_program_uses_are_not_to_be_given_back() -> None:
    assert finding(with_free_pages(TOO_MANY, 100), "kernel.nr_hugepages").state == "keep"
    assert finding(with_free_pages(TOO_MANY, 11_000), "kernel.nr_hugepages").state == "advise"


def test_a_small_pool_that_is_free_is_not_worth_a_warning() -> None:
    assert "huge_pages_unused" not in warning_texts(planned(Given(kernel={"vm.nr_hugepages": 100})))

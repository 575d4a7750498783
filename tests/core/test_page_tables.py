"""Sessions' page tables are budgeted, and buffers without huge pages stay at what they allow."""

import dataclasses
from types import MappingProxyType

from hypothesis import given, settings
from hypothesis import strategies as st

from sick_servers import plan_of_case, warning_texts
from situations import finding, situation
from tunewiz.core.answers.answers import Answers, Decision, Replaced
from tunewiz.core.planning.budget import MemoryBudget, budget_of
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.page_tables import (
    MOST_OF_MEMORY,
    largest_buffers,
    lies_in_huge_pages,
    page_tables,
)
from tunewiz.core.server.shared_memory import shared_overhead
from tunewiz.core.server.sorts import sessions_at_work
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, KIB, MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation

SIZE_BY_KERNEL = {"4kB": "2MB", "16kB": "32MB", "64kB": "512MB"}
"""Pages and huge pages of x86-64 and Arm."""


def with_pages_of(start: Situation, size: str) -> Situation:
    memory = dataclasses.replace(start.facts.memory, page_size=Known(Bytes.parse(size), "getconf"))
    return dataclasses.replace(start, facts=dataclasses.replace(start.facts, memory=memory))


def planned(of: Given, page: str = "4kB", decisions: dict[str, Decision] | None = None) -> Plan:
    start = with_pages_of(example_situation(of, load_knowledge()), page)
    answers: Answers = dataclasses.replace(start.answers, decisions=MappingProxyType(decisions or {}))
    return plan_of(load_knowledge().catalogue, dataclasses.replace(start, answers=answers))


def test_a_session_that_touches_256_gb_of_buffers_maps_half_a_gigabyte() -> None:
    result = situation(
        Given(memory="1024GB", cores=64, connections=100, settings={"shared_buffers": "256GB"})
    )
    assert page_tables(result) == Bytes(512 * MIB) * sessions_at_work(result)


def test_pages_of_64_kb_need_tables_of_a_sixteenth() -> None:
    result = situation(Given(memory="1024GB", settings={"shared_buffers": "256GB"}))
    assert page_tables(with_pages_of(result, "64kB")) * 16 == page_tables(result)


def test_the_budget_counts_them_once_there_are_no_huge_pages() -> None:
    reserved = {"vm.nr_hugepages": 10_000}
    large = {"shared_buffers": "16GB"}
    small_pages = budget_of(situation(Given(settings=large)))
    huge_pages = budget_of(situation(Given(settings=large, kernel=reserved)))
    assert small_pages.parts["page_tables"] > Bytes(0)
    assert huge_pages.page_tables == Bytes(0)


def test_too_few_huge_pages_are_none() -> None:
    large = {"shared_buffers": "16GB"}
    assert not lies_in_huge_pages(situation(Given(settings=large, kernel={"vm.nr_hugepages": 8000})))
    assert lies_in_huge_pages(situation(Given(settings=large, kernel={"vm.nr_hugepages": 9000})))


def test_a_server_that_is_not_to_use_them_has_page_tables() -> None:
    off = {"shared_buffers": "16GB", "huge_pages": "off"}
    assert not lies_in_huge_pages(situation(Given(settings=off, kernel={"vm.nr_hugepages": 9000})))


def test_a_kernel_without_huge_pages_leaves_the_page_tables() -> None:
    assert page_tables(situation(Given(huge_page_size="", settings={"shared_buffers": "16GB"}))) > Bytes(0)


@given(room=st.integers(1, 512).map(lambda size: Bytes(size * GIB)))
def test_the_largest_buffers_fit_the_room_with_all_that_grows_with_them(room: Bytes) -> None:
    result = dataclasses.replace(situation(Given(memory="1024GB", connections=900)), small_pages=True)
    buffers = largest_buffers(result, room)
    after = result.with_chosen("shared_buffers", f"{buffers.count // KIB}kB")
    rounding = Bytes(8 * KIB)
    assert buffers + shared_overhead(result, buffers) + page_tables(after) <= room + rounding


@settings(max_examples=40, deadline=None)
@given(
    of=st.builds(
        Given,
        memory=st.sampled_from(["2GB", "16GB", "64GB", "256GB", "1024GB", "4096GB"]),
        connections=st.sampled_from([10, 100, 1000, 5000]),
        cores=st.sampled_from([2, 16, 112]),
        major=st.sampled_from(["13", "15", "18"]),
        database_size=st.just("12TB"),
        posture=st.sampled_from(["cautious", "balanced", "bold"]),
        may_change_kernel=st.booleans(),
        settings=st.just({"max_connections": "5100"}),
    ),
    page=st.sampled_from(sorted(SIZE_BY_KERNEL)),
)
def test_no_plan_raises_buffers_beyond_what_page_tables_or_huge_pages_hold(of: Given, page: str) -> None:
    plan = planned(dataclasses.replace(of, huge_page_size=SIZE_BY_KERNEL[page]), page)
    if "shared_buffers" in plan.end.chosen and not lies_in_huge_pages(plan.end):
        assert isinstance(plan.after, MemoryBudget)
        assert plan.after.page_tables <= plan.end.memory * MOST_OF_MEMORY


def test_a_terabyte_whose_huge_pages_are_not_ticked_keeps_its_buffers_small() -> None:
    plan = plan_of_case("36-tb-cautious")
    buffers = finding(plan, "pg.shared_buffers")
    assert Bytes.parse(buffers.sets) < Bytes(32 * GIB)
    assert "256GB wait for 135,066 huge pages" in buffers.because
    assert "page_tables" not in warning_texts(plan)


LARGE = Given(memory="1024GB", cores=112, connections=1000, database_size="12TB", posture="cautious")


def test_with_huge_pages_accepted_the_same_server_gets_its_large_buffers() -> None:
    plan = planned(LARGE, decisions={"kernel.nr_hugepages": Replaced(value="140000")})
    assert plan.end.will_be("shared_buffers") == "256GB"
    assert lies_in_huge_pages(plan.end)


def test_buffers_that_a_person_set_beyond_that_are_warned_of() -> None:
    plan = planned(LARGE, decisions={"pg.shared_buffers": Replaced(value="256GB")})
    assert plan.end.will_be("shared_buffers") == "256GB"
    assert "512 MiB for each of" in warning_texts(plan)["page_tables"]


def test_small_buffers_are_not_warned_of() -> None:
    assert "page_tables" not in warning_texts(planned(Given(memory="16GB", connections=100)))

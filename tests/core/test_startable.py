"""A server that cannot start with its values is named before all else, and what is too large is lowered."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sick_servers import plan_of_case, warning_texts
from situations import finding, situation
from small_plans import small_facts
from tunewiz.core.facts.server import FileError
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import OF_32_BIT
from tunewiz.core.server.start_limits import commit_limit, unfit
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, example_situation, make_plan

KNOWLEDGE = load_knowledge()
POSTURES = ("cautious", "balanced", "bold")
STRICT = {"vm.overcommit_memory": 2}


def planned(of: Given) -> Plan:
    return plan_of(KNOWLEDGE.catalogue, example_situation(of, KNOWLEDGE))


def planned_with_lines(*lines: FileError, running: bool) -> Plan:
    facts = small_facts(Given(), running=running, file_errors=Known(lines, "postgresql.conf"))
    return make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)


def test_buffers_above_all_memory_are_the_first_line_and_lowered() -> None:
    plan = plan_of_case("vmshrunk")
    first = plan.warnings[0]
    assert first.code == "server_down"
    assert "shared_buffers of 8GB" in first.text
    assert plan.end.will_be("shared_buffers") == "2GB"


@pytest.mark.parametrize("posture", POSTURES)
@pytest.mark.parametrize("running", [True, False])
def test_every_posture_lowers_buffers_that_cannot_be_held(posture: str, running: bool) -> None:  # noqa: FBT001
    of = Given(memory="8GB", settings={"shared_buffers": "12GB"}, running=running, connections=50)
    plan = planned(dataclasses.replace(of, posture=posture))  # type: ignore[arg-type]
    assert unfit(plan.end, plan.end.will_be_size("shared_buffers")) is None
    assert plan.warnings[0].code == ("too_large_today" if running else "server_down")


def test_a_control_group_bounds_them_too() -> None:
    plan = planned(Given(memory="64GB", memory_limit="4GB", settings={"shared_buffers": "4GB"}))
    assert "the control group allows" in plan.warnings[0].text
    assert plan.end.will_be_size("shared_buffers") < Bytes(2 * GIB)


def test_a_stopped_server_with_good_values_is_not_said_to_be_down_for_them() -> None:
    codes = warning_texts(planned(Given(running=False)))
    assert "server_down" not in codes
    assert "too_large_today" not in codes


WRONG = FileError(place="postgresql.conf:7", name="random_page_cost", error='invalid value: "1,1"')


def test_a_line_that_keeps_a_stopped_server_down_is_said_first() -> None:
    first = planned_with_lines(WRONG, running=False).warnings[0]
    assert first.code == "server_down"
    assert "postgresql.conf:7: random_page_cost" in first.text


def test_the_same_line_of_a_running_server_does_not_say_that_it_is_down() -> None:
    assert "server_down" not in warning_texts(planned_with_lines(WRONG, running=True))


def test_strict_accounting_bounds_the_plan_where_kernel_changes_are_ruled_out() -> None:
    plan = plan_of_case("oc2-nokernel")
    assert isinstance(plan.after, MemoryBudget)
    assert plan.after.fits
    assert plan.after.total == commit_limit(plan.end)
    assert Bytes(GIB) < plan.end.will_be_size("shared_buffers") < Bytes(8 * GIB)
    assert (
        "12.7 GiB" in warning_texts(plan)["commit_limit"] or "12.8 GiB" in warning_texts(plan)["commit_limit"]
    )


@settings(max_examples=30, deadline=None)
@given(
    st.builds(
        Given,
        memory=st.sampled_from(["4GB", "16GB", "64GB", "512GB"]),
        swap=st.sampled_from(["0B", "2GB", "64GB"]),
        connections=st.sampled_from([20, 100, 400]),
        database_size=st.just("4TB"),
        posture=st.sampled_from(POSTURES),
        may_change_kernel=st.booleans(),
        kernel=st.sampled_from([10, 20, 50, 80, 100]).map(
            lambda ratio: {**STRICT, "vm.overcommit_ratio": ratio}
        ),
    )
)
def test_no_plan_raises_shared_memory_beyond_what_may_be_promised(of: Given) -> None:
    plan = planned(of)
    if "shared_buffers" in plan.end.chosen:
        assert unfit(plan.end, plan.end.will_be_size("shared_buffers")) is None


def test_lenient_accounting_bounds_nothing() -> None:
    assert "commit_limit" not in warning_texts(planned(Given(kernel={"vm.overcommit_ratio": 5})))


@pytest.mark.parametrize("architecture", OF_32_BIT)
def test_a_32_bit_system_is_planned_within_its_addresses(architecture: str) -> None:
    plan = planned(Given(memory="64GB", architecture=architecture, connections=50, database_size="1TB"))
    assert plan.end.will_be_size("shared_buffers") <= Bytes(GIB)
    assert "32-bit" in warning_texts(plan)["address_space"]


@pytest.mark.parametrize("architecture", ["x86_64", "aarch64", "s390x", "ppc64le"])
def test_a_64_bit_system_is_not(architecture: str) -> None:
    assert not situation(Given(architecture=architecture)).is_32_bit


def test_the_finding_says_which_limit_is_exceeded() -> None:
    plan = planned(Given(memory="8GB", settings={"shared_buffers": "12GB"}))
    assert "8.0 GiB of memory" in finding(plan, "pg.shared_buffers").because


BESIDE = {
    "min_dynamic_shared_memory": {"min_dynamic_shared_memory": "80GB"},
    "track_activity_query_size": {"track_activity_query_size": "1MB", "max_connections": "60000"},
    "max_locks_per_transaction": {"max_locks_per_transaction": "200000", "max_connections": "2000"},
    "max_connections": {"max_connections": "200000"},
    "max_prepared_transactions": {"max_prepared_transactions": "200000"},
}


@pytest.mark.parametrize(("name", "values"), BESIDE.items(), ids=BESIDE)
@pytest.mark.parametrize("running", [True, False])
def test_what_takes_most_of_shared_memory_beside_the_buffers_is_named(
    name: str, values: dict[str, str], *, running: bool
) -> None:
    text = warning_texts(planned(Given(settings=values, running=running)))["shared_memory_beside"]
    assert text.startswith(f"{name} = {values[name]} takes ")


@pytest.mark.parametrize("running", [True, False])
def test_a_server_that_cannot_start_for_it_is_told_to_lower_that_and_not_the_buffers(
    *, running: bool
) -> None:
    first = planned(Given(settings=BESIDE["min_dynamic_shared_memory"], running=running)).warnings[0]
    assert first.code == ("would_not_start" if running else "server_down")
    assert "min_dynamic_shared_memory = 80GB" in first.text
    assert "lower shared_buffers" not in first.text


def test_what_keeps_a_server_down_is_told_once() -> None:
    given = Given(settings={"wal_level": "minimal", "archive_mode": "on"}, running=False)
    texts = [warning.text for warning in planned(given).warnings]
    assert len([text for text in texts if "archive_mode" in text and "start" in text]) == 1
    assert "The server is down" in texts[0]


def test_a_running_server_is_told_of_its_next_start() -> None:
    texts = warning_texts(planned(Given(settings={"wal_level": "minimal", "archive_mode": "on"})))
    assert "archive_mode" in texts["would_not_start"]


@pytest.mark.parametrize(
    "values",
    [{}, {"max_connections": "2000"}, {"max_locks_per_transaction": "1024"}, {"wal_buffers": "64MB"}],
)
def test_what_takes_little_is_not_named(values: dict[str, str]) -> None:
    assert "shared_memory_beside" not in warning_texts(planned(Given(settings=values)))

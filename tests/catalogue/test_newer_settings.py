"""Settings that came with 11 to 19: what is left to the server, and what somebody set to no good."""

import dataclasses
from collections.abc import Mapping

import pytest

from situations import finding, situation
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.knowledge.loading import load_knowledge
from watched import activity, with_statistics

KNOWLEDGE = load_knowledge()
NEW = (
    "pg.autovacuum_max_parallel_workers",
    "pg.autovacuum_worker_slots",
    "pg.idle_session_timeout",
    "pg.io_max_workers",
    "pg.io_min_workers",
    "pg.log_autoanalyze_min_duration",
    "pg.parallel_leader_participation",
    "pg.timing_clock_source",
    "pg.track_cost_delay_timing",
    "pg.transaction_timeout",
    "pg.vacuum_max_eager_freeze_failure_rate",
)
LARGE = Given(major="19", cores=64, database_size="10TB", disk="nvme")
ROWS = 10_000_000


def planned(one: Given, settings: Mapping[str, str] | None = None) -> Plan:
    return plan_of(
        KNOWLEDGE.catalogue, situation(dataclasses.replace(one, settings=settings or one.settings))
    )


def value_of(plan: Plan, identifier: str) -> str:
    """The value that is proposed, ticked or not; empty where there is none."""
    verdict = finding(plan, identifier).verdict
    return verdict.value if isinstance(verdict, Proposal) else ""


@pytest.mark.parametrize("major", SUPPORTED, ids=str)
@pytest.mark.parametrize("identifier", NEW)
def test_a_small_server_with_every_default_is_left_alone(identifier: str, major: Major) -> None:
    plan = planned(Given(major=str(major), database_size="20GB"))
    assert isinstance(finding(plan, identifier).verdict, Declined)


@pytest.mark.parametrize("identifier", NEW)
def test_none_is_ticked_on_a_large_server_with_every_default(identifier: str) -> None:
    assert not finding(planned(LARGE), identifier).sets


def test_readers_may_become_more_on_many_cores_and_stay_two_while_nothing_is_read() -> None:
    plan = planned(LARGE)
    assert value_of(plan, "pg.io_max_workers") == "16"
    assert "2 are always there" in finding(plan, "pg.io_min_workers").because


def test_a_fixed_pool_of_18_that_was_kept_may_grow_again() -> None:
    kept = {"io_min_workers": "3", "io_max_workers": "3"}
    assert value_of(planned(dataclasses.replace(LARGE, cores=16), kept), "pg.io_max_workers") == "8"


def test_a_fixed_pool_of_18_that_was_kept_is_left_alone_on_few_cores() -> None:
    plan = planned(dataclasses.replace(LARGE, cores=4), {"io_min_workers": "3", "io_max_workers": "3"})
    assert value_of(plan, "pg.io_max_workers") == value_of(plan, "pg.io_min_workers") == ""


def test_helpers_for_indexes_come_to_a_large_database_and_not_where_vacuum_keeps_up() -> None:
    assert value_of(planned(LARGE), "pg.autovacuum_max_parallel_workers") == "2"
    clean = with_statistics(LARGE, since=activity(live_rows=ROWS, dead_rows=ROWS // 1000))
    verdict = finding(plan_of(KNOWLEDGE.catalogue, clean), "pg.autovacuum_max_parallel_workers").verdict
    assert isinstance(verdict, Declined)
    assert "vacuum keeps up" in verdict.because


def test_there_are_no_more_helpers_than_parallel_workers() -> None:
    plan = planned(LARGE, {"max_parallel_workers": "0", "max_parallel_workers_per_gather": "0"})
    workers = value_of(plan, "pg.autovacuum_max_parallel_workers")
    assert int(workers or "0") <= int(plan.end.will_be("max_parallel_workers"))


def test_pauses_of_vacuum_are_measured_where_the_clock_is_cheap_and_it_does_not_keep_up() -> None:
    assert value_of(planned(LARGE), "pg.track_cost_delay_timing") == "on"
    for slow in ("hpet", "acpi_pm", "xen"):
        plan = planned(dataclasses.replace(LARGE, clocksource=slow))
        assert value_of(plan, "pg.track_cost_delay_timing") == ""


@pytest.mark.parametrize("name", ["transaction_timeout", "idle_session_timeout"])
def test_a_limit_for_all_becomes_one_for_roles_and_can_be_put_back(name: str) -> None:
    verdict = finding(planned(LARGE, {name: "30min"}), f"pg.{name}").verdict
    assert isinstance(verdict, Advice)
    assert verdict.steps[0].startswith("ALTER ROLE ")
    assert f"{name} = '30min'" in verdict.steps[0]
    assert verdict.undo == (f"ALTER SYSTEM SET {name} = '30min'; then SELECT pg_reload_conf();",)


def test_workers_without_a_slot_get_one_and_workers_with_slots_need_none() -> None:
    assert value_of(planned(LARGE, {"autovacuum_max_workers": "20"}), "pg.autovacuum_worker_slots") == "20"
    assert value_of(planned(LARGE, {"autovacuum_max_workers": "16"}), "pg.autovacuum_worker_slots") == ""


def test_analyzes_are_logged_as_soon_as_vacuums_and_not_sooner() -> None:
    both = {"log_autovacuum_min_duration": "1s"}
    assert value_of(planned(LARGE, both), "pg.log_autoanalyze_min_duration") == "1s"
    own = both | {"log_autoanalyze_min_duration": "500ms"}
    assert value_of(planned(LARGE, own), "pg.log_autoanalyze_min_duration") == ""


def test_analyzes_that_nobody_sees_are_logged_again_and_that_is_ticked() -> None:
    plan = planned(LARGE, {"log_autoanalyze_min_duration": "-1"})
    assert finding(plan, "pg.log_autoanalyze_min_duration").sets
    assert plan.end.will_be("log_autoanalyze_min_duration") == "10min"


def test_a_choice_that_the_server_left_to_itself_is_read_as_that_choice() -> None:
    clock = KNOWLEDGE.settings[Major.parse("19")]["timing_clock_source"]
    assert [clock.show(value) for value in ("auto (tsc)", "auto (system)", "tsc")] == ["auto", "auto", "tsc"]
    with pytest.raises(SettingError):
        clock.show("sundial (tsc)")


def test_a_session_works_beside_its_workers_unless_no_query_is_parallel() -> None:
    many = dataclasses.replace(LARGE, workload="analytics")
    off = {"parallel_leader_participation": "off"}
    assert value_of(planned(many, off), "pg.parallel_leader_participation") == "on"
    few = Given(cores=1, settings=off | {"max_parallel_workers_per_gather": "0"})
    assert value_of(planned(few), "pg.parallel_leader_participation") == ""

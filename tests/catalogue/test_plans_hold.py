"""What holds for every plan, on whatever machine: searched for by hypothesis, not listed by hand."""

import dataclasses

from hypothesis import HealthCheck, example, given, settings

from drawn_machines import MEMORY, machines
from situations import finding as finding_of
from tunewiz.core.planning.plan import BudgetUnknown, Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation

KNOWLEDGE = load_knowledge()


def plan_for(machine: Given) -> Plan:
    """The plan for a drawn machine."""
    return plan_of(KNOWLEDGE.catalogue, example_situation(machine, KNOWLEDGE))


search = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def check_no_more_memory_is_claimed_than_there_is_or_is_claimed_today(_: Given, plan: Plan) -> None:
    if not isinstance(plan.before, BudgetUnknown) and not isinstance(plan.after, BudgetUnknown):
        assert plan.after.fits or plan.after.claimed <= plan.before.claimed


def check_the_same_machine_gives_the_same_plan(machine: Given, plan: Plan) -> None:
    again = plan_for(machine)
    assert plan == again
    assert plan.warnings == again.warnings
    assert [finding.weighed for finding in plan.findings] == [finding.weighed for finding in again.findings]


def check_every_value_is_one_that_this_major_takes_and_a_person_would_write(_: Given, plan: Plan) -> None:
    for finding in plan.findings:
        target, verdict = finding.recommendation.target, finding.verdict
        if isinstance(verdict, Proposal):
            assert verdict.because
            assert verdict.computed
            if isinstance(target, PgTarget):
                assert plan.start.settings[target.name].show(verdict.value) == verdict.value
            if isinstance(target, SysctlTarget):
                assert target.minimum <= int(verdict.value) <= target.maximum
            if isinstance(target, SysfsTarget):
                assert verdict.value in target.choices


def check_no_safety_is_given_up_and_no_room_taken_from_sessions(_: Given, plan: Plan) -> None:
    for name in ("fsync", "full_page_writes", "autovacuum"):
        assert plan.end.will_be(name) == "on" or name not in plan.end.chosen
    assert "synchronous_commit" not in plan.end.chosen
    for name in ("max_connections", "max_worker_processes", "max_locks_per_transaction"):
        assert int(plan.end.will_be(name)) >= int(plan.start.will_be(name))


def check_what_was_ruled_out_is_not_changed(machine: Given, plan: Plan) -> None:
    for finding in plan.changes:
        kernel = isinstance(finding.recommendation.target, SysctlTarget | SysfsTarget)
        assert machine.may_change_kernel or not kernel
        assert machine.proc_sys_writable or not kernel
        assert machine.restart or finding.takes_effect != "restart"


CHECKS = (
    check_no_more_memory_is_claimed_than_there_is_or_is_claimed_today,
    check_the_same_machine_gives_the_same_plan,
    check_every_value_is_one_that_this_major_takes_and_a_person_would_write,
    check_no_safety_is_given_up_and_no_room_taken_from_sessions,
    check_what_was_ruled_out_is_not_changed,
)


@search
@given(machines())
def test_a_plan_for_any_machine_holds(machine: Given) -> None:
    plan = plan_for(machine)
    for check in CHECKS:
        check(machine, plan)


def test_buffers_that_wait_for_huge_pages_are_no_more_than_postgresql_takes() -> None:
    given = Given(
        memory="64TB",
        available="60TB",
        database_size="100TB",
        connections=5000,
        may_change_kernel=False,
    )
    assert "8191GB wait for" in finding_of(plan_for(given), "pg.shared_buffers").because


@search
@given(machines(), MEMORY, MEMORY)
def test_more_memory_never_gives_less_cache(machine: Given, one: Bytes, other: Bytes) -> None:
    machine = dataclasses.replace(machine, memory_limit="", memory_unknown=False, kernel={})
    small, large = (
        plan_for(dataclasses.replace(machine, memory=f"{size.count}B", available=f"{size.count // 2}B"))
        for size in sorted((one, other))
    )
    for name in ("shared_buffers", "effective_cache_size"):
        assert small.end.will_be_size(name) <= large.end.will_be_size(name)


@search
@given(machines())
def test_nothing_is_decided_from_memory_that_is_not_known(machine: Given) -> None:
    plan = plan_for(dataclasses.replace(machine, memory_unknown=True, memory_limit=""))
    for finding in plan.findings:
        if finding.recommendation.id in ("pg.shared_buffers", "pg.effective_cache_size", "pg.work_mem"):
            assert isinstance(finding.verdict, Declined)
            assert finding.state == "not_applicable"


@search
@given(machines())
@example(Given(memory="64GB"))
@example(Given(memory="64GB", workload="analytics", cores=64, connections=20))
@example(
    Given(
        memory="512MB",
        cores=1,
        major="10",
        settings={"max_parallel_workers_per_gather": "64", "max_worker_processes": "0"},
        may_change_kernel=False,
    )
)
@example(Given(memory="64TB", database_size="50TB", huge_page_size="1MB", may_change_kernel=False))
@example(
    Given(
        memory="512MB",
        available="200MB",
        cores=16,
        threads_per_core=8,
        huge_page_size="",
        disk="hdd",
        major="17",
        workload="mixed",
        connections=1,
        database_size="20GB",
        may_change_kernel=False,
    )
)
def test_who_follows_a_plan_is_left_in_peace_afterwards(machine: Given) -> None:
    first = plan_for(machine)
    settings_then = {**machine.settings}
    kernel_then = {**machine.kernel}
    for finding in first.changes:
        value = first.end.chosen[finding.recommendation.target.name]
        match finding.recommendation.target:
            case PgTarget(name=name):
                settings_then[name] = value
            case SysctlTarget(name=name, twin=twin):
                kernel_then |= {name: int(value)} | ({twin: 0} if twin else {})
            case SysfsTarget(fact=fact):
                kernel_then[fact] = value
            case _:
                pass
    second = plan_for(dataclasses.replace(machine, settings=settings_then, kernel=kernel_then))
    assert [change.recommendation.id for change in second.changes] == []

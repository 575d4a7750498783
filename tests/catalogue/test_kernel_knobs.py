"""What holds for every kernel, storage and host recommendation, on whatever machine."""

import dataclasses
from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tunewiz.core.answers.answers import Accepted, Replaced
from tunewiz.core.kernel.dirty_pages import held
from tunewiz.core.kernel.scheduler import on_one_chip, place_of
from tunewiz.core.planning.decide import decide_all
from tunewiz.core.planning.finding import Finding
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation

KNOWLEDGE = load_knowledge()
RECOMMENDATIONS = tuple(
    recommendation for recommendation in KNOWLEDGE.catalogue if not recommendation.id.startswith("pg.")
)

search = settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])


def one_of(*values: int) -> st.SearchStrategy[int]:
    return st.sampled_from(values)


KNOBS: st.SearchStrategy[Mapping[str, int | str]] = st.fixed_dictionaries(
    {
        "vm.dirty_bytes": one_of(0, 8192, 512 * MIB, 100 * GIB),
        "vm.dirty_ratio": one_of(0, 1, 20, 100),
        "vm.dirty_background_bytes": one_of(0, 1, 64 * MIB, GIB),
        "vm.dirty_background_ratio": one_of(0, 10, 100),
        "vm.overcommit_memory": one_of(0, 1, 2),
        "vm.overcommit_ratio": one_of(0, 50, 200),
        "vm.swappiness": one_of(0, 1, 10, 60, 200),
        "thp.enabled": st.sampled_from(["always", "madvise", "never"]),
    },
    optional={
        "vm.nr_hugepages": one_of(0, 100, 20_000, 2**40),
        "vm.overcommit_kbytes": one_of(0, 2**20),
        "vm.zone_reclaim_mode": one_of(0, 1, 7),
        "kernel.numa_balancing": one_of(0, 1, 2),
        "kernel.sched_autogroup_enabled": one_of(0, 1),
        "sched.migration_cost_ns": one_of(0, 50_000, 500_000, 5_000_000),
        "sched.wakeup_granularity_ns": one_of(0, 1_000_000),
    },
)


@st.composite
def machines(draw: st.DrawFn) -> Given:
    """A machine with odd kernel settings."""
    memory = draw(st.sampled_from(["64MB", "1GB", "4GB", "64GB", "4TB"]))
    return Given(
        memory=memory,
        available=f"{Bytes.parse(memory).count // draw(st.integers(1, 9))}B",
        swap=draw(st.sampled_from(["0B", "1GB", "1TB"])),
        memory_unknown=draw(st.integers(0, 9)) == 0,
        architecture=draw(st.sampled_from(["x86_64", "s390x", "ppc64le", "aarch64"])),
        kernel_release=draw(st.sampled_from(["2.6.16", "4.18.0-553.el8", "5.12.19", "6.8.0-51-generic"])),
        hypervisor=draw(st.sampled_from(["none", "kvm", "xen", "lpar", "zvm"])),
        container=draw(st.sampled_from(["", "", "podman"])),
        cores=draw(st.sampled_from([1, 4, 64])),
        threads_per_core=draw(st.sampled_from([1, 2, 4, 8])),
        sockets=draw(st.sampled_from([1, 2])),
        huge_page_size=draw(st.sampled_from(["1MB", "2MB", "16MB", "512MB"])),
        kernel=draw(KNOBS),
        proc_sys_writable=draw(st.booleans()),
        clocksource=draw(st.sampled_from(["tsc", "xen", "hpet", "tod"])),
        filesystem=draw(st.sampled_from(["ext4", "vxfs"])),
        mount_options=draw(st.sampled_from(["rw", "rw,mincache=direct"])),
        disk=draw(st.sampled_from(["hdd", "ssd", "nvme", "san"])),
        scheduler=draw(st.sampled_from(["none", "cfq", "bfq", "mq-deadline"])),
        read_ahead_kb=draw(st.sampled_from([0, 128, 4096])),
        wal_apart=draw(st.booleans()),
        settings=draw(st.sampled_from([{}, {"shared_buffers": "16GB"}, {"huge_page_size": "1GB"}])),
        workload=draw(st.sampled_from(["oltp", "read_mostly", "mixed", "analytics"])),
        posture=draw(st.sampled_from(["cautious", "balanced", "bold"])),
        connections=draw(st.sampled_from([1, 200, 5000])),
    )


def decided(machine: Given) -> tuple[Situation, dict[str, Finding]]:
    """The situation after the plan, and each finding by id."""
    end, findings = decide_all(RECOMMENDATIONS, example_situation(machine, KNOWLEDGE))
    return end, {finding.recommendation.id: finding for finding in findings}


def proposals(machine: Given) -> dict[str, tuple[SysctlTarget | SysfsTarget, Proposal]]:
    result = (
        (name, finding.recommendation.target, finding.verdict)
        for name, finding in decided(machine)[1].items()
    )
    return {
        name: (target, verdict)
        for name, target, verdict in result
        if isinstance(verdict, Proposal) and isinstance(target, SysctlTarget | SysfsTarget)
    }


@search
@given(machines())
def test_a_kernel_takes_every_proposed_value(machine: Given) -> None:
    for target, verdict in proposals(machine).values():
        match target:
            case SysctlTarget(minimum=minimum, maximum=maximum):
                assert minimum <= int(verdict.value) <= maximum
            case SysfsTarget(choices=choices):
                assert verdict.value in choices


@search
@given(machines())
def test_a_container_or_a_closed_kernel_is_left_alone(machine: Given) -> None:
    if machine.container or not machine.proc_sys_writable:
        assert proposals(machine) == {}


@search
@given(machines())
def test_reserved_huge_pages_leave_room_for_everything_else(machine: Given) -> None:
    result = proposals(machine).get("kernel.nr_hugepages")
    if result is not None and not machine.memory_unknown:
        pool = Bytes.parse(machine.huge_page_size) * int(result[1].value)
        assert pool < Bytes.parse(machine.memory)


@search
@given(machines())
def test_dirty_limits_only_go_down_and_stay_in_order(machine: Given) -> None:
    bold = dataclasses.replace(machine, posture="bold", memory_unknown=False)
    result = proposals(bold)
    situation = example_situation(bold, KNOWLEDGE)
    limits = dict[str, int]()
    for name, pair in (
        ("kernel.dirty_background_bytes", "vm.dirty_background"),
        ("kernel.dirty_bytes", "vm.dirty"),
    ):
        if name in result:
            limits[name] = int(result[name][1].value)
            assert limits[name] < held(situation, pair).size.count
    if len(limits) == 2:
        assert limits["kernel.dirty_background_bytes"] < limits["kernel.dirty_bytes"]


@search
@given(machines())
def test_who_sets_what_is_proposed_is_left_in_peace(machine: Given) -> None:
    then = {**machine.kernel}
    for target, verdict in proposals(machine).values():
        match target:
            case SysctlTarget(name=name, fact=fact, twin=twin):
                then |= {fact or name: int(verdict.value)} | ({twin: 0} if twin else {})
            case SysfsTarget(fact=fact):
                then[fact] = verdict.value
    assert proposals(dataclasses.replace(machine, kernel=then)) == {}


@search
@given(machines())
def test_every_finding_has_a_reason_of_one_readable_line(machine: Given) -> None:
    for name, finding in decided(machine)[1].items():
        assert 2 < len(finding.because) < 260, name
        assert "\n" not in finding.because


def test_the_sysctl_of_the_scheduler_cannot_be_set_where_it_is_a_debugging_file() -> None:
    machine = Given(kernel={"sched.migration_cost_ns": 500_000}, kernel_release="6.1.0")
    situation = example_situation(machine, KNOWLEDGE)
    decisions = {"kernel.sched_migration_cost_ns": Replaced(value="50000")}
    answers = dataclasses.replace(situation.answers, decisions=decisions)
    with pytest.raises(InputError, match="debug"):
        decide_all(RECOMMENDATIONS, dataclasses.replace(situation, answers=answers))


def test_an_unticked_proposal_is_carried_out_once_it_is_accepted() -> None:
    situation = example_situation(Given(), KNOWLEDGE)
    answers = dataclasses.replace(situation.answers, decisions={"kernel.swappiness": Accepted()})
    end, _ = decide_all(RECOMMENDATIONS, dataclasses.replace(situation, answers=answers))
    assert end.chosen["vm.swappiness"] == "10"


@pytest.mark.parametrize(
    ("release", "place"),
    [("4.18.0-553.el8", "sysctl"), ("5.12.19", "sysctl"), ("5.13.0", "debugfs"), ("6.8", "debugfs")],
)
def test_the_knobs_moved_with_kernel_5_13(release: str, place: str) -> None:
    machine = Given(kernel_release=release, kernel={"sched.migration_cost_ns": 500_000})
    assert place_of(example_situation(machine, KNOWLEDGE), "sched.migration_cost_ns") == place


def test_two_sockets_are_not_one_chip() -> None:
    assert on_one_chip(example_situation(Given(), KNOWLEDGE))
    assert not on_one_chip(example_situation(Given(sockets=2), KNOWLEDGE))


def test_the_limit_in_force_is_the_one_of_the_pair_that_is_not_zero() -> None:
    given_bytes = Given(kernel={"vm.dirty_bytes": 512 * MIB, "vm.dirty_ratio": 0})
    assert held(example_situation(given_bytes, KNOWLEDGE), "vm.dirty").size == Bytes(512 * MIB)
    assert held(example_situation(Given(memory="10GB"), KNOWLEDGE), "vm.dirty").size == Bytes(2 * GIB)


def test_dirty_limits_that_are_declined_alone_take_their_partner_along() -> None:
    situation = example_situation(Given(memory_unknown=True), KNOWLEDGE)
    test_dirty_limits = {
        finding.recommendation.id: finding for finding in decide_all(RECOMMENDATIONS, situation)[1]
    }
    partner = test_dirty_limits["kernel.dirty_bytes"].verdict
    assert isinstance(partner, Declined)
    assert partner.kind == "not_applicable"

"""What the host gets beside the kernel's memory: each knob is left alone where a machine does not have it."""

import dataclasses

import pytest

from disk_stack import Stack
from situations import finding, situation
from tunewiz.catalogue import (
    host_idle_states,
    host_interrupts,
    host_open_files,
    host_remove_ipc,
    host_tuned_profile,
    kernel_file_max,
    storage_multipath,
    storage_read_ahead,
    storage_striping,
)
from tunewiz.core.answers.answers import WorkloadKind
from tunewiz.core.facts.machine import IdleState, Interrupts
from tunewiz.core.facts.server import Setting
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, Verdict
from tunewiz.core.values.known import Absent, Known, MissingFact
from tunewiz.kinds.queue import QueueValue
from tunewiz.kinds.unit import UnitDropIn
from tunewiz.knowledge.loading import load_knowledge

DEEP = IdleState(name="C6", wakes_after=133)
ONE_SERVES = Interrupts(total=90_000_000, busiest=0, share=0.97)


def on(stack: Stack, given: Given) -> Situation:
    """A server whose data is on these devices."""
    result = situation(given)
    facts = dataclasses.replace(result.facts, storage=stack.storage())
    return dataclasses.replace(result, facts=facts)


def advised(verdict: Verdict) -> Advice:
    assert isinstance(verdict, Advice), verdict
    return verdict


@pytest.mark.parametrize("workload", ["oltp", "read_mostly", "mixed"])
def test_short_transactions_notice_a_processor_that_sleeps_deeply(workload: WorkloadKind) -> None:
    given = dataclasses.replace(Given(deepest_idle=DEEP), workload=workload)
    advice = advised(host_idle_states.decide(situation(given)))
    assert "133 µs" in advice.because
    assert advice.steps[0].startswith("Measure")
    assert advice.undo == ("cpupower idle-set -E",)


def test_a_machine_without_sleeping_states_is_told_why_it_gets_none() -> None:
    result = situation(Given(deepest_idle=DEEP))
    for how in ("no driver: /sys/devices/system/cpu/cpuidle/current_driver", "no state is on"):
        cpu = dataclasses.replace(result.facts.cpu, deepest_idle=Absent(how))
        without = dataclasses.replace(result, facts=dataclasses.replace(result.facts, cpu=cpu))
        with pytest.raises(MissingFact, match="none here"):
            host_idle_states.decide(without)


def test_tuned_is_named_where_it_is_at_work() -> None:
    given = Given(deepest_idle=DEEP, tuned="throughput-performance")
    advice = advised(host_idle_states.decide(situation(given)))
    assert "include=throughput-performance" in advice.steps[1]
    assert advice.undo == ("tuned-adm profile throughput-performance",)


@pytest.mark.parametrize(("cores", "advice"), [(3, False), (4, True)])
def test_interrupts_are_spread_only_over_several_processors(cores: int, *, advice: bool) -> None:
    verdict = host_interrupts.decide(situation(Given(cores=cores, interrupts=ONE_SERVES)))
    assert isinstance(verdict, Advice) is advice


@pytest.mark.parametrize(("hypervisor", "asks"), [("none", False), ("kvm", True), ("vmware", True)])
def test_a_guest_asks_for_several_queues_first(hypervisor: str, *, asks: bool) -> None:
    given = Given(cores=8, hypervisor=hypervisor, interrupts=ONE_SERVES)
    advice = advised(host_interrupts.decide(situation(given)))
    assert any("multi-queue" in step for step in advice.steps) is asks


@pytest.mark.parametrize(
    ("hypervisor", "profile"), [("none", "throughput-performance"), ("kvm", "virtual-guest")]
)
def test_the_profile_that_tuned_has_for_such_a_machine_is_named(hypervisor: str, profile: str) -> None:
    given = Given(tuned="cpu-x powersave", hypervisor=hypervisor)
    advice = advised(host_tuned_profile.decide(situation(given)))
    assert f"tuned-adm profile {profile}" in advice.steps
    assert advice.undo == ("tuned-adm profile cpu-x powersave",)


def test_a_profile_of_ones_own_includes_none_that_saves_power() -> None:
    given = Given(deepest_idle=DEEP, tuned="own balanced desktop")
    advice = advised(host_idle_states.decide(situation(given)))
    assert "include=own,throughput-performance in [main]" in advice.steps[1]
    assert advice.undo == ("tuned-adm profile own balanced desktop",)


def test_the_limit_of_open_files_goes_into_the_servers_unit() -> None:
    given = Given(open_files=1024, unit="pg.service", settings={"max_files_per_process": "5000"})
    verdict = host_open_files.decide(situation(given))
    assert isinstance(verdict, Proposal)
    assert (verdict.value, verdict.before, verdict.ticked) == ("8192", "1024", False)
    assert host_open_files.actions(situation(given), verdict.value) == (
        UnitDropIn(unit="pg.service", lines=(("LimitNOFILE", "8192"),)),
    )


def test_rings_of_io_uring_are_open_files_too() -> None:
    given = Given(
        major="18",
        open_files=1024,
        settings={"max_connections": "500"},
    )
    result = situation(given)
    assert isinstance(host_open_files.decide(result), Declined)
    chosen = advised(host_open_files.decide(result.with_chosen("io_method", "io_uring")))
    assert "rings of io_uring" in chosen.computed
    settings = {**result.live_settings, "io_method": Setting(value="io_uring")}
    server = dataclasses.replace(result.facts.postgres[0], settings=Known(settings, "live"))
    in_force = advised(host_open_files.decide(dataclasses.replace(result, server=server)))
    assert in_force.computed == chosen.computed


@pytest.mark.parametrize("connections", ["100", "1000"])
def test_the_machine_is_asked_for_twice_what_the_server_may_open(connections: str) -> None:
    given = Given(kernel={"fs.file-max": 10_000}, settings={"max_connections": connections})
    result = situation(given)
    verdict = kernel_file_max.decide(result)
    assert isinstance(verdict, Proposal)
    value = int(verdict.value)
    assert value >= 2 * 1000 * int(connections)
    again = situation(dataclasses.replace(given, kernel={"fs.file-max": value}))
    assert isinstance(kernel_file_max.decide(again), Declined)


def nvme(*states: str, policy: str = "numa", transport: str = "tcp") -> Stack:
    stack = Stack()
    folder = stack.disk("nvme0n1", "259:0")
    for number, state in enumerate(states):
        stack.files[f"{folder}/device/nvme{number}/state"] = f"{state}\n"
        stack.files[f"{folder}/device/nvme{number}/transport"] = f"{transport}\n"
    stack.files[f"{folder}/device/iopolicy"] = f"{policy}\n"
    stack.mount("259:0", "/pg", "xfs", "/dev/nvme0n1")
    return stack


@pytest.mark.parametrize("states", [("live",), ("live", "connecting"), ("connecting", "connecting")])
def test_an_nvme_disk_over_a_network_that_hangs_by_one_path_is_told(states: tuple[str, ...]) -> None:
    advice = advised(storage_multipath.decide(on(nvme(*states), Given())))
    assert "nvme list-subsys" in advice.steps
    assert f"nvme0n1: {states.count('live')} of {len(states)}" in advice.because


def test_an_nvme_disk_that_uses_the_nearest_paths_only_is_told() -> None:
    advice = advised(storage_multipath.decide(on(nvme("live", "live"), Given())))
    assert any("round-robin" in step for step in advice.steps)
    spread = storage_multipath.decide(on(nvme("live", "live", policy="round-robin"), Given()))
    assert isinstance(spread, Declined)
    assert spread.kind == "keep"


def test_an_nvme_disk_in_the_machine_needs_no_second_path() -> None:
    verdict = storage_multipath.decide(on(nvme("live", transport="pcie"), Given()))
    assert isinstance(verdict, Declined)
    assert verdict.kind == "not_applicable"


def volume(ahead: int, chunk: int = 512, stripe: int = 0) -> Stack:
    stack = Stack()
    for number, name in enumerate(("sda", "sdb")):
        stack.disk(name, f"8:{number * 16}")
    stack.volume("dm-0", "253:0", "sda", "sdb", mapped="vg-pg")
    folder = "sys/devices/virtual/block/dm-0"
    stack.files |= {
        f"{folder}/dm/uuid": "LVM-abc\n",
        f"{folder}/queue/read_ahead_kb": f"{ahead}\n",
        f"{folder}/queue/minimum_io_size": f"{chunk}\n",
        f"{folder}/queue/optimal_io_size": f"{stripe}\n",
    }
    stack.mount("253:0", "/pg", "xfs", "/dev/mapper/vg-pg")
    return stack


def test_what_the_volume_reads_ahead_counts_not_what_its_disks_do() -> None:
    advice = advised(storage_read_ahead.decide(on(volume(0), Given())))
    assert "vg-pg 0 kB" in advice.because
    assert any(step.startswith("A logical volume: lvchange -r auto") for step in advice.steps)
    assert isinstance(storage_read_ahead.decide(on(volume(128), Given())), Declined)


def test_scans_get_more_from_a_volume_and_from_a_disk() -> None:
    scans = Given(workload="analytics", stable_name="wwn-0x5002538e40a1b2c3")
    advice = advised(storage_read_ahead.decide(on(volume(128), scans)))
    assert any("lvchange -r 8192" in step for step in advice.steps)
    (action,) = storage_read_ahead.actions(situation(scans), "4096 kB")
    assert isinstance(action, QueueValue)
    assert (action.name, action.value, action.before) == ("read_ahead_kb", "4096", "128")
    enough = dataclasses.replace(scans, read_ahead_kb=4096)
    assert isinstance(storage_read_ahead.decide(situation(enough)), Declined)


def test_a_volume_without_stripes_is_told_and_a_striped_one_is_not() -> None:
    advice = advised(storage_striping.decide(on(volume(128), Given())))
    assert "2 disks (sda, sdb)" in advice.because
    assert isinstance(storage_striping.decide(on(volume(128, 65536, 131072), Given())), Declined)


HOST_ONLY = ("host.idle_states", "host.interrupts", "storage.multipath", "storage.striping")


@pytest.mark.parametrize("name", HOST_ONLY)
def test_in_a_container_the_hosts_owner_is_asked(name: str) -> None:
    """Where the container sees the knob at all."""
    recommendation: Recommendation = next(one for one in load_knowledge().catalogue if one.id == name)
    applies = next(
        one.given
        for one in recommendation.examples
        if isinstance(recommendation.decide(situation(one.given)), Advice)
    )
    advice = advised(recommendation.decide(situation(dataclasses.replace(applies, container="docker"))))
    assert advice.steps[0].startswith("Not inside the container")


def test_a_plan_without_any_of_these_facts_names_each_as_not_known() -> None:
    made = plan_of(load_knowledge().catalogue, situation())
    for name in (*HOST_ONLY[:2], "host.open_files", "kernel.file_max", "storage.nr_requests"):
        assert finding(made, name).state == "not_applicable"


def test_an_unlimited_server_opens_what_it_wants() -> None:
    result = situation(Given(open_files=1))
    server = dataclasses.replace(result.facts.postgres[0], open_files=Absent("unlimited: /proc/7/limits"))
    verdict = host_open_files.decide(dataclasses.replace(result, server=server))
    assert isinstance(verdict, Declined)
    assert verdict.kind == "keep"


def test_a_limit_that_holds_the_wanted_files_is_left() -> None:
    result = situation(Given(open_files=1024))
    server = dataclasses.replace(result.facts.postgres[0], open_files=Known(65_536, "/proc/7/limits"))
    assert isinstance(host_open_files.decide(dataclasses.replace(result, server=server)), Declined)


def test_shared_memory_is_kept_anyway_where_no_logind_removes_it() -> None:
    result = situation()
    owners = dataclasses.replace(result.facts.owners, removes_ipc=Absent("/run/systemd/seats"))
    facts = dataclasses.replace(result.facts, owners=owners)
    verdict = host_remove_ipc.decide(dataclasses.replace(result, facts=facts))
    assert verdict.because == "no systemd-logind here: /run/systemd/seats"

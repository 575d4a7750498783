"""What follows from features, DSCR, numad, a loaded scheduler, and from a partition that may change."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from situations import situation
from tunewiz.catalogue import recommendations
from tunewiz.core.facts.partition import Partition
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, Verdict
from tunewiz.core.values.known import Absent, MissingFact, Unknown

RULES = {rule.id: rule for rule in recommendations()}
Z = Given(architecture="s390x", huge_page_size="1MB", hypervisor="lpar")
POWER = Given(architecture="ppc64le", hypervisor="powervm", processor="POWER9 (architected)")
SHARED = Partition(shared=True, capped=False, processors=8, entitled=2.0, weight=128, potential=16, pool=20)
UNREAD = Unknown("not captured")


def verdict(rule: str, start: Given | Situation) -> Verdict:
    return RULES[rule].decide(situation(start) if isinstance(start, Given) else start)


def steps(rule: str, start: Given) -> str:
    advice = verdict(rule, start)
    assert isinstance(advice, Advice), advice
    return "\n".join(advice.steps)


@given(st.integers(1, 64), st.none() | st.integers(1, 64))
def test_only_a_partition_that_may_grow_is_planned_again(processors: int, potential: int | None) -> None:
    partition = dataclasses.replace(SHARED, processors=processors, potential=potential)
    result = verdict("host.resizing", dataclasses.replace(POWER, partition=partition))
    grows = potential is not None and potential > processors
    assert isinstance(result, Advice if grows else Declined)


def test_each_machine_is_looked_at_by_its_own_commands() -> None:
    power = steps("host.resizing", dataclasses.replace(POWER, partition=SHARED))
    assert "lparstat -i" in power
    assert "ppc64_cpu --smt" in power
    z = steps("host.resizing", dataclasses.replace(Z, partition=SHARED))
    assert "lsmem" in z
    assert "ppc64_cpu" not in z


@pytest.mark.parametrize("hypervisor", ["none", "kvm", "zvm", "vmware"])
def test_other_machines_are_no_partitions(hypervisor: str) -> None:
    result = verdict("host.resizing", dataclasses.replace(Z, hypervisor=hypervisor, partition=SHARED))
    assert isinstance(result, Declined)


def test_a_partition_that_nobody_read_decides_nothing() -> None:
    with pytest.raises(MissingFact):
        verdict("host.resizing", POWER)


def test_the_pool_is_told_where_it_is_known() -> None:
    assert "Its shared pool has 20 real processors" in steps(
        "host.hypervisor", dataclasses.replace(POWER, partition=SHARED, cores=8)
    )
    without = dataclasses.replace(SHARED, pool=None)
    assert "Its shared pool" not in steps(
        "host.hypervisor", dataclasses.replace(POWER, partition=without, cores=8)
    )


def test_a_guest_of_zvm_is_told_that_stolen_time_has_two_causes() -> None:
    zvm = dataclasses.replace(Z, hypervisor="zvm", cores=4)
    assert "sum of both levels" in steps("host.hypervisor", zvm)
    lpar = dataclasses.replace(Z, partition=SHARED, cores=4)
    assert "sum of both levels" not in steps("host.hypervisor", lpar)


@pytest.mark.parametrize(
    ("major", "expected", "not_said"),
    [("17", "--compress=server-gzip:1", " -Z 1"), ("14", " -Z 1", "server-gzip")],
)
def test_backups_are_compressed_in_the_words_of_the_version(major: str, expected: str, not_said: str) -> None:
    text = steps("host.archive_compression", dataclasses.replace(Z, features=("dflt",), major=major))
    assert expected in text
    assert not_said not in text


@pytest.mark.parametrize("features", [(), ("msa",), ("zarch", "msa", "sort")])
def test_a_processor_without_the_instruction_is_left_alone(features: tuple[str, ...]) -> None:
    result = verdict("host.archive_compression", dataclasses.replace(Z, features=features))
    assert isinstance(result, Declined)
    assert result.kind == "keep"


@pytest.mark.parametrize("start", [Z, POWER])
def test_features_that_nobody_read_decide_nothing(start: Given) -> None:
    with pytest.raises(MissingFact, match="can compress"):
        verdict("host.archive_compression", start)


def test_power_is_told_of_its_own_library_and_z_is_not() -> None:
    power = steps("host.archive_compression", dataclasses.replace(POWER, features=("nx-gzip",)))
    assert "LD_PRELOAD=libnxz" in power
    assert "DFLTCC" not in power
    z = steps("host.archive_compression", dataclasses.replace(Z, features=("dflt",)))
    assert "libnxz" not in z


def test_power_without_the_unit_is_left_alone() -> None:
    start = situation(POWER)
    cpu = dataclasses.replace(start.facts.cpu, features=Absent("no /dev/crypto/nx-gzip"))
    facts = dataclasses.replace(start.facts, cpu=cpu)
    result = verdict("host.archive_compression", dataclasses.replace(start, facts=facts))
    assert isinstance(result, Declined)
    assert result.kind == "keep"


@given(st.integers(0, 2**25))
def test_only_a_dscr_that_somebody_set_is_spoken_of(value: int) -> None:
    result = verdict("host.dscr", dataclasses.replace(POWER, dscr=value))
    assert isinstance(result, Advice if value else Declined)
    if isinstance(result, Advice):
        assert result.undo == (f"ppc64_cpu --dscr={value}",)


def test_a_dscr_that_nobody_read_decides_nothing() -> None:
    with pytest.raises(MissingFact, match="DSCR"):
        verdict("host.dscr", POWER)


def test_whether_numad_runs_must_be_known_on_several_nodes_alone() -> None:
    two = situation(dataclasses.replace(POWER, sockets=2))
    owners = dataclasses.replace(two.facts.owners, numad=UNREAD)
    unread = dataclasses.replace(two, facts=dataclasses.replace(two.facts, owners=owners))
    with pytest.raises(MissingFact, match="numad"):
        verdict("host.numad", unread)
    one = situation(POWER)
    facts = dataclasses.replace(one.facts, owners=owners)
    assert isinstance(verdict("host.numad", dataclasses.replace(one, facts=facts)), Declined)


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"sched.ext": "enabled", "sched.ext_ops": "lavd"}, Advice),
        ({"sched.ext": "enabling"}, Advice),
        ({"sched.ext": "disabled"}, Declined),
        ({}, Declined),
    ],
)
def test_a_loaded_scheduler_is_spoken_of(settings: dict[str, int | str], kind: type[Verdict]) -> None:
    result = verdict("host.sched_ext", Given(kernel=settings))
    assert isinstance(result, kind)
    assert ("lavd" in result.because) == ("sched.ext_ops" in settings)


def test_the_kernels_own_knob_waits_for_the_loaded_scheduler() -> None:
    knob: dict[str, int | str] = {"kernel.sched_autogroup_enabled": 1}
    assert isinstance(verdict("kernel.sched_autogroup_enabled", Given(kernel=knob)), Proposal)
    off: dict[str, int | str] = {**knob, "sched.ext": "disabled"}
    assert isinstance(verdict("kernel.sched_autogroup_enabled", Given(kernel=off)), Proposal)
    loaded: dict[str, int | str] = {**knob, "sched.ext": "enabled"}
    assert isinstance(verdict("kernel.sched_autogroup_enabled", Given(kernel=loaded)), Declined)


def test_a_state_that_nobody_could_read_decides_nothing() -> None:
    plain = situation(Given())
    settings = {**plain.facts.kernel.settings, "sched.ext": UNREAD}
    kernel = dataclasses.replace(plain.facts.kernel, settings=settings)
    start = dataclasses.replace(plain, facts=dataclasses.replace(plain.facts, kernel=kernel))
    with pytest.raises(MissingFact, match="sched_ext"):
        verdict("host.sched_ext", start)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_of_ifls_stay_and_that_they_were_not_measured_is_said(threads: int) -> None:
    result = verdict("host.smt", dataclasses.replace(Z, threads_per_core=threads))
    assert isinstance(result, Declined)
    assert "SMT-2 on IFLs" in result.because


def test_the_window_of_pause_loops_needs_no_tuning_on_intel_alone() -> None:
    assert "ple_window" in steps("host.hypervisor", Given(hypervisor="kvm"))
    arm = Given(hypervisor="kvm", architecture="aarch64")
    assert "ple_window" not in steps("host.hypervisor", arm)

"""What the owner of the host can do for a database whose processors others use too."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.partition import Partition
from tunewiz.core.facts.storage_kind import NETWORKS
from tunewiz.core.recommendation.evidence import IBM_POWER, IBM_Z, X86, Cite, under
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.partition import (
    MUCH_STEAL,
    firmware_time_in_words,
    is_dedicated,
    is_shared,
    partition_in_words,
    power_partition_steps,
    steal_of,
    z_partition_steps,
    zvm_steps,
)
from tunewiz.core.values.known import Known, known_or, needed

SHARED = {"kvm", "xen", "vmware", "hyperv", "qemu", "zvm", "powervm"}
"""Hypervisors that can run more virtual processors than there are real ones."""

FIRMWARE = {"lpar", "powervm"}
"""Partitions, to which firmware can give processors of their own."""


def decide(situation: Situation) -> Verdict:
    """Questions for the owner of the host."""
    hypervisor = needed(situation.facts.virtualization.hypervisor, "the hypervisor")
    if (declined := _undisturbed(situation, hypervisor)) is not None:
        return declined
    return Advice(
        because=f"{_overbooked(situation)}{under(hypervisor)} a processor may be stopped while it holds "
        "a lock",
        steps=(
            f"st in vmstat 5 (stolen time) at the busiest hour: above a few percent {_others(hypervisor)}",
            *_steps(situation, hypervisor),
            *_on_slow_ways(situation),
        ),
        undo=("Nothing was changed in this machine.",),
        computed=_computed(situation),
    )


def _undisturbed(situation: Situation, hypervisor: str) -> Declined | None:
    """Why there is nothing to ask for; None if there is."""
    much = steal_of(situation) >= MUCH_STEAL
    if hypervisor in FIRMWARE and is_dedicated(situation) and not much:
        because = "its processors are dedicated: no other partition runs on them"
        return Declined(because=because, kind="not_applicable")
    if hypervisor == "lpar" and not (is_shared(situation) or much):
        because = "whether its processors are shared is not known (/proc/sysinfo), and little time was stolen"
        return Declined(because=because, kind="keep")
    if hypervisor not in SHARED | FIRMWARE:
        word = "no hypervisor" if hypervisor == "none" else f"{hypervisor}: what it shares is not known"
        return Declined(because=word, kind="not_applicable")
    if situation.cores == 1 and not much:
        return Declined(
            because="one processor cannot wait for another that was stopped", kind="not_applicable"
        )
    return None


def _others(hypervisor: str) -> str:
    return "other partitions take it" if hypervisor in FIRMWARE else "the host is overbooked"


def _steps(situation: Situation, hypervisor: str) -> Iterator[str]:
    match hypervisor:
        case "lpar":
            yield from z_partition_steps(situation)
        case "powervm":
            yield from power_partition_steps(situation)
        case "zvm":
            yield from zvm_steps(situation)
        case _:
            yield "Ask that the virtual processors on the host are no more than its cores, or are reserved."
            yield from _on_intel(situation, hypervisor)


def _overbooked(situation: Situation) -> str:
    """That much was stolen already; empty if it was little, or is not known."""
    steal = steal_of(situation)
    much = steal >= MUCH_STEAL
    return f"{steal:.0%} of the processors' time was stolen: ".replace("%", " %") if much else ""


def _computed(situation: Situation) -> str:
    """What the partition was given, and what others have taken, as far as the kernel knows."""
    partition, steal = situation.facts.virtualization.partition, situation.facts.cpu.steal
    parts = list[str]()
    if isinstance(partition, Known):
        guest = known_or(situation.facts.virtualization.hypervisor, "") not in FIRMWARE
        of = "the partition below the hypervisor: " if guest else ""
        parts.append(f"{of}{partition_in_words(partition.value)}")
    time = situation.facts.virtualization.firmware_time
    if isinstance(time, Known) and (words := firmware_time_in_words(time.value)):
        parts.append(words)
    if isinstance(steal, Known):
        stolen = f"since the start of the machine {steal.value:.1%} of the processors' time was stolen"
        parts.append(stolen.replace("%", " %"))
    return "; ".join(parts)


def _on_intel(situation: Situation, hypervisor: str) -> tuple[str, ...]:
    if hypervisor != "kvm" or known_or(situation.facts.host.architecture, "") != "x86_64":
        return ()
    return (
        "If the host is an Intel: ask that pause-loop exiting stays on (ple_gap of kvm_intel not 0).",
        "Its window (ple_window) needs no tuning: KVM widens and narrows it by itself.",
    )


def _on_slow_ways(situation: Situation) -> tuple[str, ...]:
    """What emulated disks deserve; disks of a storage server and NVMe cannot be improved on."""
    result = [disk for file_system in situation.facts.storage for disk in known_or(file_system.disks, ())]
    fast = all(known_or(disk.transport, "") in {"nvme", "nvme-volume", *NETWORKS} for disk in result)
    if fast or known_or(situation.facts.virtualization.hypervisor, "") in {*FIRMWARE, "zvm"}:
        return ()
    return ("For storage ask for NVMe passed through: it is shared better than emulated disks.",)


_Z = Partition(shared=True, capped=False, processors=8, entitled=None, weight=None)
_POWER = Partition(shared=True, capped=False, processors=8, entitled=2.5, weight=128)
_DEDICATED = Partition(shared=False, capped=False, processors=8, entitled=8.0, weight=None)

RECOMMENDATION = Recommendation(
    id="host.hypervisor",
    title="Ask the owner of the host for undisturbed processors",
    group="host",
    target=AdviceTarget(name="hypervisor"),
    explanation=Explanation(
        changes="A hypervisor, or the firmware of IBM Z and Power, shares real processors among virtual "
        "ones, and may stop one at any moment.",
        helps="If the stopped one holds a lock, all others spin in vain until it runs again. Enough real "
        "processors, and a hypervisor that notices spinning (pause-loop exiting), keep that short.",
        leave_alone="Where steal time is near zero and latency is even, nothing needs doing; nor where the "
        "processors are dedicated.",
        costs="Reserved processors and devices cost money and make moving the machine harder. What one "
        "partition or guest is guaranteed, the others are not.",
        watch="st in vmstat or sar -u, and the spread of latency of one short query over a day.",
    ),
    pros=("More even latency under load.", "Nothing changes inside this machine."),
    cons=("Only the owner of the host can do it.", "The source explains it and measured nothing."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    versions="every hypervisor",
    cites=(
        Cite(claim="kernel-talk.lock_holder_preemption"),
        Cite(claim="kvm-ple.dynamic_window", only_on=X86),
        Cite(claim="kernel-talk.nvme_in_guests"),
        Cite(claim="kernel-talk.clock_source", near=True),
        Cite(claim="ibm-zvm.entitlement", only_on=IBM_Z),
        Cite(claim="ibm-linux-z.polarization", only_on=IBM_Z),
        Cite(claim="ibm-linux-z.hiperdispatch", only_on=IBM_Z),
        Cite(claim="ibm-linux-z.cmm", only_on=IBM_Z),
        Cite(claim="ibm-hypfs.own_time", only_on=IBM_Z),
        Cite(claim="ibm-hypfs.updated", only_on=IBM_Z),
        Cite(claim="velocity-steal.both_levels", only_on=IBM_Z),
        Cite(claim="ibm-zvm-share.share", only_on=IBM_Z),
        Cite(claim="ibm-quickdsp.constrained", near=True, only_on=IBM_Z),
        Cite(claim="lparcfg.entitled_capacity", only_on=IBM_POWER),
        Cite(claim="lparcfg.capped", only_on=IBM_POWER),
        Cite(claim="lparcfg.pool", only_on=IBM_POWER),
        Cite(claim="lparstat.app", only_on=IBM_POWER),
    ),
    decide=decide,
    examples=(
        Example(name="a KVM guest", given=Given(hypervisor="kvm"), outcome=Advises()),
        Example(name="bare metal", given=Given(), outcome=Declines(kind="not_applicable")),
        Example(
            name="a logical partition of IBM Z with shared processors",
            given=Given(architecture="s390x", huge_page_size="1MB", hypervisor="lpar", partition=_Z),
            outcome=Advises(),
        ),
        Example(
            name="a logical partition of which nothing is known",
            given=Given(architecture="s390x", huge_page_size="1MB", hypervisor="lpar"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a shared-processor partition of Power",
            given=Given(architecture="ppc64le", hypervisor="powervm", partition=_POWER),
            outcome=Advises(),
        ),
        Example(
            name="dedicated processors",
            given=Given(architecture="ppc64le", hypervisor="powervm", partition=_DEDICATED),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="a guest of z/VM",
            given=Given(architecture="s390x", huge_page_size="", hypervisor="zvm"),
            outcome=Advises(),
        ),
        Example(
            name="one processor",
            given=Given(hypervisor="kvm", cores=1),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)

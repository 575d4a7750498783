"""What the owner of the host can do for a database in a virtual machine."""

from __future__ import annotations

from tunewiz.core.facts.storage_kind import NETWORKS
from tunewiz.core.planning.evidence_fit import under
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import Known, known_or, needed

SHARED = {"kvm", "xen", "vmware", "hyperv", "qemu", "zvm", "powervm"}
"""Hypervisors that can run more virtual processors than there are real ones."""

MUCH = 0.05
"""Stolen time from which on a host is called overbooked: a few percent are usual. An assumption."""


def decide(situation: Situation) -> Verdict:
    """Questions for the owner of the host."""
    hypervisor = needed(situation.facts.virtualization.hypervisor, "the hypervisor")
    if hypervisor not in SHARED:
        word = "no hypervisor" if hypervisor == "none" else f"{hypervisor}: firmware divides this machine"
        return Declined(because=word, kind="not_applicable")
    if situation.cores == 1:
        return Declined(
            because="one processor cannot wait for another that was stopped", kind="not_applicable"
        )
    return Advice(
        because=f"{_overbooked(situation)}{under(hypervisor)} a virtual processor may be stopped while it "
        "holds a lock",
        steps=(
            "st in vmstat 5 (stolen time) at the busiest hour: above a few percent the host is overbooked",
            "Ask that the virtual processors on the host are no more than its cores, or are reserved.",
            *_on_intel(situation, hypervisor),
            *_on_slow_ways(situation),
        ),
        undo=("Nothing was changed in this machine.",),
        computed=_stolen(situation),
    )


def _overbooked(situation: Situation) -> str:
    """That much was stolen already; empty if it was little, or is not known."""
    steal = known_or(situation.facts.cpu.steal, 0.0)
    return f"{steal:.0%} of the processors' time was stolen: ".replace("%", " %") if steal >= MUCH else ""


def _stolen(situation: Situation) -> str:
    """What the hypervisor has already given to others, where the kernel counts it."""
    steal = situation.facts.cpu.steal
    if not isinstance(steal, Known):
        return ""
    return f"since the start of the machine {steal.value:.1%} of the processors' time was stolen".replace(
        "%", " %"
    )


def _on_intel(situation: Situation, hypervisor: str) -> tuple[str, ...]:
    if hypervisor != "kvm" or known_or(situation.facts.host.architecture, "") != "x86_64":
        return ()
    return ("If the host is an Intel: ask that pause-loop exiting stays on (ple_gap of kvm_intel not 0).",)


def _on_slow_ways(situation: Situation) -> tuple[str, ...]:
    """What emulated disks deserve; disks of a storage server and NVMe cannot be improved on."""
    result = [disk for file_system in situation.facts.storage for disk in known_or(file_system.disks, ())]
    if all(known_or(disk.transport, "") in {"nvme", "nvme-volume", *NETWORKS} for disk in result):
        return ()
    return ("For storage ask for NVMe passed through: it is shared better than emulated disks.",)


RECOMMENDATION = Recommendation(
    id="host.hypervisor",
    title="Ask the owner of the host for undisturbed processors",
    group="host",
    target=AdviceTarget(name="hypervisor"),
    explanation=Explanation(
        changes="A hypervisor shares real processors among virtual ones, and may stop one at any moment.",
        helps="If the stopped one holds a lock, all others spin in vain until it runs again. Enough real "
        "processors, and a hypervisor that notices spinning (pause-loop exiting), keep that short.",
        leave_alone="Where steal time is near zero and latency is even, nothing needs doing.",
        costs="Reserved processors and devices cost money and make moving the machine harder.",
        watch="st in vmstat or sar -u, and the spread of latency of one short query over a day.",
    ),
    pros=("More even latency under load.", "Nothing changes inside this machine."),
    cons=("Only the owner of the host can do it.", "The source explains it and measured nothing."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    versions="every hypervisor",
    cites=(
        Cite(claim="kernel-talk.lock_holder_preemption"),
        Cite(claim="kernel-talk.nvme_in_guests"),
        Cite(claim="kernel-talk.clock_source", near=True),
    ),
    decide=decide,
    examples=(
        Example(name="a KVM guest", given=Given(hypervisor="kvm"), outcome=Advises()),
        Example(name="bare metal", given=Given(), outcome=Declines(kind="not_applicable")),
        Example(
            name="a logical partition",
            given=Given(architecture="s390x", huge_page_size="1MB", hypervisor="lpar"),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="one processor",
            given=Given(hypervisor="kvm", cores=1),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)

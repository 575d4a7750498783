"""Which processors serve interrupts of disks and network cards: a single one may become the bottleneck."""

from __future__ import annotations

from tunewiz.core.facts.machine import Interrupts
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import Known, known_or, needed

FLOATING = "s390x"
"""Adapters of this architecture interrupt whichever processor is free."""
SEVERAL = 4
"""With fewer processors there is little to spread."""
MOST = 0.8
"""A share of all interrupts too large to be chance, even with few devices. An assumption."""
ENOUGH = 1_000_000
"""Interrupts since boot below which the share means little. An assumption."""


def decide(situation: Situation) -> Verdict:
    """Advice where one of several processors serves nearly all interrupts, and nothing spreads them."""
    if known_or(situation.facts.host.architecture, "") == FLOATING:
        because = f"on {FLOATING} any free processor serves interrupts"
        return Declined(because=because, kind="not_applicable")
    served = needed(situation.facts.cpu.interrupts, "which processor serves device interrupts")
    online = needed(situation.facts.cpu.online, "the number of processors")
    text = f"processor {served.busiest} served {served.share:.0%} of {served.total:,} interrupts since boot"
    if online < SEVERAL:
        return Declined(because=f"{online} processors: there is little to spread", kind="keep")
    if served.total < ENOUGH or served.share < MOST:
        return Declined(because=text, kind="keep")
    balancer = situation.facts.owners.irqbalance
    if isinstance(balancer, Known):
        because = (
            f"{text}; irqbalance is there ({balancer.value}) and spreads them: one busy device "
            "with a single queue"
        )
        return Declined(because=because, kind="keep")
    return Advice(
        because=f"{text}: it has less time for queries, and may become the bottleneck",
        steps=situation.on_the_host(*_steps(situation)),
        undo=("systemctl disable --now irqbalance",),
        computed=f"{served.share:.0%} on one of {online} processors; up to {MOST:.0%} is accepted",
    )


def _steps(situation: Situation) -> tuple[str, ...]:
    look = (
        "cat /proc/interrupts shows which devices these are. It counts since boot, so compare "
        "twice under load."
    )
    if known_or(situation.facts.virtualization.hypervisor, "none") != "none":
        return (
            look,
            "A virtual disk or network card with one queue interrupts one processor:",
            "ask the owner of the hypervisor for several queues (multi-queue).",
            "With several queues already: install irqbalance, systemctl enable --now irqbalance",
        )
    return (look, "Install irqbalance, then: systemctl enable --now irqbalance")


RECOMMENDATION = Recommendation(
    id="host.interrupts",
    title="Spread device interrupts over the processors",
    group="host",
    target=AdviceTarget(name="interrupts"),
    explanation=Explanation(
        changes="Disks and network cards interrupt a processor when a request is done. Which one is "
        "set for each interrupt; the service irqbalance spreads them by load.",
        helps="Where one processor serves everything, network and disk get no faster than it does, and "
        "sessions that run there are slower than others.",
        leave_alone="Where irqbalance runs, or somebody bound interrupts on purpose (a profile such as "
        "cpu-partitioning). NVMe disks spread their own. On s390x.",
        costs="A small service. It moves interrupts, which costs little, and not those that the kernel "
        "manages.",
        watch="/proc/interrupts twice under load, and %soft and %irq of each processor in mpstat -P ALL.",
    ),
    pros=("No single processor limits disk and network.",),
    cons=(
        "A device with one queue stays on one processor.",
        "The thresholds are assumptions. No source of this project measured it.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux, except on s390x",
    cites=(Cite(claim="kernel-manual.irq_affinity"),),
    decide=decide,
    examples=(
        Example(
            name="one of 16 processors serves all",
            given=Given(cores=16, interrupts=Interrupts(total=90_000_000, busiest=0, share=0.97)),
            outcome=Advises(),
        ),
        Example(
            name="a virtual machine's one queue",
            given=Given(
                cores=8, hypervisor="kvm", interrupts=Interrupts(total=90_000_000, busiest=1, share=0.9)
            ),
            outcome=Advises(),
        ),
        Example(
            name="they are spread",
            given=Given(cores=16, interrupts=Interrupts(total=90_000_000, busiest=3, share=0.2)),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="irqbalance runs",
            given=Given(
                cores=16, irqbalance="running", interrupts=Interrupts(total=90_000_000, busiest=0, share=0.97)
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a machine that has just begun",
            given=Given(cores=16, interrupts=Interrupts(total=9_000, busiest=0, share=0.97)),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="s390x",
            given=Given(architecture="s390x", interrupts=Interrupts(total=90_000_000, busiest=0, share=0.97)),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

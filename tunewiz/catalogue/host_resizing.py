"""A partition whose processors and memory may change while it runs: what follows for its plan."""

from __future__ import annotations

from tunewiz.core.facts.partition import Partition
from tunewiz.core.recommendation.evidence import IBM_POWER, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import known_or, needed

PARTITIONS = {"lpar", "powervm"}
LOOK = {
    "powervm": "lparstat -i: online, minimum and maximum virtual processors and memory",
    "lpar": "chcpu -r, lscpu -e and lsmem: processors and memory that are there, and what stands by",
}

BEFORE_LESS = (
    "Before memory goes: plan with what will be left, lower shared_buffers, restart the server, and only "
    "then give the huge pages and the memory back."
)


def decide(situation: Situation) -> Verdict:
    """Advice where processors can be added or taken away."""
    hypervisor = needed(situation.facts.virtualization.hypervisor, "the hypervisor")
    if hypervisor not in PARTITIONS:
        return Declined(because="no partition of IBM Z or Power", kind="not_applicable")
    partition = needed(situation.facts.virtualization.partition, "what the partition was given")
    if partition.potential is None:
        return Declined(because="how many processors it may be given is not stated", kind="keep")
    if partition.potential <= partition.processors:
        because = f"it has all {partition.processors} processors that it may be given"
        return Declined(because=because, kind="keep")
    could = f"{partition.processors} of up to {partition.potential} processors"
    return Advice(
        because=f"it has {could}: this plan holds for what is there today",
        steps=(
            f"{LOOK[hypervisor]}. Compare with this plan's machine before you apply it.",
            "After processors came or went: plan again. Workers and parallel queries follow the cores.",
            "After memory came: plan again; shared_buffers and huge pages grow at a restart of the server.",
            BEFORE_LESS,
            *_threads(situation),
        ),
        undo=("Nothing was changed in this machine.",),
        computed=could,
    )


def _threads(situation: Situation) -> tuple[str, ...]:
    if known_or(situation.facts.host.architecture, "") not in IBM_POWER:
        return ()
    return ("Processors that are added take the machine's number of threads: ppc64_cpu --smt shows it.",)


_POWER = Partition(shared=True, capped=False, processors=4, entitled=1.5, weight=128, potential=16, pool=20)
_FULL = Partition(shared=True, capped=False, processors=4, entitled=1.5, weight=128, potential=4, pool=20)
_Z = Partition(shared=True, capped=False, processors=8, entitled=None, weight=None, potential=12)

RECOMMENDATION = Recommendation(
    id="host.resizing",
    title="Plan again when the partition changes",
    group="host",
    target=AdviceTarget(name="processors and memory of the partition"),
    explanation=Explanation(
        changes="Processors and memory of a partition can be added and removed while it runs (DLPAR on "
        "Power, standby processors on Z). PostgreSQL notices neither: its settings stay as they were.",
        helps="A plan made again uses what was added, and shrinks in time before something is removed. Too "
        "large a shared_buffers in less memory makes the kernel swap or kill.",
        leave_alone="Where the partition's size is fixed, or comes back after each change.",
        costs="A plan for each change, and for memory a restart of the server.",
        watch="The number of processors in lscpu, MemTotal in /proc/meminfo: a change without a new plan.",
    ),
    pros=("The server uses what it was given.", "No surprise when memory is taken away."),
    cons=("Who changes the partition must remember the database.",),
    risk=RiskLevel.LOW,
    basis="reasoned",
    versions="partitions of IBM Z and Power",
    cites=(Cite(claim="lparcfg.potential_processors", only_on=IBM_POWER),),
    decide=decide,
    examples=(
        Example(
            name="a partition of Power with 4 of 16 processors",
            given=Given(architecture="ppc64le", hypervisor="powervm", partition=_POWER),
            outcome=Advises(),
        ),
        Example(
            name="a logical partition of Z with standby processors",
            given=Given(architecture="s390x", huge_page_size="1MB", hypervisor="lpar", partition=_Z),
            outcome=Advises(),
        ),
        Example(
            name="a partition that has all it may get",
            given=Given(architecture="ppc64le", hypervisor="powervm", partition=_FULL),
            outcome=Declines(kind="keep"),
        ),
        Example(name="another machine", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

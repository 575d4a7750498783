"""A database in a container shares more with its neighbours than its limits suggest."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import Known, known_or

ROOT_PAYS = 1
"""The version of control groups in which writeback is charged to the root group."""


def decide(situation: Situation) -> Verdict:
    """What to ask of the platform."""
    if not situation.in_container:
        return Declined(because="the server does not run in a container", kind="not_applicable")
    limits, first = situation.facts.limits, known_or(situation.facts.limits.cgroup_version, 0) == ROOT_PAYS
    limit = limits.memory
    text = (
        f"a limit of {limit.value.short()}"
        if isinstance(limit, Known)
        else "no memory limit that can be seen"
    )
    old = ("Ask for version 2 control groups: with version 1 no limit applies to written-back data.",)
    return Advice(
        because=f"the container has {text}; disks, kernel memory and locks are shared with its neighbours",
        steps=(
            *(old if first else ()),
            "Memory: request equal to limit, so that the platform does not kill the server for a neighbour.",
            "Disks: give the WAL a bandwidth that fsync never has to wait for, or no limit at all.",
            "Neighbours: keep programs that fill memory or create many files off this host.",
            "Ask the host's owner for huge pages early after boot: later its memory is fragmented.",
        ),
        undo=("Set the container's limits as they were.",),
    )


RECOMMENDATION = Recommendation(
    id="host.containers",
    title="Ask the platform for what a container does not isolate",
    group="host",
    target=AdviceTarget(name="container"),
    explanation=Explanation(
        changes="A container limits memory, processors and disks of the server. Page cache, memory layout, "
        "futexes and inode locks remain the host's.",
        helps="Throttled disks make every commit wait, for fsync of the WAL passes the throttle. A "
        "neighbour that fragments memory makes the kernel compact it, whoever asks.",
        leave_alone="On a host of its own a container needs only its memory limit.",
        costs="Guaranteed memory and bandwidth cannot be shared with others.",
        watch="memory.events and io.pressure of the control group; compact_stall in the host's "
        "/proc/vmstat; wait events of type IO in pg_stat_activity.",
    ),
    pros=("Commits that do not wait for a throttle.", "No kill because of a neighbour's spike."),
    cons=("The platform's owner must agree.", "The source shows mechanisms and one plot, but no gain."),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="control groups 1 and 2",
    cites=(
        Cite(claim="kernel-talk.blkio_throttling"),
        Cite(claim="deepin-throttle.low_removed"),
        Cite(claim="kernel-talk.memory_fragmentation"),
        Cite(claim="kernel-talk.shared_kernel_locks"),
    ),
    decide=decide,
    examples=(
        Example(name="a container", given=Given(container="docker", memory_limit="8GB"), outcome=Advises()),
        Example(name="no container", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

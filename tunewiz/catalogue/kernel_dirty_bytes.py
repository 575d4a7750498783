"""When the kernel makes writers wait until held-back data is on disk."""

from __future__ import annotations

from tunewiz.core.kernel.dirty_pages import ENOUGH, LIMIT, NOT_GOVERNED, computed, governed, held, sensible
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict


def decide(situation: Situation) -> Verdict:
    """512 MB, unless the limit is small already or little is written."""
    if not situation.workload.writes:
        return Declined(because="this workload writes too little to flood a disk")
    if not governed(situation):
        return Declined(because=NOT_GOVERNED, kind="not_applicable")
    if situation.workload.kind == "analytics":
        return Declined(because="bulk loads write in long streams, which this limit would slow down")
    limits = held(situation, "vm.dirty")
    if limits.size <= LIMIT * ENOUGH:
        return Declined(because=f"it is {limits.in_words}: small enough", kind="keep")
    return Proposal(
        value=str(sensible(situation, LIMIT).count),
        because=f"up to {limits.size.short()} may wait in memory before a writer is slowed down",
        computed=computed(situation, LIMIT, limits),
    )


RECOMMENDATION = Recommendation(
    id="kernel.dirty_bytes",
    title="Limit dirty pages in memory",
    group="kernel",
    target=SysctlTarget(name="vm.dirty_bytes", twin="vm.dirty_ratio", unit="bytes", minimum=8192),
    explanation=Explanation(
        changes="Beyond this amount of dirty pages (written data that waits in memory) a process that "
        "writes must first wait for the disk; by default that is a fifth of memory.",
        helps="It bounds what an fsync has to wait for, and so the longest pause. With the background limit "
        "far below it, writers rarely reach it.",
        leave_alone="Where little is written, where large files are written on purpose (dumps, backups to "
        "this machine), or where your own measurement shows worse pauses.",
        costs="Programs that write a lot at once are slowed down sooner. The ratio of the same name is set "
        "to 0 by the kernel; a rollback restores it.",
        watch="Dirty in /proc/meminfo, write latency in iostat -x, and the time of a dump or restore, "
        "before and after.",
    ),
    pros=(
        "The longest pause at a checkpoint is bounded.",
        "Restoring a 256 GB snapshot took 13 instead of 20 minutes where it was measured.",
    ),
    cons=(
        "Bulk writers wait for the disk sooner.",
        "On a small virtual machine few short runs could not tell whether it helps.",
    ),
    risk=RiskLevel.LOW,
    basis="measured",
    versions="Linux 2.6.29 and newer",
    cites=(
        Cite(claim="z-deck.dirty_limits"),
        Cite(claim="kernel-talk.dirty_page_limits"),
        Cite(claim="own-small-vm.dirty_limits_and_huge_pages"),
        Cite(claim="kernel-manual.dirty_bytes"),
    ),
    decide=decide,
    after=("kernel.dirty_background_bytes",),
    together=("kernel.dirty_background_bytes",),
    examples=(
        Example(name="20 % of 64 GB becomes 512 MB", given=Given(), outcome=Sets(value="536870912")),
        Example(
            name="40 % of 4 GB becomes a tenth of it",
            given=Given(memory="4GB", available="3GB", kernel={"vm.dirty_ratio": 40}),
            outcome=Sets(value="429494272"),
        ),
        Example(
            name="a limit of 1 GB stays",
            given=Given(kernel={"vm.dirty_bytes": 1073741824, "vm.dirty_ratio": 0}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="the default is small on 4 GB",
            given=Given(memory="4GB", available="3GB"),
            outcome=Declines(kind="keep"),
        ),
        Example(name="ZFS", given=Given(filesystem="zfs"), outcome=Declines(kind="not_applicable")),
        Example(name="bulk loads", given=Given(workload="analytics", posture="bold"), outcome=Declines()),
        Example(name="mostly reads", given=Given(workload="read_mostly"), outcome=Declines()),
    ),
)

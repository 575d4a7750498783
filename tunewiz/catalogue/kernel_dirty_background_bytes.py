"""When the kernel begins to write held-back data to disk: early, so that writing is a stream, not a flood."""

from __future__ import annotations

from tunewiz.core.kernel.dirty_pages import (
    BACKGROUND,
    ENOUGH,
    NOT_GOVERNED,
    computed,
    governed,
    held,
    sensible,
)
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
    """64 MB, unless the limit is small already or little is written."""
    if not situation.workload.writes:
        return Declined(because="this workload writes too little to flood a disk")
    if not governed(situation):
        return Declined(because=NOT_GOVERNED, kind="not_applicable")
    limits = held(situation, "vm.dirty_background")
    if limits.size <= BACKGROUND * ENOUGH:
        return Declined(because=f"it is {limits.in_words}: small enough", kind="keep")
    return Proposal(
        value=str(sensible(situation, BACKGROUND).count),
        because=f"the kernel holds back {limits.size.short()} before it begins to write",
        computed=computed(situation, BACKGROUND, limits),
    )


RECOMMENDATION = Recommendation(
    id="kernel.dirty_background_bytes",
    title="Start background writeback earlier",
    group="kernel",
    target=SysctlTarget(
        name="vm.dirty_background_bytes",
        twin="vm.dirty_background_ratio",
        unit="bytes",
        minimum=8192,
    ),
    explanation=Explanation(
        changes="Written data waits in memory as dirty pages. Beyond this limit the kernel begins to write "
        "them to disk in the background; by default that is a tenth of memory.",
        helps="Gigabytes that wait until a checkpoint's fsync all go to the disk at once, and everyone "
        "queues behind them. Beginning early keeps bursts small and response times even.",
        leave_alone="Where little is written, or where your own measurement shows worse pauses with it.",
        costs="Pages that are soon written again reach the disk more often. The ratio of the same name is "
        "set to 0 by the kernel; a rollback restores it.",
        watch="Dirty and Writeback in /proc/meminfo, write latency in iostat -x, and the slowest queries, "
        "before and after, under the same load.",
    ),
    pros=(
        "Even response times: no bursts of writing.",
        "Bulk loads and restores were faster where it was measured.",
    ),
    cons=(
        "More writing in total where the same pages change again and again.",
        "On a small virtual machine few short runs could not tell whether it helps.",
    ),
    risk=RiskLevel.LOW,
    basis="measured",
    versions="Linux 2.6.29 and newer",
    cites=(
        Cite(claim="z-deck.dirty_limits"),
        Cite(claim="kernel-talk.dirty_page_limits"),
        Cite(claim="own-small-vm.dirty_limits_and_huge_pages"),
        Cite(claim="kernel-manual.dirty_background_bytes"),
    ),
    decide=decide,
    examples=(
        Example(name="10 % of 64 GB becomes 64 MB", given=Given(), outcome=Sets(value="67108864")),
        Example(
            name="in proportion on 4 GB",
            given=Given(memory="4GB", available="3GB"),
            outcome=Sets(value="53686272"),
        ),
        Example(
            name="128 MB did no worse",
            given=Given(kernel={"vm.dirty_background_bytes": 134217728, "vm.dirty_background_ratio": 0}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="the default is small on 1 GB",
            given=Given(memory="1GB", available="800MB"),
            outcome=Declines(kind="keep"),
        ),
        Example(name="ZFS", given=Given(filesystem="zfs"), outcome=Declines(kind="not_applicable")),
        Example(name="mostly reads", given=Given(workload="read_mostly"), outcome=Declines()),
    ),
)

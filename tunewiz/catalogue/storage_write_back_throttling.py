"""wbt_lat_usec: whether the kernel delays writes when reads have to wait."""

from __future__ import annotations

from tunewiz.core.facts.machine import Disk
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.values.known import Known, MissingFact, known_or, needed

FLASH = 2_000
"""Microseconds: the kernel's default for a disk that does not rotate (wbt_default_latency_nsec)."""
ROTATING = 75_000
"""The same for one that reports that it rotates."""
ON_FLASH = frozenset({"ssd", "nvme"})
OWN_WAY = "bfq"
"""A scheduler that favours reads by itself, and switches the throttling off."""


def decide(situation: Situation) -> Verdict:
    """Advice where flash is throttled as if it rotated, or not at all."""
    disks = needed(situation.storage_for("data").disks, "which disks the data is on")
    known = [disk for disk in disks if isinstance(disk.wbt_lat_usec, Known)]
    if not known:
        raise MissingFact("wbt_lat_usec", "none could be read under the data")
    text = ", ".join(f"{disk.name} {_microseconds(disk):,} µs" for disk in known)
    if known_or(situation.storage_told, "hdd") not in ON_FLASH:
        because = f"{text}: a change is worth trying only on disks known to be flash"
        return Declined(because=because, kind="keep")
    slow = [disk for disk in known if _microseconds(disk) >= ROTATING]
    off = [disk for disk in known if _microseconds(disk) == 0 and known_or(disk.scheduler, "") != OWN_WAY]
    if slow:
        return _advice(
            situation,
            slow,
            f"the kernel takes flash for a rotating disk and lets reads wait for {ROTATING // 1000} ms",
        )
    if off:
        return _advice(situation, off, "a checkpoint's writes may fill the disk's queue while reads wait")
    return Declined(because=f"writes are delayed when reads take longer: {text}", kind="keep")


def _microseconds(disk: Disk) -> int:
    return known_or(disk.wbt_lat_usec, FLASH)


def _advice(situation: Situation, disks: list[Disk], because: str) -> Advice:
    paths = [f"/sys/block/{disk.name}/queue/wbt_lat_usec" for disk in disks]
    text = ", ".join(f"{disk.name} {_microseconds(disk):,} µs" for disk in disks)
    return Advice(
        because=f"{because} ({text})",
        steps=situation.on_the_host(
            *(f"echo {FLASH} > {path}" for path in paths),
            "Watch reads during a checkpoint (r_await in iostat -x), and how long checkpoints take.",
            f'Permanently: udev rules with ATTR{{queue/wbt_lat_usec}}="{FLASH}", after the scheduler\'s.',
        ),
        undo=tuple(f"echo {_microseconds(disk)} > {path}" for disk, path in zip(disks, paths, strict=True)),
        computed=f"{text}; the kernel's default for flash is {FLASH:,} µs",
    )


RECOMMENDATION = Recommendation(
    id="storage.write_back_throttling",
    title="Delay writes when reads have to wait",
    group="storage",
    target=AdviceTarget(name="write-back throttling"),
    explanation=Explanation(
        changes="When reads take longer than a limit, the kernel lets fewer of its own delayed writes "
        "through to the disk (write-back throttling).",
        helps="A checkpoint's writes do not fill the disk's queue in front of the reads that sessions "
        "wait for. A virtual disk on flash often reports that it rotates, and then has a limit of 75 ms.",
        leave_alone="With rotating disks, storage networks and controllers with a cache: throttling "
        "slows them down "
        "needlessly. With bfq.",
        costs="Checkpoints may take longer. With a limit that the disk never meets, writes are slow all the "
        "time.",
        watch="r_await in iostat -x during a checkpoint; write and sync times in the log (log_checkpoints).",
    ),
    pros=("Reads stay short during checkpoints.", "Takes effect at once, and is undone as easily."),
    cons=("Writes get less of the disk.", "No source of this project measured it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux 4.10 and newer, where it is built in",
    cites=(Cite(claim="kernel-manual.wbt_lat_usec"),),
    decide=decide,
    witnesses=(PROBED,),
    examples=(
        Example(
            name="flash that reports that it rotates", given=Given(wbt_lat_usec=75_000), outcome=Advises()
        ),
        Example(name="switched off", given=Given(wbt_lat_usec=0), outcome=Advises()),
        Example(
            name="switched off by bfq",
            given=Given(wbt_lat_usec=0, scheduler="bfq"),
            outcome=Declines(kind="keep"),
        ),
        Example(name="the default", given=Given(wbt_lat_usec=2_000), outcome=Declines(kind="keep")),
        Example(
            name="a rotating disk",
            given=Given(disk="hdd", wbt_lat_usec=75_000),
            outcome=Declines(kind="keep"),
        ),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

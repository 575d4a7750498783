"""Whether the kernel reads ahead when a file is read in order: PostgreSQL relies on it."""

from __future__ import annotations

from tunewiz.core.facts.machine import Disk
from tunewiz.core.facts.storage_kind import udev_can_keep
from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import known_or, needed
from tunewiz.kinds.queue import QueueValue

USUAL_KB = 128
"""The kernel's default for every disk."""
SECTORS_PER_KB = 2


def decide(now: Situation) -> Verdict:
    """Advice where it is off or below the kernel's own default."""
    storage = now.storage_for("data")
    disks = needed(storage.disks, "which disks the data is on")
    low = _low(now)
    if not low:
        least = min(map(_ahead, disks), default=USUAL_KB)
        return Declined(because=f"read ahead is on: {least} kB and more", kind="keep")
    device = known_or(storage.device, "the data's device")
    told = ", ".join(f"{disk.name} {_ahead(disk)} kB" for disk in low)
    if _lies_on(device, low) and udev_can_keep(now.facts, low):
        return Proposal(
            value=f"{USUAL_KB} kB",
            because=f"read ahead is off or low ({told}), and PostgreSQL leaves reading ahead to the kernel",
            computed=f"{told}; the kernel's default is {USUAL_KB} kB",
            before=told,
            ticked=False,
        )
    return _advice(now, device, told)


def _advice(now: Situation, device: str, told: str) -> Advice:
    sectors = USUAL_KB * SECTORS_PER_KB
    return Advice(
        because=f"read ahead is off or low ({told}), and PostgreSQL leaves reading ahead to the kernel",
        steps=now.on_the_host(
            "lsblk -o NAME,RA,MOUNTPOINT: what counts is the device that the file system is on",
            f"A logical volume: lvchange -r auto {device} (LVM keeps it)",
            f"Any other device: blockdev --setra {sectors} {device}",
            "Without LVM keep it by a udev rule: ATTR{queue/read_ahead_kb}",
        ),
        undo=(f"The same commands with what lsblk said before: {told}.",),
        computed=f"{told}; the kernel's default is {USUAL_KB} kB",
    )


def _ahead(disk: Disk) -> int:
    return needed(disk.read_ahead_kb, f"the read ahead of {disk.name}")


def _low(now: Situation) -> tuple[Disk, ...]:
    disks = needed(now.storage_for("data").disks, "which disks the data is on")
    return tuple(disk for disk in disks if _ahead(disk) < USUAL_KB)


def _lies_on(device: str, disks: tuple[Disk, ...]) -> bool:
    """Whether the file system lies on the disks themselves: a logical volume has a value of its own."""
    return all(device.startswith(f"/dev/{disk.name}") for disk in disks)


def actions(now: Situation, _: str) -> tuple[Action, ...]:
    """One for each disk that reads too little ahead."""
    return tuple(
        QueueValue(
            device=disk.name,
            stable=known_or(disk.stable, ""),
            name="read_ahead_kb",
            value=str(USUAL_KB),
            before=str(_ahead(disk)),
        )
        for disk in _low(now)
    )


RECOMMENDATION = Recommendation(
    id="storage.read_ahead",
    title="Let the kernel read ahead of the data files",
    group="storage",
    target=HostTarget(name="read ahead", below_sys=True),
    explanation=Explanation(
        changes="When a file is read in order, the kernel fetches the next part before anyone asks for it.",
        helps="PostgreSQL reads through the page cache, and sequential scans leave reading ahead to the "
        "kernel (up to version 17). Turning it on gave almost 6 % on a z13. Other databases decide "
        "themselves and want it off.",
        leave_alone="If a storage server reads ahead on its own and all reads are random.",
        costs="A very large value reads data for nothing and evicts useful pages from the cache.",
        watch="rareq-sz and r/s in iostat -x: reads become fewer and larger in scans, while random reads "
        "should not slow down.",
    ),
    pros=("Sequential scans and vacuums wait less.", "Takes effect at once."),
    cons=(
        "Random reads may fetch more than they need.",
        "A device setting is lost at boot unless it is kept.",
    ),
    risk=RiskLevel.LOW,
    basis="measured",
    versions="every Linux",
    cites=(Cite(claim="z-deck.read_ahead"),),
    disputes=(
        Dispute(
            one="z13: read ahead on for the logical volume of the data files, almost +6 %.",
            other="The usual advice for databases is off. DB2, say, reads past the page cache and decides "
            "itself what to fetch next.",
            follows="On, at the kernel's default at least: PostgreSQL reads through the page cache, and up "
            "to 17 leaves reading ahead in sequential scans to the kernel alone.",
            claims=("z-deck.read_ahead",),
        ),
    ),
    decide=decide,
    actions=actions,
    examples=(
        Example(
            name="turned off on a disk that udev knows by name",
            given=Given(read_ahead_kb=0, stable_name="wwn-0x5002538e40a1b2c3"),
            outcome=Sets(value="128 kB"),
        ),
        Example(name="turned off", given=Given(read_ahead_kb=0), outcome=Advises()),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(name="more than the default", given=Given(read_ahead_kb=4096), outcome=Declines(kind="keep")),
    ),
)

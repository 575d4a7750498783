"""Whether the kernel reads on when a file is read in order: PostgreSQL counts on it."""

from __future__ import annotations

from tunewiz.core.evidence import Cite
from tunewiz.core.examples import Given
from tunewiz.core.known import known_or, needed
from tunewiz.core.model import (
    Advice,
    AdviceTarget,
    Advises,
    Declined,
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
    RiskLevel,
    Verdict,
)
from tunewiz.core.situation import Situation

USUAL_KB = 128
"""The kernel's default for every disk."""
SECTORS_PER_KB = 2


def decide(now: Situation) -> Verdict:
    """Advice where it is off or below the kernel's own default."""
    storage = now.storage_for("data")
    disks = needed(storage.disks, "the data's disks")
    ahead = {disk.name: needed(disk.read_ahead_kb, f"the read ahead of {disk.name}") for disk in disks}
    low = {name: size for name, size in ahead.items() if size < USUAL_KB}
    if not low:
        least = min(ahead.values(), default=USUAL_KB)
        return Declined(because=f"read ahead is on: {least} kB and more", kind="keep")
    device = known_or(storage.device, "the data's device")
    sectors = USUAL_KB * SECTORS_PER_KB
    told = ", ".join(f"{name} {size} kB" for name, size in low.items())
    return Advice(
        because=f"read ahead is off or low ({told}), and PostgreSQL leaves reading ahead to the kernel",
        steps=now.on_the_host(
            "lsblk -o NAME,RA,MOUNTPOINT: what counts is the device that the file system lies on",
            f"A logical volume: lvchange -r auto {device} (LVM keeps it)",
            f"Any other device: blockdev --setra {sectors} {device}",
            "Without LVM keep it by a udev rule: ATTR{queue/read_ahead_kb}",
        ),
        undo=(f"The same commands with what lsblk said before: {told}.",),
        computed=f"{told}; the kernel's default is {USUAL_KB} kB",
    )


RECOMMENDATION = Recommendation(
    id="storage.read_ahead",
    title="Let the kernel read ahead of the data files",
    group="storage",
    target=AdviceTarget(name="read ahead"),
    explanation=Explanation(
        changes="When a file is read in order, the kernel fetches the next part before anyone asks for it.",
        helps="PostgreSQL reads through the page cache, and sequential scans leave reading ahead to the "
        "kernel (up to version 17). Turning it on gave almost 6 % on a z13. Other databases decide "
        "themselves and want it off.",
        leave_alone="Where a storage server reads ahead on its own and random reads are all there is.",
        costs="A very large value reads data in vain and pushes useful pages out of the cache.",
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
    cites=(Cite(claim="4"),),
    disputes=(
        Dispute(
            one="z13: read ahead on for the logical volume of the data files, almost +6 %.",
            other="The usual advice for databases is off. DB2, say, reads past the page cache and decides "
            "itself what to fetch next.",
            follows="On, at the kernel's default at least: PostgreSQL reads through the page cache, and up "
            "to 17 leaves reading ahead in sequential scans to the kernel alone.",
            claims=("4",),
        ),
    ),
    decide=decide,
    examples=(
        Example(name="turned off", given=Given(read_ahead_kb=0), outcome=Advises()),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(name="more than the default", given=Given(read_ahead_kb=4096), outcome=Declines(kind="keep")),
    ),
)

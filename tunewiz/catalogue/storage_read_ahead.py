"""Whether the kernel reads ahead when a file is read in order: PostgreSQL relies on it."""

from __future__ import annotations

from dataclasses import dataclass

from tunewiz.core.facts.machine import Disk, Layer
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
from tunewiz.core.values.versions import V18
from tunewiz.kinds.queue import QueueValue

USUAL_KB = 128
"""The kernel's default for every disk."""
SCANS_KB = 4096
"""For full-table scans: what tuned's throughput-performance profile sets (readahead)."""
SECTORS_PER_KB = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A device that holds a file system, with its read-ahead."""

    name: str
    ahead: int
    """Kilobytes."""


def decide(now: Situation) -> Verdict:
    """The kernel's default where it is off or lower; more for full-table scans."""
    reading = _reading(now)
    low = _low(now)
    if not low:
        least = min((each.ahead for each in reading), default=USUAL_KB)
        return Declined(because=_enough(now, least), kind="keep")
    device = known_or(now.storage_for("data").device, "the data's device")
    told = ", ".join(f"{each.name} {each.ahead} kB" for each in low)
    disks = _disks_of(now, low)
    if disks and udev_can_keep(now.facts, disks):
        return Proposal(
            value=f"{_wanted(now)} kB",
            because=_why(now, told),
            computed=_computed(now, told),
            before=told,
            ticked=False,
        )
    return _advice(now, device, told)


def _scans(now: Situation) -> bool:
    """Whether the workload scans whole tables on a server that leaves read-ahead to the kernel."""
    return now.workload.kind == "analytics" and now.major < V18


def _wanted(now: Situation) -> int:
    return SCANS_KB if _scans(now) else USUAL_KB


def _enough(now: Situation, least: int) -> str:
    if now.workload.kind == "analytics" and now.major >= V18:
        return f"read-ahead is on: {least} kB or more; PostgreSQL 18 and newer also prefetch themselves"
    return f"read-ahead is on: {least} kB or more"


def _why(now: Situation, told: str) -> str:
    if _scans(now) and all(each.ahead >= USUAL_KB for each in _low(now)):
        return f"full-table scans wait less often with more read-ahead ({told})"
    return f"read-ahead is off or low ({told}), and PostgreSQL leaves it to the kernel"


def _computed(now: Situation, told: str) -> str:
    if _scans(now):
        return f"{told}; {SCANS_KB} kB for scans, as tuned's throughput-performance has it"
    return f"{told}; the kernel's default is {USUAL_KB} kB"


def _advice(now: Situation, device: str, told: str) -> Advice:
    sectors = _wanted(now) * SECTORS_PER_KB
    of_volume = sectors if _scans(now) else "auto"
    return Advice(
        because=_why(now, told),
        steps=now.on_the_host(
            "lsblk -o NAME,RA,MOUNTPOINT: what counts is the device that the file system is on",
            f"A logical volume: lvchange -r {of_volume} {device} (LVM keeps it)",
            f"Any other device: blockdev --setra {sectors} {device}",
            "Without LVM keep it by a udev rule: ATTR{queue/read_ahead_kb}",
        ),
        undo=(f"The same commands with what lsblk said before: {told}.",),
        computed=_computed(now, told),
    )


def _reading(now: Situation) -> tuple[Reading, ...]:
    """The devices that hold the file system: the topmost volumes, as each one has its own value."""
    storage = now.storage_for("data")
    disks = needed(storage.disks, "which disks the data is on")
    layers = known_or(storage.layers, ())
    below = {name for layer in layers for name in layer.below}
    top: list[Disk | Layer] = [layer for layer in layers if layer.name not in below]
    if not top:
        top += disks
    return tuple(Reading(name=_name(each), ahead=_ahead(each)) for each in top)


def _name(device: Disk | Layer) -> str:
    return device.label if isinstance(device, Layer) else device.name


def _ahead(device: Disk | Layer) -> int:
    return needed(device.read_ahead_kb, f"the read-ahead of {_name(device)}")


def _low(now: Situation) -> tuple[Reading, ...]:
    return tuple(each for each in _reading(now) if each.ahead < _wanted(now))


def _disks_of(now: Situation, low: tuple[Reading, ...]) -> tuple[Disk, ...]:
    """The disks, where the file system is directly on them; otherwise none."""
    storage = now.storage_for("data")
    device = known_or(storage.device, "")
    found = {disk.name: disk for disk in known_or(storage.disks, ())}
    if not all(each.name in found and device.startswith(f"/dev/{each.name}") for each in low):
        return ()
    return tuple(found[each.name] for each in low)


def actions(now: Situation, _: str) -> tuple[Action, ...]:
    """One for each disk that reads too little ahead."""
    low = _low(now)
    return tuple(
        QueueValue(
            device=disk.name,
            stable=known_or(disk.stable, ""),
            name="read_ahead_kb",
            value=str(_wanted(now)),
            before=str(each.ahead),
        )
        for each, disk in zip(low, _disks_of(now, low), strict=False)
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
        leave_alone="If a storage server reads ahead on its own and all reads are random. More than the "
        "default helps only full-table scans, up to PostgreSQL 17.",
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
        Example(
            name="full-table scans",
            given=Given(workload="analytics", stable_name="wwn-0x5002538e40a1b2c3"),
            outcome=Sets(value="4096 kB"),
        ),
        Example(
            name="a server that prefetches itself",
            given=Given(workload="analytics", major="18"),
            outcome=Declines(kind="keep"),
        ),
        Example(name="more than the default", given=Given(read_ahead_kb=4096), outcome=Declines(kind="keep")),
    ),
)

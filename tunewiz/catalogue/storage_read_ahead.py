"""Whether the kernel reads ahead when a file is read in order: PostgreSQL relies on it."""

from __future__ import annotations

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
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import V18
from tunewiz.kinds.queue import QueueValue

USUAL_KB = 128
"""The kernel's default for every disk."""
SCANS_KB = 4096
"""For full-table scans: what tuned's throughput-performance profile sets (readahead)."""
SECTORS_PER_KB = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class DeviceReadAhead:
    """A device that holds a file system, with its read-ahead."""

    name: str
    ahead: int
    """Kilobytes."""


def decide(situation: Situation) -> Verdict:
    """The kernel's default where it is off or lower; more for full-table scans."""
    reading = _reading(situation)
    low = _low(situation)
    if not low:
        least = min((device.ahead for device in reading), default=USUAL_KB)
        return Declined(because=_enough(situation, least), kind="keep")
    device = known_or(situation.storage_for("data").device, "the data's device")
    text = ", ".join(f"{device.name} {device.ahead} kB" for device in low)
    disks = _disks_of(situation, low)
    if disks and udev_can_keep(situation.facts, disks):
        return Proposal(
            value=f"{_wanted(situation)} kB",
            because=_why(situation, text),
            computed=_computed(situation, text),
            before=text,
            ticked=False,
        )
    return _advice(situation, device, text)


def _scans(situation: Situation) -> bool:
    """Whether the workload scans whole tables on a server that leaves read-ahead to the kernel."""
    return situation.workload.kind == "analytics" and situation.major < V18


def _wanted(situation: Situation) -> int:
    return SCANS_KB if _scans(situation) else USUAL_KB


def _enough(situation: Situation, least: int) -> str:
    if situation.workload.kind == "analytics" and situation.major >= V18:
        return f"read-ahead is on: {least} kB or more; PostgreSQL 18 and newer also prefetch themselves"
    return f"read-ahead is on: {least} kB or more"


def _why(situation: Situation, text: str) -> str:
    if _scans(situation) and all(device.ahead >= USUAL_KB for device in _low(situation)):
        return f"full-table scans wait less often with more read-ahead ({text})"
    return f"read-ahead is off or low ({text}), and PostgreSQL leaves it to the kernel"


def _computed(situation: Situation, text: str) -> str:
    if _scans(situation):
        return f"{text}; {SCANS_KB} kB for scans, as tuned's throughput-performance has it"
    return f"{text}; the kernel's default is {USUAL_KB} kB"


def _advice(situation: Situation, device: str, text: str) -> Advice:
    sectors = _wanted(situation) * SECTORS_PER_KB
    of_volume = sectors if _scans(situation) else "auto"
    return Advice(
        because=_why(situation, text),
        steps=situation.on_the_host(
            "lsblk -o NAME,RA,MOUNTPOINT: what counts is the device that the file system is on",
            f"A logical volume: lvchange -r {of_volume} {device} (LVM keeps it)",
            f"Any other device: blockdev --setra {sectors} {device}",
            "Without LVM keep it by a udev rule: ATTR{queue/read_ahead_kb}",
        ),
        undo=(f"The same commands with what lsblk said before: {text}.",),
        computed=_computed(situation, text),
    )


def _reading(situation: Situation) -> tuple[DeviceReadAhead, ...]:
    """The devices that hold the file system: the topmost volumes, as each one has its own value."""
    storage = situation.storage_for("data")
    disks = needed(storage.disks, "which disks the data is on")
    layers = known_or(storage.layers, ())
    below = {name for layer in layers for name in layer.below}
    top: list[Disk | Layer] = [layer for layer in layers if layer.name not in below]
    if not top:
        top += disks
    return tuple(DeviceReadAhead(name=_name(entry), ahead=_ahead(entry)) for entry in top)


def _name(device: Disk | Layer) -> str:
    return device.label if isinstance(device, Layer) else device.name


def _ahead(device: Disk | Layer) -> int:
    return needed(device.read_ahead_kb, f"the read-ahead of {_name(device)}")


def _low(situation: Situation) -> tuple[DeviceReadAhead, ...]:
    return tuple(device for device in _reading(situation) if device.ahead < _wanted(situation))


def _disks_of(situation: Situation, low: tuple[DeviceReadAhead, ...]) -> tuple[Disk, ...]:
    """The disks, where the file system is directly on them; otherwise none."""
    storage = situation.storage_for("data")
    device = known_or(storage.device, "")
    disks = {disk.name: disk for disk in known_or(storage.disks, ())}
    if not all(
        device_read_ahead.name in disks and device.startswith(f"/dev/{device_read_ahead.name}")
        for device_read_ahead in low
    ):
        return ()
    return tuple(disks[device.name] for device in low)


def actions(situation: Situation, _: str) -> tuple[Action, ...]:
    """One for each disk that reads too little ahead."""
    low = _low(situation)
    return tuple(
        QueueValue(
            device=disk.name,
            stable=known_or(disk.stable, ""),
            name="read_ahead_kb",
            value=str(_wanted(situation)),
            before=str(device.ahead),
        )
        for device, disk in zip(low, _disks_of(situation, low), strict=False)
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
            follows="On, at the kernel's default at least. The study's reason is a guess (very probably the "
            "page cache), but up to 17 PostgreSQL does leave reading ahead in scans to the kernel alone.",
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

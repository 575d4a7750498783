"""nr_requests: how many requests may wait in the kernel for a disk."""

from __future__ import annotations

from tunewiz.core.facts.machine import Disk
from tunewiz.core.facts.storage_kind import udev_can_keep
from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import Known, MissingFact, known_or, needed
from tunewiz.kinds.queue import QueueValue

USUAL = 128
"""The kernel's default with a scheduler, and twice that for deep devices (BLKDEV_DEFAULT_RQ)."""
FEW = 32
"""No kernel sets fewer for a disk with a command queue of its own: somebody lowered it."""
WITHOUT = frozenset({"", "none", "noop"})
"""Without a scheduler the device's own queue length applies, and cannot be raised."""


def decide(situation: Situation) -> Verdict:
    """The kernel's default where a scheduler has fewer requests than any kernel gives it."""
    disks = needed(situation.storage_for("data").disks, "which disks the data is on")
    low = _low(situation)
    if not low:
        return Declined(because=_told(disks), kind="keep")
    text = ", ".join(f"{disk.name} {_length(disk)}" for disk in low)
    because = f"few requests may wait ({text}): a session with one more sleeps until another is done"
    computed = f"{text}; the kernel's default is {USUAL} and more"
    if udev_can_keep(situation.facts, low):
        return Proposal(value=str(USUAL), because=because, computed=computed, before=text, ticked=False)
    paths = [f"/sys/block/{disk.name}/queue/nr_requests" for disk in low]
    return Advice(
        because=because,
        steps=situation.on_the_host(
            *(f"echo {USUAL} > {path}" for path in paths),
            f'Permanently: udev rules with ATTR{{queue/nr_requests}}="{USUAL}", after the scheduler\'s.',
        ),
        undo=tuple(f"echo {_length(disk)} > {path}" for disk, path in zip(low, paths, strict=True)),
        computed=computed,
    )


def _length(disk: Disk) -> int:
    return known_or(disk.nr_requests, USUAL)


def _low(situation: Situation) -> tuple[Disk, ...]:
    disks = needed(situation.storage_for("data").disks, "which disks the data is on")
    return tuple(
        disk for disk in disks if known_or(disk.scheduler, "") not in WITHOUT and _length(disk) < FEW
    )


def _told(disks: tuple[Disk, ...]) -> str:
    known = [f"{disk.name} {disk.nr_requests.value}" for disk in disks if isinstance(disk.nr_requests, Known)]
    if not known:
        raise MissingFact("nr_requests", "none could be read under the data")
    return f"as many as the kernel or the device gives: {', '.join(known)}"


def actions(situation: Situation, value: str) -> tuple[Action, ...]:
    """One for each disk with too few."""
    return tuple(
        QueueValue(
            device=disk.name,
            stable=known_or(disk.stable, ""),
            name="nr_requests",
            value=value,
            before=str(_length(disk)),
        )
        for disk in _low(situation)
    )


RECOMMENDATION = Recommendation(
    id="storage.nr_requests",
    title="Let more requests wait for the disk",
    group="storage",
    target=HostTarget(name="nr_requests", below_sys=True),
    explanation=Explanation(
        changes="How many requests to read, and as many to write, may wait in the kernel's scheduler for a "
        "disk.",
        helps="With too few, sessions sleep before their request is even queued, and the scheduler "
        "has nothing "
        "to sort.",
        leave_alone="Without a scheduler (none), where the device's own queue length applies. Where somebody "
        "lowered it for even latency on one slow disk.",
        costs="A little memory. On one rotating disk a long queue makes single reads wait longer behind "
        "writes.",
        watch="aqu-sz and await in iostat -x. A change of the scheduler resets it.",
    ),
    pros=("The disk's queue stays full under load.", "Takes effect at once."),
    cons=("The threshold is an assumption. No source of this project measured it.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux, for disks with an I/O scheduler",
    cites=(Cite(claim="kernel-manual.nr_requests"),),
    decide=decide,
    actions=actions,
    after=("storage.scheduler",),
    examples=(
        Example(
            name="lowered, on a disk that udev knows by name",
            given=Given(scheduler="mq-deadline", nr_requests=8, stable_name="wwn-0x5002538e40a1b2c3"),
            outcome=Sets(value="128"),
        ),
        Example(name="lowered", given=Given(scheduler="mq-deadline", nr_requests=8), outcome=Advises()),
        Example(
            name="the kernel's",
            given=Given(scheduler="mq-deadline", nr_requests=256),
            outcome=Declines(kind="keep"),
        ),
        Example(name="the device's own queue", given=Given(nr_requests=31), outcome=Declines(kind="keep")),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

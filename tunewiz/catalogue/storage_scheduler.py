"""Who orders requests to a disk: fast devices do it best themselves."""

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
from tunewiz.core.values.known import MissingFact, known_or, needed
from tunewiz.kinds.queue import QueueValue

UNORDERED = {"none", "noop"}
"""`none` since the multi-queue block layer, `noop` before (gone with kernel 5.0)."""

FAIR_SHARES = {"bfq", "cfq"}
"""They share a disk fairly among processes: a database is many processes with one purpose."""


def decide(situation: Situation) -> Verdict:
    """No ordering for NVMe, no fair sharing for any disk."""
    disks = needed(situation.storage_for("data").disks, "which disks the data is on")
    wrong = _wrong(situation)
    if not wrong:
        return Declined(because=_told(disks), kind="keep")
    names = ", ".join(f"{disk.name} {_scheduler(disk)}" for disk in wrong)
    if udev_can_keep(situation.facts, wrong):
        return Proposal(
            value=", ".join(dict.fromkeys(map(_better, wrong))),
            because=f"{_why(wrong)} ({names})",
            computed=", ".join(f"{disk.name}: {_better(disk)}" for disk in wrong),
            before=names,
            ticked=False,
        )
    rule = f'ACTION=="add|change", KERNEL=="NAME", ATTR{{queue/scheduler}}="{_better(wrong[0])}"'
    return Advice(
        because=f"{_why(wrong)} ({names})",
        steps=situation.on_the_host(
            *(f"echo {_better(disk)} > /sys/block/{disk.name}/queue/scheduler" for disk in wrong),
            f"Keep it by a udev rule for each: {rule}",
        ),
        undo=tuple(f"echo {_scheduler(disk)} > /sys/block/{disk.name}/queue/scheduler" for disk in wrong),
        computed=names,
    )


def _why(wrong: tuple[Disk, ...]) -> str:
    if any(_rotates(disk) for disk in wrong):
        return "the processes of one database are made to wait for each other's share of the disk"
    return "the kernel orders requests for devices that do better without it"


def _wrong(situation: Situation) -> tuple[Disk, ...]:
    disks = needed(situation.storage_for("data").disks, "which disks the data is on")
    return tuple(disk for disk in disks if _costs(disk))


def actions(situation: Situation, _: str) -> tuple[Action, ...]:
    """One for each disk whose requests are better left alone."""
    return tuple(
        QueueValue(
            device=disk.name,
            stable=known_or(disk.stable, ""),
            name="scheduler",
            value=_better(disk),
            before=_scheduler(disk),
        )
        for disk in _wrong(situation)
    )


def _scheduler(disk: Disk) -> str:
    return known_or(disk.scheduler, "")


def _costs(disk: Disk) -> bool:
    if _is_nvme(disk):
        return _scheduler(disk) not in {"", *UNORDERED}
    return _scheduler(disk) in FAIR_SHARES


def _is_nvme(disk: Disk) -> bool:
    return known_or(disk.transport, "").startswith("nvme")


def _rotates(disk: Disk) -> bool:
    """Whether it does, as far as is known: where it is not, the deadline suits both."""
    return not _is_nvme(disk) and known_or(disk.rotational, otherwise=True)


def _better(disk: Disk) -> str:
    old = _scheduler(disk) == "cfq"
    if _rotates(disk):
        return "deadline" if old else "mq-deadline"
    return "noop" if old else "none"


def _told(disks: tuple[Disk, ...]) -> str:
    known = [f"{disk.name} {_scheduler(disk)}" for disk in disks if _scheduler(disk)]
    if not known:
        raise MissingFact("the I/O scheduler", "none could be read under the data")
    return f"it suits the disks: {', '.join(known)}"


RECOMMENDATION = Recommendation(
    id="storage.scheduler",
    title="Use the I/O scheduler that suits the disk",
    group="storage",
    target=HostTarget(name="I/O scheduler", below_sys=True),
    explanation=Explanation(
        changes="The I/O scheduler may hold back and sort requests before the disk sees them: none, "
        "mq-deadline, kyber or bfq today; noop, deadline and cfq before kernel 5.0.",
        helps="NVMe and SSD work on many requests at once and have no head to move: sorting costs processor "
        "time and delays for nothing.",
        leave_alone="Rotating disks with a deadline scheduler. Where control groups share a disk by weights: "
        "those need bfq (cfq in old kernels) or io.cost.",
        costs="A busy neighbour on the same disk is no longer throttled. The change resets nr_requests to a "
        "default.",
        watch="await and aqu-sz in iostat -x, and latency at the busiest hour.",
    ),
    pros=("Less processor time for each request.", "Takes effect at once and is undone as easily."),
    cons=("No fairness between programs on one disk.", "The source measured no number."),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="every Linux; the names changed with 5.0",
    cites=(
        Cite(claim="kernel-talk.nvme_no_scheduler"),
        Cite(claim="kernel-talk.blkio_throttling", near=True),
        Cite(claim="kernel-manual.no_scheduler"),
    ),
    decide=decide,
    actions=actions,
    examples=(
        Example(
            name="NVMe with mq-deadline, which udev knows by name",
            given=Given(disk="nvme", scheduler="mq-deadline", stable_name="nvme-eui.0025385b71b0a1c2"),
            outcome=Sets(value="none"),
        ),
        Example(
            name="NVMe with mq-deadline", given=Given(disk="nvme", scheduler="mq-deadline"), outcome=Advises()
        ),
        Example(name="an SSD with bfq", given=Given(scheduler="bfq"), outcome=Advises()),
        Example(
            name="NVMe with bfq under a container",
            given=Given(disk="nvme", scheduler="bfq", container="docker"),
            outcome=Advises(),
        ),
        Example(name="NVMe with none", given=Given(disk="nvme"), outcome=Declines(kind="keep")),
        Example(
            name="an SSD with mq-deadline",
            given=Given(scheduler="mq-deadline"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a rotating disk shared out to processes: the deadline instead",
            given=Given(disk="hdd", scheduler="bfq", stable_name="wwn-0x5000c500a1b2c3d4"),
            outcome=Sets(value="mq-deadline"),
        ),
        Example(
            name="a rotating disk",
            given=Given(disk="hdd", scheduler="mq-deadline"),
            outcome=Declines(kind="keep"),
        ),
    ),
)

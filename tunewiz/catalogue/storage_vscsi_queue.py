"""Virtual disks of PowerVM: how many requests each takes before the Virtual I/O Server (VIOS) answers one."""

from __future__ import annotations

from tunewiz.core.facts.machine import Disk
from tunewiz.core.recommendation.evidence import IBM_POWER, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import Known, known_or, needed

DELIVERED = 16
"""What Linux gives each virtual disk by itself."""
MOST = 256
TRIED = 32
"""The next power of two: no source says more than that it may be raised."""


def decide(situation: Situation) -> Verdict:
    """Advice where the queues of such disks are as short as they are delivered."""
    disks = needed(situation.storage_for("data").disks, "which disks the data is on")
    virtual = tuple(disk for disk in disks if known_or(disk.transport, "") == "vscsi")
    if not virtual or known_or(situation.facts.virtualization.hypervisor, "") != "powervm":
        because = "its disks do not come from a Virtual I/O Server over virtual SCSI"
        return Declined(because=because, kind="not_applicable")
    depths = {disk.name: needed(disk.queue_depth, f"the queue of {disk.name}") for disk in virtual}
    short = {name: depth for name, depth in depths.items() if depth <= DELIVERED}
    if not short:
        because = f"somebody gave them more than the usual {DELIVERED}: {_in_words(depths)}"
        return Declined(because=because, kind="keep")
    return _advice(short, situation)


def _advice(short: dict[str, int], situation: Situation) -> Advice:
    files = {f"/sys/block/{name}/device/queue_depth": depth for name, depth in short.items()}
    together = sum(short.values())
    return Advice(
        because=f"Linux sends its virtual disks no more than so many requests at once ({_in_words(short)}), "
        "whatever is behind the Virtual I/O Server: others wait here",
        steps=situation.on_the_host(
            f"iostat -x 5 at the busiest hour: aqu-sz of all of them near {together} or above says that "
            "requests wait. Below, leave it.",
            "Ask the administrator of the Virtual I/O Server for the queue depth of the disks behind, and "
            "who else uses them: longer queues here only move the waiting there.",
            *(f"echo {TRIED} > {path} (1 to {MOST}), until the next boot" for path in files),
            "Your own load, before and after. If it gains, a udev rule keeps it.",
        ),
        undo=tuple(f"echo {depth} > {path}" for path, depth in files.items()),
        computed=f"{_in_words(short)}: {together} together; {DELIVERED} each as delivered",
    )


def _in_words(depths: dict[str, int]) -> str:
    return ", ".join(f"{name} {depth}" for name, depth in depths.items())


def _disk(depth: int, transport: str = "vscsi") -> Disk:
    return Disk(
        name="sda",
        rotational=Known(value=True, how="example"),
        scheduler=Known("mq-deadline", "example"),
        read_ahead_kb=Known(128, "example"),
        transport=Known(transport, "example"),
        queue_depth=Known(depth, "example"),
    )


RECOMMENDATION = Recommendation(
    id="storage.vscsi_queue",
    title="Let virtual disks of Power take more requests at once",
    group="storage",
    target=AdviceTarget(name="queues of virtual disks"),
    explanation=Explanation(
        changes="How many requests Linux sends to a virtual disk before the Virtual I/O Server (VIOS) has "
        "answered one. The VIOS passes them on to a disk of its own, which has a queue too.",
        helps="Where many sessions read at once, requests beyond the queue wait in Linux although the "
        "storage behind could serve them.",
        leave_alone="Where few requests are under way, where the storage behind is busy, and where its disks "
        "serve several partitions whose queues together are as long as theirs already.",
        costs="Nothing here. Partitions that share the disk behind may wait longer.",
        watch="aqu-sz and r_await in iostat -x: waiting that moved to the storage shows as a longer r_await.",
    ),
    pros=("Takes effect immediately, and back again.", "More of the storage's parallel work is used."),
    cons=("No source of this project measured it.", "Needs a word with whoever runs the VIOS."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    versions="Linux on Power under PowerVM, with virtual SCSI",
    cites=(Cite(claim="ibm-vscsi-queue.depth", only_on=IBM_POWER),),
    decide=decide,
    examples=(
        Example(
            name="as delivered",
            given=Given(architecture="ppc64le", hypervisor="powervm", disks=(_disk(DELIVERED),)),
            outcome=Advises(),
        ),
        Example(
            name="somebody made the queue longer",
            given=Given(architecture="ppc64le", hypervisor="powervm", disks=(_disk(64),)),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="disks over virtual Fibre Channel",
            given=Given(architecture="ppc64le", hypervisor="powervm", disks=(_disk(DELIVERED, "fc"),)),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="a guest of KVM has such disks without a Virtual I/O Server",
            given=Given(architecture="ppc64le", hypervisor="kvm", disks=(_disk(DELIVERED),)),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(name="other machines", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

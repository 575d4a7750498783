"""Whether a SAN disk is reached over several paths, and whether all of them are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.core.facts.machine import Disk, DiskPath, Layer, Storage
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import Known, known_or, needed
from tunewiz.core.values.units import Bytes

OVER_A_NETWORK = frozenset({"fc", "zfcp", "iscsi"})
"""Transports of disks that should have several paths; DASDs manage their own."""
ENOUGH = 2
"""Working paths: one may fail."""
WORKS = frozenset({"running", "live", "active"})
ONE_NODE = "numa"
"""The default of NVMe: only the paths of the nearest node are used (nvme_core.iopolicy)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reached:
    """A disk with its paths."""

    name: str
    paths: int
    work: int
    look: str
    """The command that shows them."""


def decide(situation: Situation) -> Verdict:
    """Advice for a disk with a single working path, and for an NVMe disk that uses one of several."""
    storage = situation.storage_for("data")
    reached = tuple(_reached(storage))
    if not reached:
        return Declined(because="the disks are not reached over a network", kind="not_applicable")
    thin = [entry for entry in reached if entry.work < ENOUGH]
    if thin:
        text = ", ".join(f"{entry.name}: {entry.work} of {entry.paths}" for entry in thin)
        return Advice(
            because=f"one path left ({text}): if it fails, the server hangs or panics",
            steps=situation.on_the_host(
                *dict.fromkeys(entry.look for entry in thin),
                "Repair the path, or have the storage administrator add a second one over another adapter.",
                "In a failover cluster, check no_path_retry in multipath.conf: it says whether a "
                "server without a path waits for ever (queue) or gets errors.",
            ),
            undo=("Remove the added path.",),
            computed=text,
        )
    unused = [disk for disk in needed(storage.disks, "the disks") if _uses_one_node(disk)]
    if unused:
        return _spread(situation, unused)
    text = ", ".join(f"{entry.name}: {entry.work} of {entry.paths}" for entry in reached)
    return Declined(because=f"working paths: {text}", kind="keep")


def _reached(storage: Storage) -> Iterator[Reached]:
    disks = needed(storage.disks, "which disks the data is on")
    layers = needed(storage.layers, "what lies between the file system and its disks")
    by_name = {disk.name: disk for disk in disks}
    behind = {name for layer in layers if layer.kind == "multipath" for name in layer.below}
    for layer in layers:
        if layer.kind == "multipath":
            yield _of_layer(layer, by_name)
    for disk in disks:
        if isinstance(disk.paths, Known) and known_or(disk.transport, "nvme") not in {"nvme", "nvme-volume"}:
            yield _of_nvme(disk, disk.paths.value)
        elif disk.name not in behind and known_or(disk.transport, "") in OVER_A_NETWORK:
            yield Reached(name=disk.name, paths=1, work=1, look="multipath -ll")


def _of_layer(layer: Layer, disks: dict[str, Disk]) -> Reached:
    """A path whose state is unknown counts as working."""
    states = [known_or(disks[name].state, "running") if name in disks else "running" for name in layer.below]
    work = sum(state in WORKS for state in states)
    return Reached(name=layer.label, paths=len(states), work=work, look="multipath -ll")


def _of_nvme(disk: Disk, paths: tuple[DiskPath, ...]) -> Reached:
    work = sum(path.state in WORKS for path in paths)
    return Reached(name=disk.name, paths=len(paths), work=work, look="nvme list-subsys")


def _uses_one_node(disk: Disk) -> bool:
    return len(known_or(disk.paths, ())) > 1 and known_or(disk.path_policy, "") == ONE_NODE


def _spread(situation: Situation, disks: list[Disk]) -> Advice:
    names = ", ".join(disk.name for disk in disks)
    return Advice(
        because=f"{names}: of several paths the kernel uses only those of the nearest NUMA node",
        steps=situation.on_the_host(
            "nvme list-subsys shows which subsystem it is",
            "echo round-robin > /sys/class/nvme-subsystem/NAME/iopolicy (from 6.11 on: queue-depth)",
            'To make it permanent, add a udev rule: ACTION=="add|change", SUBSYSTEM=="nvme-subsystem", '
            'ATTR{iopolicy}="round-robin"',
        ),
        undo=(f"echo {ONE_NODE} > /sys/class/nvme-subsystem/NAME/iopolicy",),
        computed=f"iopolicy {ONE_NODE} becomes round-robin",
    )


_PATHS = (
    Disk(
        name="sda",
        rotational=Known(value=False, how="example"),
        scheduler=Known("none", "example"),
        read_ahead_kb=Known(128, "example"),
        transport=Known("fc", "example"),
        state=Known("running", "example"),
    ),
    Disk(
        name="sdb",
        rotational=Known(value=False, how="example"),
        scheduler=Known("none", "example"),
        read_ahead_kb=Known(128, "example"),
        transport=Known("fc", "example"),
        state=Known("offline", "example"),
    ),
)


def _mapped(*below: str) -> Layer:
    return Layer(
        name="dm-0",
        label="mpatha",
        kind="multipath",
        below=below,
        chunk=Bytes(512),
        stripe=Bytes(0),
        read_ahead_kb=Known(128, "example"),
    )


RECOMMENDATION = Recommendation(
    id="storage.multipath",
    title="Reach the storage over several paths, and use them",
    group="storage",
    target=AdviceTarget(name="paths to the storage"),
    explanation=Explanation(
        changes="A disk in a storage network can be reached over several adapters and switches. "
        "multipath, or "
        "the kernel's NVMe driver, combines these paths into one disk.",
        helps="If one path fails, the others carry on: without them a flush fails, and PostgreSQL "
        "stops rather "
        "than lose data. Over all paths at once the storage answers sooner.",
        leave_alone="Local disks, and disks of a virtual machine: there the hypervisor has the paths. "
        "DASDs on s390x, which manage paths of their own.",
        costs="Adapters, ports and work. A path that fails slowly delays requests until it is given up.",
        watch="multipath -ll or nvme list-subsys: every path active; the kernel's log for paths that "
        "come and go.",
    ),
    pros=("A broken cable does not stop the server.", "All paths carry requests."),
    cons=("Needs the storage administrator.", "No source of this project measured it."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    versions="disks in a storage network",
    cites=(Cite(claim="kernel-manual.path_selectors"),),
    decide=decide,
    examples=(
        Example(
            name="one path of two works",
            given=Given(disk="san", disks=_PATHS, layers=(_mapped("sda", "sdb"),)),
            outcome=Advises(),
        ),
        Example(
            name="a SAN disk with a single path",
            given=Given(disk="san", disks=_PATHS[:1]),
            outcome=Advises(),
        ),
        Example(
            name="two paths in unknown state",
            given=Given(disk="san", layers=(_mapped("sdx", "sdy"),)),
            outcome=Declines(kind="keep"),
        ),
        Example(name="a local disk", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

"""Whether a SAN disk is reached over several paths, and whether all of them are used."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.dasd import ChannelPaths
from tunewiz.core.facts.machine import Disk, Layer
from tunewiz.core.recommendation.evidence import IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.disk_paths import LSDASD, NPIV, Reached, disks_reached
from tunewiz.core.values.known import Known, known_or, needed
from tunewiz.core.values.units import Bytes

ENOUGH = 2
"""Working paths: one may fail."""
ONE_NODE = "numa"
"""The default of NVMe: only the paths of the nearest node are used (nvme_core.iopolicy)."""


def decide(situation: Situation) -> Verdict:
    """Advice for a disk with a single working path, and for an NVMe disk that uses one of several."""
    storage = situation.storage_for("data")
    reached = tuple(disks_reached(storage))
    if not reached:
        return Declined(because="the disks are not reached over a network", kind="not_applicable")
    thin = [entry for entry in reached if entry.work < ENOUGH]
    if thin:
        text = ", ".join(entry.in_words() for entry in thin)
        return _repair(situation, f"one path left ({text}): if it fails, the server hangs or panics", thin)
    alone = [entry for entry in reached if entry.adapter]
    if alone:
        text = ", ".join(f"{entry.name}: {entry.adapter}" for entry in alone)
        because = f"all paths go through one adapter ({text}): if it fails, the server hangs or panics"
        return _repair(situation, because, alone)
    unused = [disk for disk in needed(storage.disks, "the disks") if _uses_one_node(disk)]
    if unused:
        return _spread(situation, unused)
    text = ", ".join(entry.in_words() for entry in reached)
    return Declined(because=f"working paths: {text}", kind="keep")


def _repair(situation: Situation, because: str, short: list[Reached]) -> Advice:
    scsi = any(entry.look != LSDASD for entry in short)
    return Advice(
        because=because,
        steps=situation.on_the_host(
            *dict.fromkeys(entry.look for entry in short),
            *_of_channels(situation, short),
            "Repair the path, or have the storage administrator add a second one over another adapter.",
            *((*_of_fcp(situation), RETRY) if scsi else ()),
        ),
        undo=("Remove the added path.",),
        computed=", ".join(entry.in_words() for entry in short),
    )


RETRY = (
    "In a failover cluster, check no_path_retry in multipath.conf: it says whether a server without a path "
    "waits for ever (queue) or gets errors."
)
VARY = (
    "A path with Cfg. 1 and Vary 0 in lschp is switched on by chchp -v 1 CHPID, once its cause is repaired."
)
DEFINED = "A further path must stand in the machine's I/O definition (IOCDS) too."
OF_ZVM = "Ask z/VM's administrator over how many paths the real volume is reached: this guest sees its own."
SCANNED = (
    "A new path over an FCP device with NPIV shows its disks by itself once it is online; the storage must "
    "allow its port name (lszfcp -Ha: port_name)."
)
BY_HAND = (
    "This machine's FCP devices have no port name of their own (no NPIV): each disk of a new path is added "
    "by hand (unit_add), and all systems on the channel may see the same disks. Ask for NPIV."
)


def _of_channels(situation: Situation, short: list[Reached]) -> Iterator[str]:
    if any(entry.look == LSDASD for entry in short):
        yield VARY if any(entry.paths > entry.work for entry in short) else DEFINED
        if known_or(situation.facts.virtualization.hypervisor, "") == "zvm":
            yield OF_ZVM


def _of_fcp(situation: Situation) -> Iterator[str]:
    """What a new path needs on IBM Z, where ports may have names of their own."""
    disks = known_or(situation.storage_for("data").disks, ())
    ports = {known_or(disk.port_type, "") for disk in disks if known_or(disk.transport, "") == "zfcp"}
    if ports - {""}:
        yield SCANNED if ports == {NPIV} else BY_HAND


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

_ONE_ADAPTER = tuple(
    Disk(
        name=name,
        rotational=Known(value=False, how="example"),
        scheduler=Known("none", "example"),
        read_ahead_kb=Known(128, "example"),
        transport=Known("zfcp", "example"),
        state=Known("running", "example"),
        adapter=Known("0.0.3c00", "example"),
        port_type=Known(NPIV, "example"),
    )
    for name in ("sdc", "sdd")
)


def _dasd(*usable: str) -> Disk:
    paths = ChannelPaths(installed=("48", "49"), usable=usable, without_hpf=())
    return Disk(
        name="dasdb",
        rotational=Known(value=True, how="example"),
        scheduler=Known("mq-deadline", "example"),
        read_ahead_kb=Known(128, "example"),
        transport=Known("dasd", "example"),
        channel_paths=Known(paths, "example"),
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
        "Mainframe disks (DASD) with two channel paths or more: their driver spreads requests by itself.",
        costs="Adapters, ports and work. A path that fails slowly delays requests until it is given up.",
        watch="multipath -ll or nvme list-subsys: every path active; the kernel's log for paths that "
        "come and go.",
    ),
    pros=("A broken cable does not stop the server.", "All paths carry requests."),
    cons=("Needs the storage administrator.", "No source of this project measured it."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    versions="disks in a storage network",
    cites=(
        Cite(claim="kernel-manual.path_selectors"),
        Cite(claim="kernel-s390.channel_paths", only_on=IBM_Z),
        Cite(claim="s390-tools.path_masks", only_on=IBM_Z),
        Cite(claim="ibm-zfcp.npiv", only_on=IBM_Z),
        Cite(claim="ibm-zfcp.lun_scan", only_on=IBM_Z),
    ),
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
        Example(
            name="two paths over one adapter",
            given=Given(disk="san", disks=_ONE_ADAPTER, layers=(_mapped("sdc", "sdd"),)),
            outcome=Advises(),
        ),
        Example(
            name="a mainframe disk with one of two channel paths",
            given=Given(disk="san", architecture="s390x", huge_page_size="1MB", disks=(_dasd("48"),)),
            outcome=Advises(),
        ),
        Example(
            name="a mainframe disk with both",
            given=Given(disk="san", architecture="s390x", huge_page_size="1MB", disks=(_dasd("48", "49"),)),
            outcome=Declines(kind="keep"),
        ),
        Example(name="a local disk", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

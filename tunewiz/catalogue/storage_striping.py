"""Whether a logical volume over several disks uses them all at once, or one after the other."""

from __future__ import annotations

from tunewiz.core.facts.machine import Layer
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.disk_layout import is_linear
from tunewiz.core.values.known import Known, needed
from tunewiz.core.values.units import KIB, Bytes

CHUNK = Bytes(256 * KIB)
"""Size of a stripe: a page lies on one disk, a scan reads from all. LVM's default is 64 kB; an assumption."""


def decide(situation: Situation) -> Verdict:
    """Advice for the topmost volume that lies on several disks without stripes."""
    storage = situation.storage_for("data")
    layers = needed(storage.layers, "what lies between the file system and its disks")
    of_volumes = {layer.name for layer in layers if layer.kind == "lvm"}
    wide = [layer for layer in layers if layer.kind == "lvm" and len(layer.below) > 1]
    if not wide:
        return Declined(because="no logical volume lies on several disks", kind="not_applicable")
    volume = wide[0]
    if of_volumes & {*volume.below}:
        because = f"{volume.label} is made of other volumes (a mirror, a pool), which are not checked"
        return Declined(because=because, kind="keep")
    if not is_linear(volume):
        pieces = volume.stripe.count // max(1, volume.chunk.count)
        because = f"{volume.label} is striped: {pieces} stripes of {volume.chunk.short()}"
        return Declined(because=because, kind="keep")
    return _advice(situation, volume)


def _advice(situation: Situation, volume: Layer) -> Advice:
    count = len(volume.below)
    return Advice(
        because=f"{volume.label} lies on {count} disks ({', '.join(volume.below)}) one after the other: "
        "a busy table is on one of them",
        steps=situation.on_the_host(
            "lvs -o +stripes,stripe_size,devices shows how it is laid out",
            f"A new volume: lvcreate -i {count} -I {CHUNK.count // KIB}k -L SIZE -n NAME GROUP",
            "Move the data there in a maintenance window: a copy of the stopped server, or a standby made by "
            "pg_basebackup that takes over.",
        ),
        undo=("Keep the old volume until the new one has proved itself; to go back, mount it again.",),
        computed=f"{count} disks, no stripes",
    )


def _volume(stripe: int) -> Layer:
    return Layer(
        name="dm-0",
        label="vg-pg",
        kind="lvm",
        below=("sda", "sdb", "sdc", "sdd"),
        chunk=Bytes(64 * KIB),
        stripe=Bytes(stripe * KIB),
        read_ahead_kb=Known(128, "example"),
    )


RECOMMENDATION = Recommendation(
    id="storage.striping",
    title="Stripe the data volume over its disks",
    group="storage",
    target=AdviceTarget(name="stripes of the logical volume"),
    explanation=Explanation(
        changes="A linear logical volume fills one disk after the other. A striped one spreads its data in "
        "small pieces over all disks.",
        helps="Reads and writes of a busy table go to all disks at once. A linear volume is only as fast "
        "as the disk that happens to hold the table.",
        leave_alone="Where the disks are slices of a storage pool that is itself striped, and no "
        "single slice "
        "is the bottleneck. Where the volume should grow by one disk at a time.",
        costs="A new volume, a copy of all data and a maintenance window. Without redundancy below, one lost "
        "disk loses everything, as it usually does in a linear volume.",
        watch="iostat -x: all disks of the volume about equally busy.",
    ),
    pros=("All disks work for every table.",),
    cons=(
        "Cannot be switched on in place.",
        "A striped volume grows by as many disks as it has stripes.",
        "No source of this project measured it.",
    ),
    risk=RiskLevel.HIGH,
    basis="well understood",
    versions="data on LVM",
    cites=(Cite(claim="kernel-manual.striped"),),
    decide=decide,
    examples=(
        Example(name="four disks, no stripes", given=Given(layers=(_volume(0),)), outcome=Advises()),
        Example(name="striped over four", given=Given(layers=(_volume(256),)), outcome=Declines(kind="keep")),
        Example(name="a plain disk", given=Given(), outcome=Declines(kind="not_applicable")),
        Example(name="nobody looked", given=Given(layers=None), outcome=Declines(kind="not_applicable")),
    ),
)

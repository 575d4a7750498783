"""wal_recycle: old WAL files are renamed for reuse."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.copy_on_write import copies_on_write
from tunewiz.core.values.known import needed


def decide(situation: Situation) -> Verdict:
    """Off where the file system never overwrites."""
    filesystem = needed(situation.storage_for("wal").filesystem, "the WAL's file system")
    current = situation.will_be("wal_recycle")
    if not copies_on_write(situation.storage_for("wal")):
        return Declined(
            because=f"{current} stays: on {filesystem} an old file is quicker than a new one", kind="keep"
        )
    if current == "off":
        return Declined(because=f"it is off, which suits {filesystem}", kind="keep")
    return Proposal(
        value="off",
        because=f"{filesystem} writes every block anew: renaming old files saves nothing",
        computed=f"off on {filesystem}, which copies on write",
    )


RECOMMENDATION = Recommendation(
    id="pg.wal_recycle",
    title="Turn off wal_recycle on copy-on-write storage",
    group="storage",
    target=PgTarget(name="wal_recycle"),
    explanation=Explanation(
        changes="Whether WAL files that are no longer needed are renamed and overwritten, or removed and "
        "created again (12 and newer).",
        helps="A file system that never overwrites in place (ZFS, btrfs) makes new blocks anyway; a "
        "new file is the shorter way there.",
        leave_alone="On ext4 and XFS: overwriting a file that exists spares allocating it while commits "
        "wait.",
        costs="Files are created more often, which takes locks in the file system.",
        watch="“added, removed, recycled” in the log's checkpoint lines, commit times in the busiest hour.",
    ),
    pros=("Less metadata is read on copy-on-write storage.", "Takes a reload."),
    cons=("Creating files contends for locks.", "Documented as possible gain; measure it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="kernel-talk.shared_kernel_locks", near=True),
        Cite(claim="postgres-manual.wal_recycle"),
    ),
    decide=decide,
    examples=(
        Example(name="ZFS", given=Given(filesystem="zfs"), outcome=Sets(value="off")),
        Example(name="ext4", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="11 always recycles",
            given=Given(filesystem="zfs", major="11"),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)

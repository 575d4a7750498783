"""wal_init_zero: new WAL files are filled with zeros first."""

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
    current = situation.will_be("wal_init_zero")
    if not copies_on_write(situation.storage_for("wal")):
        because = f"{current} stays: on {filesystem} the zeros reserve the space that commits will need"
        return Declined(because=because, kind="keep")
    if current == "off":
        return Declined(because=f"it is off, which suits {filesystem}", kind="keep")
    return Proposal(
        value="off",
        because=f"{filesystem} writes every block anew: zeros reserve nothing there",
        computed=f"off on {filesystem}, which copies on write",
    )


RECOMMENDATION = Recommendation(
    id="pg.wal_init_zero",
    title="Turn off wal_init_zero on copy-on-write storage",
    group="storage",
    target=PgTarget(name="wal_init_zero"),
    explanation=Explanation(
        changes="Whether a new WAL file is filled with zeros before use (12 and newer).",
        helps="On ZFS and btrfs the zeros are only written twice as much: each block is placed anew later.",
        leave_alone="On ext4 and XFS: the zeros make sure that there is space, so that no commit waits for "
        "it.",
        costs="None on copy-on-write storage. Elsewhere a full disk is noticed later, in the middle of "
        "a commit.",
        watch="Writes on the WAL's disk (iostat) in the busiest hour.",
    ),
    pros=("Half the writing when WAL files are made.", "Takes a reload."),
    cons=("Free space is not reserved ahead.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="kernel-talk.shared_kernel_locks", near=True),
        Cite(claim="postgres-manual.wal_init_zero"),
    ),
    decide=decide,
    examples=(
        Example(name="btrfs", given=Given(filesystem="btrfs"), outcome=Sets(value="off")),
        Example(
            name="btrfs with nodatacow",
            given=Given(filesystem="btrfs", mount_options="rw,relatime,nodatacow"),
            outcome=Declines(kind="keep"),
        ),
        Example(name="XFS", given=Given(filesystem="xfs"), outcome=Declines(kind="keep")),
    ),
)

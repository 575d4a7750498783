"""full_page_writes: whole pages in the WAL after each checkpoint. Never turned off."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.copy_on_write import copies_on_write
from tunewiz.core.values.known import needed


def decide(situation: Situation) -> Verdict:
    """On, unless a copy-on-write file system was trusted on purpose."""
    if situation.will_be("full_page_writes") == "on":
        because = "on stays: without it a crash in the middle of a write may leave a page half old, half new"
        return Declined(because=because, kind="keep")
    filesystem = needed(situation.storage_for("data").filesystem, "the data's file system")
    if copies_on_write(situation.storage_for("data")):
        because = f"it is off on {filesystem}, which writes whole blocks: as safe as that file system is"
        return Declined(because=because, kind="keep")
    return Proposal(
        value="on",
        because=f"it is off on {filesystem}: a crash may tear pages that recovery cannot repair",
        computed="on, in every posture",
    )


RECOMMENDATION = Recommendation(
    id="pg.full_page_writes",
    title="Turn on full_page_writes",
    group="durability",
    target=PgTarget(name="full_page_writes"),
    explanation=Explanation(
        changes="Whether the first change of a page after a checkpoint puts the whole page into the WAL.",
        helps="A page of 8 kB is written in several pieces. A crash between them leaves a torn page; "
        "recovery replaces it with the whole one from the WAL.",
        leave_alone="It is never turned off here. On a file system that never overwrites blocks in place "
        "(ZFS) off may be safe; that is its owner's decision.",
        costs="WAL, most of all right after a checkpoint. Fewer checkpoints (max_wal_size) and "
        "wal_compression are the safe ways to write less.",
        watch="wal_fpi in pg_stat_wal (14 and newer): whole pages written; pg_waldump --stats before.",
    ),
    pros=("A crash cannot leave a torn page behind.", "pg_rewind and base backups rely on it."),
    cons=("More WAL after each checkpoint.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="power.max_wal_size", near=True),
        Cite(claim="postgres-manual.full_page_writes"),
        Cite(claim="lwn-untorn.buffered"),
        Cite(claim="rockdata-atomic.turn_off", opposes=True),
    ),
    disputes=(
        Dispute(
            one="LWN (2025): Linux has writes that are never torn for direct I/O; for buffered ones, "
            "which PostgreSQL uses, they were still discussed.",
            other="A tutorial (2026): on storage that writes 8 kB as a whole, full_page_writes can be "
            "turned off.",
            follows="On, always. What the device promises is lost where the kernel may split a buffered "
            "write, and a torn page shows only after the crash.",
            claims=(
                "lwn-untorn.buffered",
                "rockdata-atomic.turn_off",
            ),
        ),
    ),
    decide=decide,
    never=("off",),
    examples=(
        Example(
            name="off on ext4",
            given=Given(settings={"full_page_writes": "off"}),
            outcome=Sets(value="on"),
        ),
        Example(
            name="off on ZFS",
            given=Given(settings={"full_page_writes": "off"}, filesystem="zfs"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="off on btrfs that overwrites in place",
            given=Given(
                settings={"full_page_writes": "off"},
                filesystem="btrfs",
                mount_options="rw,relatime,nodatacow",
            ),
            outcome=Sets(value="on"),
        ),
        Example(name="on", given=Given(posture="bold"), outcome=Declines(kind="keep")),
    ),
)

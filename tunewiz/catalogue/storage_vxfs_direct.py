"""Direct I/O on VxFS: the opposite school, which gives the page cache's memory to PostgreSQL."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import needed

DIRECT = ("mincache=direct", "convosync=direct")


def decide(situation: Situation) -> Verdict:
    """Both or neither: without the page cache the buffers must be large."""
    data = situation.storage_for("data")
    filesystem = needed(data.filesystem, "the data's file system")
    if filesystem != "vxfs":
        return Declined(because=f"the data is on {filesystem}, not on VxFS", kind="not_applicable")
    options = needed(data.options, "how the data is mounted")
    if not any(option in options for option in DIRECT):
        return Declined(because="the page cache is in use, and the plan follows the school that relies on it")
    buffers = situation.will_be_size("shared_buffers")
    if buffers.count * 2 >= situation.memory.count:
        because = f"direct I/O with {buffers.short()} of buffers in {situation.memory.short()} of memory"
        return Declined(because=because, kind="keep")
    return Advice(
        because=f"direct I/O leaves {buffers.short()} of buffers as the only cache "
        f"in {situation.memory.short()}",
        steps=(
            "Either mount the data without those options: the page cache is back.",
            "Or raise shared_buffers to about 5/8 of memory, with huge pages; tune the background writer.",
        ),
        undo=("Mount the data as it was; set shared_buffers back.",),
        computed="20 GB of 32 GB = 5/8 where it was measured",
    )


RECOMMENDATION = Recommendation(
    id="storage.vxfs_direct",
    title="On VxFS, choose one cache: the kernel's or PostgreSQL's",
    group="storage",
    target=AdviceTarget(name="direct I/O on VxFS"),
    explanation=Explanation(
        changes="The VxFS mount options convosync=direct and mincache=direct let reads and writes bypass "
        "the kernel's page cache; all caching is then up to shared_buffers.",
        helps="No page is in two caches, and no second cache needs flushing: with 20 GB of buffers in 32 "
        "GB the author saw a modest gain over 500 MB and 2 GB with the page cache.",
        leave_alone="Everywhere else: without the page cache a small shared_buffers leaves nearly "
        "everything to the disk, and the z13 study lost processes to the out-of-memory killer at half of "
        "memory.",
        costs="Very large buffers make checkpoints and restarts heavier, and leave little for sorts and "
        "connections.",
        watch="blks_read in pg_stat_database and reads in iostat -x: every miss is now a disk read.",
    ),
    pros=("No page is cached twice.", "PostgreSQL's cache scaled to 20 GB at least."),
    cons=(
        "Measured on VxFS once, in 2008 with PostgreSQL 8.2, beside larger buffers; no number is given.",
        "Against what the other sources found: PostgreSQL relies on the page cache.",
    ),
    risk=RiskLevel.HIGH,
    basis="measured",
    versions="VxFS",
    cites=(
        Cite(claim="vxfs.direct_io"),
        Cite(claim="vxfs.shared_buffers_20gb"),
        Cite(claim="own-small-vm.direct_io"),
        Cite(claim="z-deck.shared_buffers_half", opposes=True),
        Cite(claim="z-deck.shared_buffers_eighth", opposes=True),
    ),
    disputes=(
        Dispute(
            one="The plan's school (z13, 2018): a quarter of memory for the buffers, the rest for the "
            "page cache, which PostgreSQL relies on; half of memory woke the out-of-memory killer.",
            other="The opposite school (DL185, VxFS, 2008): no page cache, 20 GB of 32 GB for the "
            "buffers, nothing cached twice; a modest gain, without a number.",
            follows="The page cache, unless the data is mounted with direct I/O already: then small buffers "
            "would leave nearly everything to the disks (on the project's small machine half of the reads "
            "were lost; with three quarters no loss was shown), and the opposite school is right.",
            claims=(
                "own-small-vm.direct_io",
                "vxfs.direct_io",
                "vxfs.shared_buffers_20gb",
                "z-deck.shared_buffers_half",
                "z-deck.shared_buffers_eighth",
            ),
        ),
    ),
    decide=decide,
    after=("pg.shared_buffers",),
    examples=(
        Example(
            name="direct I/O with small buffers",
            given=Given(filesystem="vxfs", mount_options="rw,mincache=direct,convosync=direct"),
            outcome=Advises(),
        ),
        Example(
            name="direct I/O with large buffers",
            given=Given(
                filesystem="vxfs",
                mount_options="rw,mincache=direct,convosync=direct",
                settings={"shared_buffers": "40GB"},
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(name="VxFS with the page cache", given=Given(filesystem="vxfs"), outcome=Declines()),
        Example(name="another file system", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

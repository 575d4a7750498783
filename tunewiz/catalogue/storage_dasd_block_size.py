"""Whether mainframe disks (ECKD DASD) under the data were formatted into blocks of 4096 bytes."""

from __future__ import annotations

from tunewiz.core.facts.dasd import Dasd
from tunewiz.core.facts.machine import Disk
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.requests_at_once import eckd_disks
from tunewiz.core.values.known import Known, needed
from tunewiz.core.values.units import Bytes

RECOMMENDED = 4096
PAGE = Bytes(8192)
"""Of PostgreSQL, unless it was built with another."""


def decide(situation: Situation) -> Verdict:
    """Advice for disks of smaller blocks."""
    disks = eckd_disks(situation.storage_for("data"))
    if not disks:
        return Declined(because="the data is on no ECKD disk", kind="not_applicable")
    sizes = {
        disk.name: needed(disk.block_size, f"the block size that {disk.name} was formatted with (lsdasd)")
        for disk in disks
    }
    small = {name: size for name, size in sizes.items() if size < RECOMMENDED}
    if not small:
        return Declined(because=f"its disks are formatted into blocks of {RECOMMENDED} bytes", kind="keep")
    text = ", ".join(f"{name}: {size} bytes" for name, size in small.items())
    smallest = min(small.values())
    return Advice(
        because=f"disks are formatted into small blocks ({text}); {RECOMMENDED} bytes are recommended",
        steps=situation.on_the_host(
            "lsdasd BUS-ID: blksz. Formatting destroys what is on a disk: never format these.",
            f"Have new volumes, and format them: dasdfmt -b {RECOMMENDED} -d cdl /dev/DISK",
            "Make a new file system on them and move the server there, best when it is moved anyway: "
            "pg_basebackup or a standby, then a switch. LVM refuses to mix block sizes, so pvmove is no way.",
        ),
        undo=("Keep the old volumes until the server has run on the new ones for a while.",),
        computed=f"a page of {PAGE.count} bytes is {PAGE.count // smallest} blocks instead of "
        f"{PAGE.count // RECOMMENDED}",
    )


def _disk(size: int) -> Disk:
    return Disk(
        name="dasdb",
        rotational=Known(True, "example"),  # noqa: FBT003 - a fact
        scheduler=Known("mq-deadline", "example"),
        read_ahead_kb=Known(128, "example"),
        transport=Known("dasd", "example"),
        dasd=Known(Dasd(discipline="ECKD", control_unit="c280", aliases=8, pooled=True), "example"),
        block_size=Known(size, "example"),
    )


RECOMMENDATION = Recommendation(
    id="storage.dasd_block_size",
    title="Format mainframe disks into blocks of 4096 bytes",
    group="storage",
    target=AdviceTarget(name="block size of ECKD disks"),
    explanation=Explanation(
        changes="An ECKD disk is formatted once, into blocks of 512 to 4096 bytes with a gap after each.",
        helps="Larger blocks leave more of each track for data, and a page of the database is fewer of them.",
        leave_alone="Disks of 4096 bytes, which dasdfmt makes unless told otherwise; FBA and SCSI disks, "
        "whose blocks are the storage server's.",
        costs="New volumes and a move of all data: formatting destroys what is on a disk.",
        watch="lsdasd: blksz and the size; df before and after the move.",
    ),
    pros=("More room on the same volumes, and fewer blocks for each page.",),
    cons=("All data must be moved.", "No source here measured what it is worth."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    versions="Linux on IBM Z, ECKD DASD",
    cites=(Cite(claim="s390-tools.blocksize"),),
    decide=decide,
    examples=(
        Example(
            name="blocks of 512 bytes",
            given=Given(disk="san", architecture="s390x", huge_page_size="1MB", disks=(_disk(512),)),
            outcome=Advises(),
        ),
        Example(
            name="blocks of 4096 bytes",
            given=Given(disk="san", architecture="s390x", huge_page_size="1MB", disks=(_disk(4096),)),
            outcome=Declines(kind="keep"),
        ),
        Example(name="other disks", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

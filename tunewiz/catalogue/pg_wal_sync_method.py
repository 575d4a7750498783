"""wal_sync_method: by which call the WAL is made safe on disk. Explained, changed by hand."""

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
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict

USUAL = "fdatasync"
"""The default on Linux."""


def decide(situation: Situation) -> Verdict:
    """Leave the default; a method that was chosen deserves a measurement."""
    current = situation.will_be("wal_sync_method")
    if current == USUAL:
        because = (
            "fdatasync stays: it is safe on every file system, and no other method was measured as faster"
        )
        return Declined(because=because, kind="keep")
    return Advice(
        because=f"{current} was chosen: on today's kernels fdatasync is rarely slower",
        steps=(
            "Run pg_test_fsync -f FILE with FILE on the WAL's disk, at a quiet time.",
            "If fdatasync is no slower: ALTER SYSTEM RESET wal_sync_method; then SELECT pg_reload_conf();",
        ),
        undo=(f"ALTER SYSTEM SET wal_sync_method = '{current}'; then SELECT pg_reload_conf();",),
    )


RECOMMENDATION = Recommendation(
    id="pg.wal_sync_method",
    title="Keep the default wal_sync_method",
    group="durability",
    target=PgTarget(name="wal_sync_method"),
    explanation=Explanation(
        changes="Nothing is changed here. The methods differ in the call that makes the WAL safe; all of "
        "them are safe if the disks report writes honestly.",
        helps="fdatasync waits for data and only the needed metadata, on every file system.",
        leave_alone="Always, unless pg_test_fsync shows a clear difference on that disk.",
        costs="The z13 study recommends direct I/O for the WAL and names no setting for it. open_datasync "
        "only ever was direct with wal_level=minimal; since 16 it is the developers' option "
        "debug_io_direct.",
        watch="pg_test_fsync on the WAL's disk, WALSync waits in pg_stat_activity.",
    ),
    pros=("Tested by everyone: the default on Linux.",),
    cons=("Direct I/O for the WAL, which the z13 study found more reliable, is not had this way.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.wal_sync_method", opposes=True),
        Cite(claim="kernel-talk.fdatasync_errors", near=True),
        Cite(claim="postgres-manual.wal_sync_method"),
    ),
    disputes=(
        Dispute(
            one="PostgreSQL's manual: fdatasync is the default on Linux, and which method is fastest is for "
            "pg_test_fsync to say, on the disk itself.",
            other="The z13 study: write the WAL past the page cache, for reliability; it cost well under "
            "1 %. It does not say by which setting.",
            follows="The default. The WAL is flushed before a commit is answered either way, and "
            "PostgreSQL offers direct I/O for it only to developers (debug_io_direct, 16 and newer).",
            claims=("postgres-manual.wal_sync_method", "z-deck.wal_sync_method"),
        ),
    ),
    decide=decide,
    examples=(
        Example(
            name="open_datasync was chosen",
            given=Given(settings={"wal_sync_method": "open_datasync"}),
            outcome=Advises(),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
    ),
)

"""min_wal_size: how much WAL is kept for recycling."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.rounding import WHOLE, round_down, rounded_in_words
from tunewiz.core.values.units import GIB, MIB, Bytes

SHARE = 8
"""An eighth of max_wal_size: files for the next busy minutes, without filling the disk for ever."""

MOST = Bytes(4 * GIB)
"""256 WAL files: half a minute of writing at the pace of a fast disk, and the files are never given back."""

WORTH_IT = Bytes(256 * MIB)
"""Sixteen WAL files: creating fewer than that goes unnoticed."""


def decide(situation: Situation) -> Verdict:
    """A fixed part of max_wal_size where much is written."""
    largest, current = situation.will_be_size("max_wal_size"), situation.will_be_size("min_wal_size")
    value = min(MOST, round_down(largest // SHARE, WHOLE))
    if not situation.workload.writes:
        return Declined(because=f"{current.pg()} is enough where little is written", kind="keep")
    if value <= current or value < WORTH_IT:
        because = f"{current.pg()} is enough beside max_wal_size {largest.pg()}: more is worth it from "
        return Declined(because=f"{because}{(WORTH_IT * SHARE).pg()} on", kind="keep")
    return Proposal(
        value=value.pg(),
        because="after a quiet hour WAL files do not have to be created again",
        computed=f"max_wal_size {largest.short()} / {SHARE} = {_in_words(largest // SHARE, value)}",
    )


def _in_words(share: Bytes, value: Bytes) -> str:
    if value == MOST < share:
        return f"{share.short()}; at most {MOST.pg()}"
    return f"{share.short()}{rounded_in_words(share, value)}"


RECOMMENDATION = Recommendation(
    id="pg.min_wal_size",
    title="Increase min_wal_size",
    group="writing",
    target=PgTarget(name="min_wal_size"),
    explanation=Explanation(
        changes="Up to this size old WAL files are renamed for reuse rather than removed.",
        helps="An existing file does not have to be created and filled with zeros while commits wait.",
        leave_alone="Where little is written, or disk space is short: this much stays taken.",
        costs="Disk space that is never freed.",
        watch="Size of pg_wal (pg_xlog before 10); “added, removed, recycled” in the log's checkpoint lines.",
    ),
    pros=("Bursts of writing start at full speed.", "Fewer file creations, which contend for locks."),
    cons=("Takes disk space for good.", "The effect was not measured here."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(
        Cite(claim="kernel-talk.shared_kernel_locks", near=True),
        Cite(claim="postgres-manual.min_wal_size"),
    ),
    decide=decide,
    after=("pg.max_wal_size",),
    examples=(
        Example(
            name="an eighth of 16 GB",
            given=Given(settings={"max_wal_size": "16GB"}),
            outcome=Sets(value="2GB"),
        ),
        Example(
            name="mostly reads",
            given=Given(workload="read_mostly", settings={"max_wal_size": "16GB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="beside the default", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="more was chosen",
            given=Given(settings={"max_wal_size": "16GB", "min_wal_size": "4GB"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

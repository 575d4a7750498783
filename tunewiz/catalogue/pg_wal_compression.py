"""wal_compression: whole pages in the WAL are compressed."""

from __future__ import annotations

from tunewiz.core.evidence import Cite
from tunewiz.core.examples import Given
from tunewiz.core.majors import V15
from tunewiz.core.model import (
    Advice,
    Advises,
    Declined,
    Declines,
    Example,
    Explanation,
    PgTarget,
    Recommendation,
    RiskLevel,
    Verdict,
)
from tunewiz.core.situation import Situation

CORES_TO_SPARE = 8
"""On two cores compression was part of a set that gained no throughput (claim m3)."""


def decide(now: Situation) -> Verdict:
    """Advice where cores are plenty: which methods there are hangs on how the server was built."""
    current = now.will_be("wal_compression")
    if current != "off":
        return Declined(because=f"{current} was chosen", kind="keep")
    if not now.workload.writes:
        return Declined(because="little is written: there is little to compress", kind="keep")
    if now.major < V15:
        return Declined(because="up to 14 there is only pglz, which costs much processor time at each write")
    if now.cores < CORES_TO_SPARE:
        return Declined(because=f"{now.cores} cores have little to spare for compressing")
    return Advice(
        because=f"{now.cores} cores may have time to spare: lz4 makes WAL smaller, if the server has it",
        steps=(
            "SELECT enumvals FROM pg_settings WHERE name = 'wal_compression';",
            "If lz4 is there: ALTER SYSTEM SET wal_compression = 'lz4'; then SELECT pg_reload_conf();",
            "Compare wal_bytes in pg_stat_wal and processor load over the same busy hour.",
        ),
        undo=("ALTER SYSTEM RESET wal_compression; then SELECT pg_reload_conf();",),
    )


RECOMMENDATION = Recommendation(
    id="pg.wal_compression",
    title="Try compressing whole pages in the WAL",
    group="writing",
    target=PgTarget(name="wal_compression"),
    explanation=Explanation(
        changes="Whole pages that go into the WAL after a checkpoint are compressed: by pglz, from 15 "
        "also by lz4 or zstd where the server was built with them.",
        helps="Less WAL to write, archive, send to standbys and replay.",
        leave_alone="Where processors are the limit, or WAL is small. With pglz, mostly.",
        costs="Processor time in the session that writes, while it holds up others.",
        watch="wal_bytes and wal_fpi in pg_stat_wal (14 and newer), processor load.",
    ),
    pros=("WAL may shrink to half or less after a checkpoint.", "Takes a reload."),
    cons=("Processor time for every whole page.", "On two cores it was part of a set that gained nothing."),
    risk=RiskLevel.LOW,
    basis="measured",
    cites=(Cite(claim="m3", opposes=True), Cite(claim="9a", near=True)),
    decide=decide,
    examples=(
        Example(name="16 cores and writes", given=Given(cores=16), outcome=Advises()),
        Example(name="two cores", given=Given(cores=2), outcome=Declines()),
        Example(name="only pglz", given=Given(cores=16, major="14"), outcome=Declines()),
        Example(
            name="mostly reads",
            given=Given(cores=16, workload="read_mostly"),
            outcome=Declines(kind="keep"),
        ),
    ),
)

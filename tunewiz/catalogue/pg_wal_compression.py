"""wal_compression: whole pages in the WAL are compressed."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.seen_work import FULL_PAGES, few_full_pages
from tunewiz.core.values.known import Known
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.versions import V15

CORES_TO_SPARE = 8
"""On two cores compression was part of a set that gained no throughput (claim m3)."""


def decide(situation: Situation) -> Verdict:
    """If there are cores to spare: which methods exist depends on how the server was built."""
    current = situation.will_be("wal_compression")
    if current != "off":
        return Declined(because=f"{current} was chosen", kind="keep")
    if not situation.workload.writes:
        return Declined(because="little is written: there is little to compress", kind="keep")
    for few_full_page in few_full_pages(situation):
        return Declined(because=f"there is little to compress: {few_full_page}", kind="keep")
    if situation.major < V15:
        return Declined(because="up to 14 there is only pglz, which costs much processor time at each write")
    if situation.cores < CORES_TO_SPARE:
        return Declined(because=f"{how_many(situation.cores, 'core')}: little to spare for compressing")
    return _by_the_build(situation)


def _by_the_build(situation: Situation) -> Verdict:
    """The method that costs least, where the server says that it was built with it."""
    if isinstance(situation.server, NoServer) or not isinstance(situation.server.choices, Known):
        return _ask_the_server(situation)
    offered = situation.settings["wal_compression"].choices
    if "lz4" not in offered:
        return Declined(
            because="this server was built without lz4; pglz costs much processor time at each write"
        )
    return Proposal(
        value="lz4",
        because=f"{situation.cores} cores may have time to spare, and this server was built with lz4",
        computed=f"{situation.cores} cores, {CORES_TO_SPARE} or more; it offers {', '.join(offered)}",
    )


def _ask_the_server(situation: Situation) -> Advice:
    return Advice(
        because=f"{situation.cores} cores may have time to spare: lz4 makes WAL "
        f"smaller, if the server has it",
        steps=(
            "SELECT enumvals FROM pg_settings WHERE name = 'wal_compression';",
            "If lz4 is there: ALTER SYSTEM SET wal_compression = 'lz4'; then SELECT pg_reload_conf();",
            "Compare wal_bytes in pg_stat_wal and processor load over the same busy hour.",
        ),
        undo=("ALTER SYSTEM RESET wal_compression; then SELECT pg_reload_conf();",),
    )


RECOMMENDATION = Recommendation(
    id="pg.wal_compression",
    title="Compress full-page images in the WAL",
    group="writing",
    target=PgTarget(name="wal_compression"),
    explanation=Explanation(
        changes="Whole pages that go into the WAL after a checkpoint are compressed: by pglz, from 15 "
        "also by lz4 or zstd where the server was built with them.",
        helps="Less WAL to write, archive, send to standbys and replay.",
        leave_alone="Where processors are the limit, or WAL is small. With pglz, mostly.",
        costs="Processor time in the session that writes, while it blocks others.",
        watch="wal_bytes and wal_fpi in pg_stat_wal (14 and newer), processor load.",
    ),
    pros=("WAL may shrink to half or less after a checkpoint.", "Takes a reload."),
    cons=("Processor time for every whole page.", "Two busy cores have no processor time to spare."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="own-small-vm.wal_compression"),
        Cite(claim="pryzby-lz4.compared"),
        Cite(claim="power.max_wal_size", near=True),
        Cite(claim="postgres-manual.wal_compression"),
    ),
    decide=decide,
    witnesses=(FULL_PAGES,),
    examples=(
        Example(name="16 cores and writes", given=Given(cores=16), outcome=Advises()),
        Example(
            name="16 cores, writes and a build with lz4",
            given=Given(cores=16, built_with={"wal_compression": ("pglz", "lz4", "on", "off")}),
            outcome=Sets(value="lz4"),
        ),
        Example(
            name="a build without lz4",
            given=Given(cores=16, built_with={"wal_compression": ("pglz", "on", "off")}),
            outcome=Declines(),
        ),
        Example(name="two cores", given=Given(cores=2), outcome=Declines()),
        Example(name="only pglz", given=Given(cores=16, major="14"), outcome=Declines()),
        Example(
            name="mostly reads",
            given=Given(cores=16, workload="read_mostly"),
            outcome=Declines(kind="keep"),
        ),
    ),
)

"""multixact_member_buffers: the cache of the members of multixacts."""

from __future__ import annotations

from tunewiz.core.facts.slru import SlruCache
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import RiskLevel, Verdict
from tunewiz.core.server.slru import by_reads, witness_of
from tunewiz.core.values.known import Known


def decide(situation: Situation) -> Verdict:
    """Larger where the server's own counters show many reads."""
    return by_reads(situation, "multixact_member_buffers")


RECOMMENDATION = Recommendation(
    id="pg.multixact_member_buffers",
    title="Keep multixact members in memory",
    group="memory",
    target=PgTarget(name="multixact_member_buffers"),
    explanation=Explanation(
        changes="The size of a small cache in shared memory for the members of multixacts: which "
        "transactions lock a row together (17 and newer; before that it was fixed).",
        helps="Rows that several transactions lock at once, as checks of foreign keys do, are "
        "looked up without a read.",
        leave_alone="Where pg_stat_slru counts few reads for it (blks_read): then a larger one gains "
        "nothing.",
        costs="A restart, and the memory.",
        watch="blks_read beside blks_hit for multixact_member in pg_stat_slru.",
    ),
    pros=("Shared row locks are checked without a read.",),
    cons=("Requires a restart.", "Long transactions are the usual cause of misses: shorten those first."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(Cite(claim="postgres-manual.slru_buffers"),),
    decide=decide,
    witnesses=(witness_of("multixact_member_buffers"),),
    after=("pg.shared_buffers",),
    examples=(
        Example(
            name="many reads",
            given=Given(
                major="17",
                settings={"shared_buffers": "16GB"},
                slru=Known((SlruCache(name="multixact_member", hit=9_000_000, read=900_000),), "example"),
            ),
            outcome=Sets(value="8MB"),
        ),
        Example(
            name="few reads",
            given=Given(
                major="17",
                slru=Known((SlruCache(name="multixact_member", hit=9_000_000, read=900),), "example"),
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(name="nothing was counted", given=Given(major="17"), outcome=Declines(kind="keep")),
        Example(name="16 has none", given=Given(major="16"), outcome=Declines(kind="not_applicable")),
    ),
)

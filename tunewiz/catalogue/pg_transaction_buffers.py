"""transaction_buffers: the cache of the status of transactions (committed or not)."""

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
from tunewiz.core.server.slru import own_size, witness_of
from tunewiz.core.values.known import Known


def decide(situation: Situation) -> Verdict:
    """The server's automatic size, where somebody made it smaller."""
    return own_size(situation, "transaction_buffers")


RECOMMENDATION = Recommendation(
    id="pg.transaction_buffers",
    title="Let the transaction status cache size itself",
    group="memory",
    target=PgTarget(name="transaction_buffers"),
    explanation=Explanation(
        changes="The size of a small cache in shared memory for the status of transactions: "
        "committed or not (17 and newer; before that it was fixed). 0 means a share of "
        "shared_buffers, at most 8 MB.",
        helps="Every query checks the transactions of old rows; with a large enough cache that needs "
        "no read.",
        leave_alone="Where pg_stat_slru counts few reads for it (blks_read): then a larger one gains "
        "nothing.",
        costs="A restart, and the memory.",
        watch="blks_read beside blks_hit for transaction in pg_stat_slru.",
    ),
    pros=("Old rows are checked without a read.",),
    cons=("Requires a restart.", "Long transactions are the usual cause of misses: shorten those first."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.slru_buffers"),),
    decide=decide,
    witnesses=(witness_of("transaction_buffers"),),
    after=("pg.shared_buffers",),
    examples=(
        Example(
            name="smaller than its automatic size",
            given=Given(major="17", settings={"shared_buffers": "16GB", "transaction_buffers": "512kB"}),
            outcome=Sets(value="0"),
        ),
        Example(
            name="many reads of one that sizes itself",
            given=Given(
                major="17",
                settings={"shared_buffers": "16GB"},
                slru=Known((SlruCache(name="transaction", hit=9_000_000, read=900_000),), "example"),
            ),
            outcome=Declines(),
        ),
        Example(
            name="few reads",
            given=Given(
                major="17", slru=Known((SlruCache(name="transaction", hit=9_000_000, read=900),), "example")
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(name="nothing was counted", given=Given(major="17"), outcome=Declines(kind="keep")),
        Example(name="16 has none", given=Given(major="16"), outcome=Declines(kind="not_applicable")),
    ),
)

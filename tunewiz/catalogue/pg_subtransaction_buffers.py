"""subtransaction_buffers: the cache of subtransactions and their parents."""

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
    return own_size(situation, "subtransaction_buffers")


RECOMMENDATION = Recommendation(
    id="pg.subtransaction_buffers",
    title="Let the subtransaction cache size itself",
    group="memory",
    target=PgTarget(name="subtransaction_buffers"),
    explanation=Explanation(
        changes="The size of a small cache in shared memory for subtransactions (savepoints, EXCEPTION "
        "blocks of PL/pgSQL) and their parents (17 and newer; before that it was fixed). "
        "0 means a share of shared_buffers, at most 8 MB.",
        helps="With many subtransactions and one long transaction, all other sessions look them up here.",
        leave_alone="Where pg_stat_slru counts few reads for it (blks_read): then a larger one gains "
        "nothing.",
        costs="A restart, and the memory.",
        watch="blks_read beside blks_hit for subtransaction in pg_stat_slru.",
    ),
    pros=("Savepoints do not stall other sessions.",),
    cons=("Requires a restart.", "Long transactions are the usual cause of misses: shorten those first."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.slru_buffers"),),
    decide=decide,
    witnesses=(witness_of("subtransaction_buffers"),),
    after=("pg.shared_buffers",),
    examples=(
        Example(
            name="smaller than its automatic size",
            given=Given(major="17", settings={"shared_buffers": "16GB", "subtransaction_buffers": "512kB"}),
            outcome=Sets(value="0"),
        ),
        Example(
            name="many reads at the automatic size",
            given=Given(
                major="17",
                settings={"shared_buffers": "16GB"},
                slru=Known((SlruCache(name="subtransaction", hit=9_000_000, read=900_000),), "example"),
            ),
            outcome=Declines(),
        ),
        Example(
            name="few reads",
            given=Given(
                major="17",
                slru=Known((SlruCache(name="subtransaction", hit=9_000_000, read=900),), "example"),
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(name="nothing was counted", given=Given(major="17"), outcome=Declines(kind="keep")),
        Example(name="16 has none", given=Given(major="16"), outcome=Declines(kind="not_applicable")),
    ),
)

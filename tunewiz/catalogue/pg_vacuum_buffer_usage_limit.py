"""vacuum_buffer_usage_limit: how much of the cache vacuum may use."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.units import MIB, Bytes

SINCE_17 = Bytes(2 * MIB)
"""The default since PostgreSQL 17; 16 has 256 kB."""


def decide(situation: Situation) -> Verdict:
    """2 MB, as the server has it since 17."""
    current = situation.will_be_size("vacuum_buffer_usage_limit")
    if not current:
        return Declined(because="0 was chosen: vacuum may use the whole cache", kind="keep")
    if current >= SINCE_17:
        return Declined(because=f"{current.pg()} is enough, 2MB is the default since 17", kind="keep")
    return Proposal(
        value=SINCE_17.pg(),
        because=f"in {current.pg()} vacuum writes its WAL out again and again to reuse its few pages",
        computed=f"{SINCE_17.pg()}, the default since PostgreSQL 17",
    )


RECOMMENDATION = Recommendation(
    id="pg.vacuum_buffer_usage_limit",
    title="Increase vacuum_buffer_usage_limit",
    group="vacuum",
    target=PgTarget(name="vacuum_buffer_usage_limit"),
    explanation=Explanation(
        changes="VACUUM and ANALYZE read into a small ring of pages so that they do not evict others from "
        "shared_buffers. This is the ring's size (16 and newer).",
        helps="A larger ring is reused less often, and each reuse of a changed page waits for its WAL.",
        leave_alone="From 17 on, where 2MB is the default. Before 16 it was fixed at 256 kB.",
        costs="2 MB of shared_buffers for each vacuum that runs.",
        watch="How long autovacuum takes (log_autovacuum_min_duration), reuses in pg_stat_io.",
    ),
    pros=("Vacuum finishes sooner.", "Takes a reload."),
    cons=("A little more of the cache goes to vacuum.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="postgres-manual.vacuum_buffer_usage_limit"),
    ),
    decide=decide,
    examples=(
        Example(name="the default of 16", given=Given(major="16"), outcome=Sets(value="2MB")),
        Example(name="the default of 17", given=Given(major="17"), outcome=Declines(kind="keep")),
        Example(name="15 has none", given=Given(major="15"), outcome=Declines(kind="not_applicable")),
    ),
)

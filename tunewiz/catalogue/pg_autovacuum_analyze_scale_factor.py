"""autovacuum_analyze_scale_factor: how much of a table may change before its statistics are refreshed."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.database_size import (
    LARGE,
    part_in_words,
    part_of_a_table,
    shown,
    size_of,
    why_soon_enough,
)

USUAL = Fraction(1, 10)
"""PostgreSQL's default."""


def decide(situation: Situation) -> Verdict:
    """Sooner in large databases that are written to."""
    current, value = (
        Fraction(situation.will_be("autovacuum_analyze_scale_factor")),
        part_of_a_table(situation, USUAL),
    )
    if not situation.workload.writes or size_of(situation) <= LARGE:
        because = f"{float(current):g} is right for a database of this size and workload"
        return Declined(because=because, kind="keep")
    if why := why_soon_enough(situation, current, USUAL):
        return Declined(because=f"{float(current):g} refreshes statistics soon enough: {why}", kind="keep")
    return Proposal(
        value=shown(value),
        because=f"in {size_of(situation).short()}, {float(current):.0%} of a "
        f"large table may change without the "
        "planner knowing",
        computed=part_in_words(situation, USUAL, value),
    )


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_analyze_scale_factor",
    title="Analyze large tables sooner",
    group="vacuum",
    target=PgTarget(name="autovacuum_analyze_scale_factor"),
    explanation=Explanation(
        changes="Autovacuum refreshes a table's statistics when this part of its rows has changed (plus "
        "autovacuum_analyze_threshold, 50 rows).",
        helps="The newest rows are the ones queried most, and the planner knows nothing about them "
        "until ANALYZE has run.",
        leave_alone="Small databases and mostly reads. If only one table is large, set it there: ALTER "
        "TABLE … SET (autovacuum_analyze_scale_factor = …).",
        costs="ANALYZE reads a sample of the table more often.",
        watch="last_autoanalyze and n_mod_since_analyze in pg_stat_user_tables; rows estimated against "
        "actual in EXPLAIN ANALYZE.",
    ),
    pros=("Plans follow the data.", "Takes a reload."),
    cons=("ANALYZE runs more often.", "The value is a rule of thumb, not a measurement."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="postgres-manual.autovacuum_analyze_scale_factor"),
    ),
    decide=decide,
    examples=(
        Example(name="256 GB with writes", given=Given(), outcome=Sets(value="0.06")),
        Example(name="a small database", given=Given(database_size="10GB"), outcome=Declines(kind="keep")),
        Example(name="mostly reads", given=Given(workload="read_mostly"), outcome=Declines(kind="keep")),
        Example(
            name="sooner already",
            given=Given(settings={"autovacuum_analyze_scale_factor": "0.02"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

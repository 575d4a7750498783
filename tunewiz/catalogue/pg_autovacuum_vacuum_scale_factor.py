"""autovacuum_vacuum_scale_factor: how much of a table may be dead before it is vacuumed."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import dead_rows
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
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.seen_vacuum import DEAD_ROWS, vacuum_keeps_up

USUAL = Fraction(1, 5)
"""PostgreSQL's default."""


def decide(situation: Situation) -> Verdict:
    """Sooner in large databases that are written to."""
    current, value = (
        Fraction(situation.will_be("autovacuum_vacuum_scale_factor")),
        part_of_a_table(situation, USUAL),
    )
    if not situation.workload.writes or size_of(situation) <= LARGE:
        because = f"{float(current):g} is right for a database of this size and workload"
        return Declined(because=because, kind="keep")
    if why := why_soon_enough(situation, current, USUAL):
        return Declined(because=f"{float(current):g} starts autovacuum soon enough: {why}", kind="keep")
    for observation in vacuum_keeps_up(situation):
        because = (
            f"{float(current):g} starts autovacuum soon enough: {rather_than(observation, shown(value))}"
        )
        return Declined(because=because, kind="keep")
    return Proposal(
        value=shown(value),
        because=f"in {size_of(situation).short()}, {float(current):.0%} of a large "
        f"table is much to clean at once",
        computed=part_in_words(situation, USUAL, value),
    )


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_vacuum_scale_factor",
    title="Vacuum large tables sooner",
    group="vacuum",
    target=PgTarget(name="autovacuum_vacuum_scale_factor"),
    explanation=Explanation(
        changes="Autovacuum looks at a table when this part of its rows is dead (plus "
        "autovacuum_vacuum_threshold, 50 rows).",
        helps="Large tables bloat less: each pass has less to clean. From 18 autovacuum_vacuum_max_threshold "
        "(100 million rows) bounds it as well.",
        leave_alone="Small databases and mostly reads. If only one table is large, set it there: ALTER "
        "TABLE … SET (autovacuum_vacuum_scale_factor = …).",
        costs="More passes over the indexes.",
        watch="n_dead_tup against n_live_tup of the largest tables in pg_stat_user_tables.",
    ),
    pros=("Less bloat in large tables.", "Takes a reload."),
    cons=(
        "Autovacuum runs more often.",
        "That large tables wait too long is documented; the value is a rule of thumb, not a measurement.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="pgsql-max-threshold.large_tables"),
        Cite(claim="postgres-manual.autovacuum_vacuum_scale_factor"),
    ),
    decide=decide,
    witnesses=(DEAD_ROWS,),
    observed=(dead_rows,),
    examples=(
        Example(name="256 GB with writes", given=Given(), outcome=Sets(value="0.12")),
        Example(name="ten times as much", given=Given(database_size="2560GB"), outcome=Sets(value="0.04")),
        Example(name="a small database", given=Given(database_size="10GB"), outcome=Declines(kind="keep")),
        Example(
            name="sooner already",
            given=Given(settings={"autovacuum_vacuum_scale_factor": "0.05"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

"""autovacuum_vacuum_insert_scale_factor: how many new rows a table gets before it is vacuumed for them."""

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
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.seen_vacuum import INSERTS, few_inserted

USUAL = Fraction(1, 5)
"""PostgreSQL's default."""


def decide(situation: Situation) -> Verdict:
    """Sooner in large databases that are written to."""
    current = Fraction(situation.will_be("autovacuum_vacuum_insert_scale_factor"))
    value = part_of_a_table(situation, USUAL)
    if not situation.workload.writes or size_of(situation) <= LARGE:
        because = f"{float(current):g} is right for a database of this size and workload"
        return Declined(because=because, kind="keep")
    if why := why_soon_enough(situation, current, USUAL):
        return Declined(because=f"{float(current):g} starts autovacuum soon enough: {why}", kind="keep")
    for observation in few_inserted(situation):
        because = (
            f"{float(current):g} freezes new rows early enough: {rather_than(observation, shown(value))}"
        )
        return Declined(because=because, kind="keep")
    return Proposal(
        value=shown(value),
        because=f"in {size_of(situation).short()}, {float(current):.0%} of a large "
        f"table is much to freeze at once",
        computed=part_in_words(situation, USUAL, value),
    )


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_vacuum_insert_scale_factor",
    title="Vacuum large tables sooner after inserts",
    group="vacuum",
    target=PgTarget(name="autovacuum_vacuum_insert_scale_factor"),
    explanation=Explanation(
        changes="Autovacuum also looks at a table that only grows when this part of its rows is new (plus "
        "autovacuum_vacuum_insert_threshold, 1000 rows; 13 and newer).",
        helps="Tables that are only inserted into are frozen bit by bit rather than all at once when "
        "wraparound forces it, and their index-only scans stay fast.",
        leave_alone="Small databases and mostly reads. If only one table is large, set it there.",
        costs="More passes over new pages, each of which is written once more when it is frozen.",
        watch="n_ins_since_vacuum of the largest tables in pg_stat_user_tables.",
    ),
    pros=("No large freeze at a bad time.", "Takes a reload."),
    cons=("Autovacuum runs more often.", "The value is a rule of thumb, not a measurement."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(Cite(claim="postgres-manual.autovacuum_vacuum_insert_scale_factor"),),
    decide=decide,
    witnesses=(INSERTS,),
    examples=(
        Example(name="a terabyte", given=Given(database_size="1TB"), outcome=Sets(value="0.06")),
        Example(name="20 GB", given=Given(database_size="20GB"), outcome=Declines(kind="keep")),
        Example(
            name="a terabyte of reads",
            given=Given(database_size="1TB", workload="read_mostly"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="12 does not know it",
            given=Given(database_size="1TB", major="12"),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)

"""autovacuum_vacuum_max_threshold: the most dead rows before a table is vacuumed."""

from __future__ import annotations

from fractions import Fraction

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
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

NAME = "autovacuum_vacuum_max_threshold"

USUAL = 100_000_000
"""The default (pg_settings, 18)."""
NO_LIMIT = -1


def decide(situation: Situation) -> Verdict:
    """The default where the limit was switched off."""
    current, factor = (
        int(situation.will_be(NAME)),
        Fraction(situation.will_be("autovacuum_vacuum_scale_factor")),
    )
    if current != NO_LIMIT:
        counts = f"; it applies from {int(current / factor):,} rows on" if factor else ""
        return Declined(
            because=f"{current:,} dead rows start a vacuum, however large the table{counts}", kind="keep"
        )
    return Proposal(
        value=str(USUAL),
        because="without a limit, a table of a billion rows gathers a share of them before it is vacuumed",
        computed=f"{USUAL:,}, the default",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_vacuum_max_threshold",
    title="Limit the dead rows of the largest tables",
    group="vacuum",
    target=PgTarget(name="autovacuum_vacuum_max_threshold"),
    explanation=Explanation(
        changes="However large a table is, autovacuum vacuums it once this many of its rows were "
        "updated or deleted (18 and newer). Before 18 only the scale factor counted, a share of "
        "the rows.",
        helps="Tables of 500 million rows and more are vacuumed before a fifth of their rows are dead: "
        "less bloat, and shorter runs.",
        leave_alone="Where it is the default. A single table can have its own limit.",
        costs="The largest tables are vacuumed more often.",
        watch="n_dead_tup of the largest tables in pg_stat_user_tables.",
    ),
    pros=("Large tables do not gather dead rows for days.", "Takes a reload."),
    cons=("Autovacuum runs more often on large tables.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="pgsql-max-threshold.large_tables"),
        Cite(claim="postgres-manual.autovacuum_vacuum_max_threshold"),
    ),
    decide=decide,
    after=("pg.autovacuum_vacuum_scale_factor",),
    examples=(
        Example(
            name="no limit",
            given=Given(major="18", settings={"autovacuum_vacuum_max_threshold": "-1"}),
            outcome=Sets(value="100000000"),
        ),
        Example(name="the default", given=Given(major="18"), outcome=Declines(kind="keep")),
        Example(name="17 has none", given=Given(major="17"), outcome=Declines(kind="not_applicable")),
    ),
)

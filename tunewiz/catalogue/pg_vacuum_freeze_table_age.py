"""vacuum_freeze_table_age: when a vacuum reads a whole table to freeze it."""

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

USUAL = 150_000_000
"""The default (manual, version 15)."""
MOST = Fraction(95, 100)
"""Of autovacuum_freeze_max_age: the server caps it there (manual, version 15)."""


def decide(situation: Situation) -> Verdict:
    """The default where every vacuum reads the whole table."""
    current = int(situation.will_be("vacuum_freeze_table_age"))
    limit = int(int(situation.will_be("autovacuum_freeze_max_age")) * MOST)
    if current == 0:
        return Proposal(
            value=str(min(USUAL, limit)),
            because="at 0 every vacuum reads all pages that are not frozen yet, even without dead rows",
            computed=f"{USUAL:,}, the default, at most {MOST} of autovacuum_freeze_max_age = {limit:,}",
            ticked=False,
        )
    if current > limit:
        because = f"{current:,} is capped at {limit:,}, {float(MOST):g} of autovacuum_freeze_max_age"
        return Declined(because=because, kind="keep")
    return Declined(because=f"from {current:,} transactions on a vacuum freezes a whole table", kind="keep")


RECOMMENDATION = Recommendation(
    id="pg.vacuum_freeze_table_age",
    title="Freeze whole tables no more often than needed",
    group="vacuum",
    target=PgTarget(name="vacuum_freeze_table_age"),
    explanation=Explanation(
        changes="Usually a vacuum skips pages without dead rows. Once the oldest row of a table is this "
        "many transactions old, it reads all that are not frozen yet, and freezes them.",
        helps="Rows are frozen by a vacuum that runs anyway, before one against wraparound is forced.",
        leave_alone="Where it is the default. If tables can be frozen at night, VACUUM (FREEZE) then "
        "is better than any value here.",
        costs="A lower value means that large tables are read as a whole more often.",
        watch="age(relfrozenxid) of the largest tables in pg_class.",
    ),
    pros=("A vacuum reads only what it must.", "Takes a reload."),
    cons=("Old rows are frozen later.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.vacuum_freeze_table_age"),),
    decide=decide,
    after=("pg.autovacuum_freeze_max_age",),
    examples=(
        Example(
            name="every vacuum reads all",
            given=Given(settings={"vacuum_freeze_table_age": "0"}),
            outcome=Sets(value="150000000"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="more than the server uses",
            given=Given(settings={"vacuum_freeze_table_age": "1000000000"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

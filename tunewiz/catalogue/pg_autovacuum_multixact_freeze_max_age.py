"""autovacuum_multixact_freeze_max_age: when a vacuum against multixact wraparound is forced."""

from __future__ import annotations

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

USUAL = 400_000_000
"""PostgreSQL's default (manual, version 15): low, so that pg_multixact stays small."""
TOO_LATE = 1_500_000_000
"""Above this, too few of two billion ids are left for a late vacuum of a large table to finish."""


def decide(situation: Situation) -> Verdict:
    """The default where it is so high that the server may stop accepting writes."""
    current = int(situation.will_be("autovacuum_multixact_freeze_max_age"))
    if current > TOO_LATE:
        return Proposal(
            value=str(USUAL),
            because=f"{current:,} leaves little time until several transactions can no longer share a "
            "row lock",
            computed=f"{USUAL:,}, the default",
            ticked=False,
        )
    return Declined(because=f"{current:,} leaves enough time", kind="keep")


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_multixact_freeze_max_age",
    title="Leave room before multixact wraparound",
    group="vacuum",
    target=PgTarget(name="autovacuum_multixact_freeze_max_age"),
    explanation=Explanation(
        changes="A row that several transactions lock at once has a multixact id. A table whose oldest "
        "is this many ids old is vacuumed even if autovacuum is off, so that ids can be used "
        "again.",
        helps="Multixact ids run out like transaction ids, and then nothing that needs one is "
        "accepted. A vacuum that begins early has the time to finish.",
        leave_alone="Where it is the default, or was lowered for a reason. Lowering it for one table needs "
        "no restart.",
        costs="A restart. A lower value means vacuums that read whole tables more often.",
        watch="mxid_age(datminmxid) in pg_database, and the size of pg_multixact in the data directory.",
    ),
    pros=("Time to finish before ids run out.",),
    cons=("Tables with old rows are read more often.", "Requires a restart."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.autovacuum_multixact_freeze_max_age"),),
    decide=decide,
    examples=(
        Example(
            name="far too late",
            given=Given(settings={"autovacuum_multixact_freeze_max_age": "1900000000"}),
            outcome=Sets(value="400000000"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
    ),
)

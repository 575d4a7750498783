"""autovacuum_freeze_max_age: when a vacuum against wraparound is forced."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import oldest_transaction
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.seen_vacuum import FREEZING, freeze_forecast

USUAL = 200_000_000
"""PostgreSQL's default, a tenth of what transaction ids last for."""

TOO_LATE = 1_500_000_000
"""Beyond this, too little is left of two billion ids for a vacuum of a large table that starts late."""


def decide(situation: Situation) -> Verdict:
    """Leave it, unless it is so late that the server may stop accepting writes."""
    current = int(situation.will_be("autovacuum_freeze_max_age"))
    if current > TOO_LATE:
        return Proposal(
            value=str(USUAL * 5),
            because=f"{current:,} leaves little time before the server refuses to write",
            computed=f"5 x {USUAL:,} (the default) = {USUAL * 5:,}: half of all transaction ids",
            ticked=False,
        )
    if current < USUAL:
        return Declined(
            because=f"{current:,} was chosen: tables are frozen more often than by default", kind="keep"
        )
    forecast = "".join(
        f"; the next vacuum against wraparound: {words}" for _, words in freeze_forecast(situation)
    )
    return Declined(because=f"{current:,} leaves enough time{forecast}", kind="keep")


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_freeze_max_age",
    title="Leave room before transaction ID wraparound",
    group="vacuum",
    target=PgTarget(name="autovacuum_freeze_max_age"),
    explanation=Explanation(
        changes="A table whose oldest row is this many transactions old is vacuumed even if autovacuum "
        "is off, so that ids can be used again (freezing).",
        helps="About two billion ids can be told apart; three million before the end the "
        "server refuses to write (from 14; earlier one million).",
        leave_alone="At its default. A larger value postpones the work: very busy servers do so, and must "
        "watch it.",
        costs="A restart. Lowering it immediately starts vacuums of all tables that are older.",
        watch="age(datfrozenxid) in pg_database: it should stay well below this value.",
    ),
    pros=("Time to act if a vacuum fails or is blocked.",),
    cons=("Large tables are frozen more often.", "Requires a restart, and vacuums follow it."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_off", near=True),
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="postgres-manual.autovacuum_freeze_max_age"),
    ),
    decide=decide,
    witnesses=(FREEZING,),
    observed=(oldest_transaction,),
    examples=(
        Example(
            name="postponed too far",
            given=Given(settings={"autovacuum_freeze_max_age": "2000000000"}),
            outcome=Sets(value="1000000000"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
    ),
)

"""wal_receiver_status_interval: how often a standby reports its position to its primary."""

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
from tunewiz.core.server.standby import NOT_A_STANDBY, is_standby

USUAL = "10s"
"""The default (manual, version 15)."""


def decide(situation: Situation) -> Verdict:
    """The default where reports were switched off: feedback is sent with them."""
    if not is_standby(situation):
        return NOT_A_STANDBY
    current = situation.will_be("wal_receiver_status_interval")
    if current != "0":
        return Declined(because=f"it reports at least every {current}", kind="keep")
    feedback = situation.will_be("hot_standby_feedback") == "on"
    return Proposal(
        value=USUAL,
        because="hot_standby_feedback is on, and without reports it is never sent"
        if feedback
        else "without reports the primary's pg_stat_replication shows an old position",
        computed=f"0 (never) becomes {USUAL}, the default",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.wal_receiver_status_interval",
    title="Let a standby report its position",
    group="durability",
    target=PgTarget(name="wal_receiver_status_interval"),
    explanation=Explanation(
        changes="The longest time between two reports of a standby to its primary: what it received, "
        "wrote and replayed, and with hot_standby_feedback which rows its queries need.",
        helps="pg_stat_replication on the primary shows where the standby is; feedback reaches the primary.",
        leave_alone="Where it is the default.",
        costs="A small message every ten seconds.",
        watch="reply_time in pg_stat_replication on the primary (12 and newer).",
    ),
    pros=("The primary knows its standby's position.", "Takes a reload."),
    cons=("A few bytes of network traffic.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.wal_receiver_status_interval"),),
    decide=decide,
    examples=(
        Example(
            name="reports are off",
            given=Given(role="standby", settings={"wal_receiver_status_interval": "0"}),
            outcome=Sets(value="10s"),
        ),
        Example(name="the default", given=Given(role="standby"), outcome=Declines(kind="keep")),
        Example(name="a primary", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

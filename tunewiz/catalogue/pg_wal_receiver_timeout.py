"""wal_receiver_timeout: when a standby gives up a silent connection."""

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

USUAL = "1min"
"""The default (manual, version 15)."""


def decide(situation: Situation) -> Verdict:
    """The default where it was switched off."""
    if not is_standby(situation):
        return NOT_A_STANDBY
    current = situation.will_be("wal_receiver_timeout")
    if current != "0":
        return Declined(because=f"a connection that is silent for {current} is given up", kind="keep")
    return Proposal(
        value=USUAL,
        because="this standby would wait for ever on a dead connection, and fall behind",
        computed=f"0 (no limit) becomes {USUAL}, the default",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.wal_receiver_timeout",
    title="Let a standby notice that its primary is gone",
    group="durability",
    target=PgTarget(name="wal_receiver_timeout"),
    explanation=Explanation(
        changes="A standby ends its connection when nothing came from the primary for this long, and "
        "tries again (the primary answers at least every half wal_sender_timeout).",
        helps="A primary that crashed or a network that broke is noticed; the standby then reads the "
        "archive or reconnects.",
        leave_alone="Where it is the default: it suits most networks. Raise it where links are silent for "
        "longer.",
        costs="Too short a limit ends connections that are only slow.",
        watch="“terminating walreceiver due to timeout” in the standby's log.",
    ),
    pros=("A broken link is noticed within a minute.", "Takes a reload."),
    cons=("A slow link may be closed and reopened.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.wal_receiver_timeout"),),
    decide=decide,
    examples=(
        Example(
            name="no limit",
            given=Given(role="standby", settings={"wal_receiver_timeout": "0"}),
            outcome=Sets(value="1min"),
        ),
        Example(name="the default", given=Given(role="standby"), outcome=Declines(kind="keep")),
        Example(name="a primary", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

"""max_standby_streaming_delay: how long replay waits for a query on a standby."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.example_replication import cancelling
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Example,
    Explanation,
    Recommendation,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import RiskLevel, Verdict
from tunewiz.core.server.replay_delay import replay_delay
from tunewiz.core.server.seen_replication import CONFLICTS

NAME = "max_standby_streaming_delay"


def decide(situation: Situation) -> Verdict:
    """Both choices, where replay waits without a limit or where only waiting longer would help."""
    return replay_delay(situation, NAME)


RECOMMENDATION = Recommendation(
    id="pg.max_standby_streaming_delay",
    title="Choose how long replay waits for queries",
    group="vacuum",
    target=PgTarget(name="max_standby_streaming_delay"),
    explanation=Explanation(
        changes="Nothing is changed here. WAL from the primary may conflict with a query on this "
        "standby; replay then waits this long in total before it cancels the query.",
        helps="A longer delay lets reports finish. A shorter one keeps the standby close to its "
        "primary, and promotion quick: all WAL must be replayed first.",
        leave_alone="Where no query was cancelled, and on a standby that only waits to take over: 30 s, the "
        "default, does no harm there.",
        costs="While replay waits, all other queries here see older data too. With -1 one forgotten "
        "query stops replay for ever, and WAL piles up.",
        watch="replay_lag in pg_stat_replication of the primary, and pg_stat_database_conflicts here.",
    ),
    pros=("Queries that matter are not cancelled.",),
    cons=("Every second of waiting is a second that the standby is behind.",),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.max_standby_streaming_delay"),),
    decide=decide,
    witnesses=(CONFLICTS,),
    examples=(
        Example(
            name="replay waits for ever",
            given=Given(role="standby", settings={"max_standby_streaming_delay": "-1"}),
            outcome=Advises(),
        ),
        Example(
            name="queries were cancelled for locks",
            given=Given(role="standby", replication=cancelling(snapshot=2, lock=5)),
            outcome=Advises(),
        ),
        Example(
            name="only cleanup cancelled queries",
            given=Given(role="standby", replication=cancelling(snapshot=5)),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="nothing was cancelled",
            given=Given(role="standby", replication=cancelling()),
            outcome=Declines(kind="keep"),
        ),
        Example(name="a primary", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

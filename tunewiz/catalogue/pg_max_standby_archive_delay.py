"""max_standby_archive_delay: how long replay from an archive waits for a query on a standby."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
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

NAME = "max_standby_archive_delay"


def decide(situation: Situation) -> Verdict:
    """Both choices, where replay from the archive waits without a limit."""
    return replay_delay(situation, NAME)


RECOMMENDATION = Recommendation(
    id="pg.max_standby_archive_delay",
    title="Choose how long replay from the archive waits",
    group="vacuum",
    target=PgTarget(name="max_standby_archive_delay"),
    explanation=Explanation(
        changes="Nothing is changed here. The same as max_standby_streaming_delay while this standby "
        "reads its WAL from an archive: how long replay waits for a query before it cancels it.",
        helps="A longer delay lets reports finish. A shorter one lets the standby catch up, which is "
        "why it reads from the archive at all.",
        leave_alone="Where the standby only streams: it reads the archive only after a long absence.",
        costs="With -1 one forgotten query stops replay for ever.",
        watch="pg_last_xact_replay_timestamp() here against the clock, and pg_stat_database_conflicts.",
    ),
    pros=("Queries that matter are not cancelled.",),
    cons=("Catching up takes longer.",),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.max_standby_archive_delay"),),
    decide=decide,
    examples=(
        Example(
            name="replay waits for ever",
            given=Given(role="standby", settings={"max_standby_archive_delay": "-1"}),
            outcome=Advises(),
        ),
        Example(name="the default", given=Given(role="standby"), outcome=Declines(kind="keep")),
        Example(name="a primary", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

"""autovacuum_naptime: how often autovacuum checks a database."""

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
from tunewiz.core.values.units import Duration

USUAL = Duration.parse("1min")
"""The default (manual, version 15)."""
SELDOM = Duration.parse("5min")
"""From here on a busy table waits longer than its vacuum takes. A rule of thumb."""


def decide(situation: Situation) -> Verdict:
    """The default where autovacuum checks so seldom that busy tables wait for it."""
    current = Duration.parse(situation.will_be("autovacuum_naptime"))
    if current <= SELDOM:
        return Declined(because=f"autovacuum checks each database every {current.pg()}", kind="keep")
    if not situation.workload.writes:
        return Declined(because=f"every {current.pg()} is often enough where little is written", kind="keep")
    return Proposal(
        value=USUAL.pg(),
        because=f"small busy tables (queues) bloat in the {current.pg()} between two checks",
        computed=f"{USUAL.pg()}, the default",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_naptime",
    title="Run autovacuum every minute",
    group="vacuum",
    target=PgTarget(name="autovacuum_naptime"),
    explanation=Explanation(
        changes="The shortest time between two checks of the same database by autovacuum; each check starts "
        "the vacuums that its thresholds call for.",
        helps="Small tables that change all the time, such as queues, are vacuumed as soon as they need it.",
        leave_alone="Where it is a minute. Fewer seconds are rarely worth it: large tables do not reach "
        "their threshold sooner, and with many databases the launcher would be busy checking.",
        costs="Reading the statistics of a database at every check.",
        watch="last_autovacuum and autovacuum_count of the busiest tables in pg_stat_user_tables.",
    ),
    pros=("Queues and counters stay small.", "Takes a reload."),
    cons=("A little more reading of statistics.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.autovacuum_naptime"),),
    decide=decide,
    examples=(
        Example(
            name="an hour", given=Given(settings={"autovacuum_naptime": "1h"}), outcome=Sets(value="1min")
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="an hour where hardly anything is written",
            given=Given(settings={"autovacuum_naptime": "1h"}, workload="read_mostly"),
            outcome=Declines(kind="keep"),
        ),
    ),
)

"""hot_standby_feedback: whether a standby's queries keep rows alive on the primary."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.example_replication import cancelling
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.replication import conflicts, replication
from tunewiz.core.server.seen_replication import CANCELLED
from tunewiz.core.server.standby import NO_QUERIES, NOT_A_STANDBY, is_standby
from tunewiz.core.values.plural import how_many


def decide(situation: Situation) -> Verdict:
    """On a standby, the choice and its price."""
    if not is_standby(situation):
        return NOT_A_STANDBY
    if situation.will_be("hot_standby") == "off":
        return NO_QUERIES
    if situation.will_be("hot_standby_feedback") == "on":
        return Declined(
            because="it is on: watch for bloat on the primary while long queries run here", kind="keep"
        )
    cancelled = [observation.cancelled for observation in replication(situation)]
    if cancelled == [0]:
        return Declined(because="no query was cancelled here since the statistics were reset", kind="keep")
    kinds = [conflict.snapshot for conflict in conflicts(situation)]
    if kinds == [0]:
        because = f"{how_many(sum(cancelled), 'query')} cancelled, none of them for rows that vacuum removed"
        return Declined(because=because, kind="keep")
    delay, so_far = situation.will_be("max_standby_streaming_delay"), _so_far(sum(kinds or cancelled))
    then = "is waited for without limit" if delay == "-1" else f"is cancelled after {delay}"
    return Advice(
        because=f"{so_far}a query here whose rows vacuum removed on the primary {then}",
        steps=(
            "SELECT * FROM pg_stat_database_conflicts; confl_snapshot counts what this would prevent.",
            "For reports that must finish: ALTER SYSTEM SET hot_standby_feedback = on;",
            "SELECT pg_reload_conf();",
            "ALTER ROLE reports SET statement_timeout = '1h'; limits what it costs the primary.",
            "For a standby that may lag instead: a longer max_standby_streaming_delay.",
        ),
        undo=("ALTER SYSTEM RESET hot_standby_feedback; then SELECT pg_reload_conf();",),
    )


def _so_far(count: int) -> str:
    return f"{how_many(count, 'query')} cancelled so far: " if count else ""


RECOMMENDATION = Recommendation(
    id="pg.hot_standby_feedback",
    title="Choose how a standby treats long queries",
    group="vacuum",
    target=PgTarget(name="hot_standby_feedback"),
    explanation=Explanation(
        changes="Nothing is changed here. A standby can tell its primary which rows its queries still need; "
        "otherwise replay waits for max_standby_streaming_delay and then cancels them.",
        helps="Reports on a standby finish.",
        leave_alone="On a standby that only waits to take over: there is nothing to cancel.",
        costs="Rows that a long query here might see are not vacuumed on the primary: its tables bloat.",
        watch="pg_stat_database_conflicts here, backend_xmin in the primary's pg_stat_replication.",
    ),
    pros=("Queries on the standby are not cancelled by vacuum.",),
    cons=("A forgotten transaction on the standby bloats the primary.",),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.hot_standby_feedback"),),
    decide=decide,
    witnesses=(CANCELLED,),
    examples=(
        Example(name="a standby", given=Given(role="standby"), outcome=Advises()),
        Example(
            name="queries were cancelled for locks only",
            given=Given(role="standby", replication=cancelling(lock=5)),
            outcome=Declines(kind="keep"),
        ),
        Example(name="a primary", given=Given(), outcome=Declines(kind="not_applicable")),
        Example(
            name="it is on",
            given=Given(role="standby", settings={"hot_standby_feedback": "on"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

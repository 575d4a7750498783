"""idle_session_timeout: a limit on sessions that are idle outside of a transaction. Not for pools."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict

NAME = "idle_session_timeout"


def decide(situation: Situation) -> Verdict:
    """Leave it off for the server; if it is on, say whom it affects."""
    current = situation.will_be(NAME)
    if current == "0":
        because = "0 stays: a session that is idle outside of a transaction costs little, and pools keep such"
        return Declined(because=because, kind="keep")
    return Advice(
        because=f"{current} for the whole server ends idle connections of pools too, which may not expect it",
        steps=(
            f"ALTER ROLE someone SET {NAME} = '{current}'; for each person who leaves sessions open.",
            f"ALTER SYSTEM RESET {NAME}; and look for it in postgresql.conf.",
            "SELECT pg_reload_conf();",
        ),
        undo=(f"ALTER SYSTEM SET {NAME} = '{current}'; then SELECT pg_reload_conf();",),
    )


RECOMMENDATION = Recommendation(
    id="pg.idle_session_timeout",
    title="End idle sessions by role, not for all",
    group="connections",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="Nothing is changed here. A session that waits longer for its client's next query, outside "
        "of a transaction, is ended (14 and newer).",
        helps="A limit for people's roles ends the sessions that they leave open.",
        leave_alone="For the server as a whole: a pool keeps connections to have them at hand, and may hand "
        "out one that the server has closed.",
        costs="The first query after the pause fails, with an error that the application must deal with.",
        watch="“terminating connection due to idle-session timeout” in the log.",
    ),
    pros=("No pool loses connections that it counts on.",),
    cons=("Sessions that people forget keep their places among max_connections.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.idle_session_timeout"),),
    decide=decide,
    examples=(
        Example(name="set for all", given=Given(settings={NAME: "1h"}), outcome=Advises()),
        Example(name="not set", given=Given(), outcome=Declines(kind="keep")),
        Example(name="13 has none", given=Given(major="13"), outcome=Declines(kind="not_applicable")),
    ),
)

"""statement_timeout: a limit on how long a statement may run. Not for the whole server."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.units import Duration

TOO_SHORT = Duration(1_000)
"""Below a second no role is given it: connecting and cold caches may take as long. An assumption."""
STOPS = (
    "ALTER SYSTEM RESET statement_timeout; and look for it in postgresql.conf.",
    "SELECT pg_reload_conf();",
)


def decide(situation: Situation) -> Verdict:
    """Leave it off for the server; if it is on, say whom it affects."""
    current = situation.will_be("statement_timeout")
    if current == "0":
        because = "0 stays: a limit for all would end long maintenance too; set it for a role"
        return Declined(because=because, kind="keep")
    if Duration.parse(current) < TOO_SHORT:
        return Advice(
            because=f"{current} for the whole server ends nearly every statement, maintenance among them",
            steps=STOPS,
            undo=(f"ALTER SYSTEM SET statement_timeout = '{current}'; then SELECT pg_reload_conf();",),
        )
    return Advice(
        because=f"{current} for the whole server ends long maintenance and reports too",
        steps=(
            f"ALTER ROLE app SET statement_timeout = '{current}'; for each role that needs the limit.",
            *STOPS,
        ),
        undo=(f"ALTER SYSTEM SET statement_timeout = '{current}'; then SELECT pg_reload_conf();",),
    )


RECOMMENDATION = Recommendation(
    id="pg.statement_timeout",
    title="Limit statements by role, not for all",
    group="connections",
    target=PgTarget(name="statement_timeout"),
    explanation=Explanation(
        changes="Nothing is changed here. A statement that runs longer is ended with an error.",
        helps="A limit for the application's role stops runaway queries.",
        leave_alone="For the server as a whole: CREATE INDEX and VACUUM by hand would be ended too. pg_dump "
        "and autovacuum turn it off for themselves.",
        costs="Each limit is an error that the application must deal with. It applies to one statement: "
        "from 17 "
        "on transaction_timeout limits whole transactions.",
        watch="“canceling statement due to statement timeout” in the log.",
    ),
    pros=("Maintenance is not cut off in the middle.",),
    cons=("A runaway query in a role without a limit keeps running.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="postgres-manual.statement_timeout"),
    ),
    decide=decide,
    examples=(
        Example(
            name="set for all",
            given=Given(settings={"statement_timeout": "15min"}),
            outcome=Advises(),
        ),
        Example(name="not set", given=Given(), outcome=Declines(kind="keep")),
    ),
)

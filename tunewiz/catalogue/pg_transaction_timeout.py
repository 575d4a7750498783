"""transaction_timeout: a limit on how long a transaction may last. Not for the whole server."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict

NAME = "transaction_timeout"


def decide(situation: Situation) -> Verdict:
    """Leave it off for the server; if it is on, say whom it affects."""
    current = situation.will_be(NAME)
    if current == "0":
        because = "0 stays: a limit for all would end long maintenance and reports too; set it for a role"
        return Declined(because=because, kind="keep")
    return Advice(
        because=f"{current} for the whole server ends every session whose transaction lasts longer, those of "
        "maintenance and reports too",
        steps=(
            f"ALTER ROLE app SET {NAME} = '{current}'; for each role that needs the limit.",
            f"ALTER SYSTEM RESET {NAME}; and look for it in postgresql.conf.",
            "SELECT pg_reload_conf();",
        ),
        undo=(f"ALTER SYSTEM SET {NAME} = '{current}'; then SELECT pg_reload_conf();",),
    )


RECOMMENDATION = Recommendation(
    id="pg.transaction_timeout",
    title="Limit transactions by role, not for all",
    group="connections",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="Nothing is changed here. A session whose transaction lasts longer is ended, whether it "
        "works or is idle; a statement outside of BEGIN is a transaction as well (17 and newer).",
        helps="A limit for the application's role ends what neither statement_timeout nor "
        "idle_in_transaction_session_timeout does: many short statements in one long transaction, which "
        "keeps vacuum from removing rows.",
        leave_alone="For the server as a whole: the manual advises against it in postgresql.conf, as it "
        "would affect all sessions.",
        costs="The application loses its session, not only the statement. Prepared transactions are not "
        "limited. Where it is not longer than one of the other two limits, that one has no effect.",
        watch="“terminating connection due to transaction timeout” in the log.",
    ),
    pros=("Maintenance is not cut off in the middle.",),
    cons=("A runaway transaction in a role without a limit goes on.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.transaction_timeout"),),
    decide=decide,
    examples=(
        Example(name="set for all", given=Given(major="17", settings={NAME: "15min"}), outcome=Advises()),
        Example(name="not set", given=Given(major="17"), outcome=Declines(kind="keep")),
        Example(name="16 has none", given=Given(major="16"), outcome=Declines(kind="not_applicable")),
    ),
)

"""log_line_prefix: whose line in the log it is."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict

PREFIX = "%m [%p] %q%u@%d/%a "
"""Time, process, user, database and application; the part after %q only where there is a session."""


def decide(situation: Situation) -> Verdict:
    """User, database and application added to the default; a prefix that was chosen stays."""
    current = situation.will_be("log_line_prefix")
    if current != situation.default("log_line_prefix"):
        return Declined(because="a prefix was chosen, and programs that read the log know it", kind="keep")
    return Advice(
        because="lines in the log don't say which user, database and application they are about",
        steps=(
            "Tell every program that reads the log (pgBadger, say) the new prefix first.",
            f"ALTER SYSTEM SET log_line_prefix = '{PREFIX}'; then SELECT pg_reload_conf();",
        ),
        undo=("ALTER SYSTEM RESET log_line_prefix; then SELECT pg_reload_conf();",),
    )


RECOMMENDATION = Recommendation(
    id="pg.log_line_prefix",
    title="Name user and database in the log",
    group="connections",
    target=PgTarget(name="log_line_prefix"),
    explanation=Explanation(
        changes="Nothing is changed here. With this prefix each line of the log begins with time, process, "
        "user, database and application.",
        helps="Slow statements, lock waits and temporary files in the log can be told apart by the "
        "application that caused them.",
        leave_alone="Where the log is written as csv or json, which hold all of it already, or read by a "
        "program that expects the present prefix.",
        costs="Some twenty characters a line. Programs that read the log (pgBadger, say) must be told the "
        "new prefix.",
        watch="The next lines of the log.",
    ),
    pros=("Each line says whom it is about.", "Takes a reload."),
    cons=("Programs that read the log must know the new prefix.",),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(Cite(claim="postgres-manual.log_line_prefix"),),
    decide=decide,
    examples=(
        Example(name="the default", given=Given(), outcome=Advises()),
        Example(
            name="as Debian sets it",
            given=Given(settings={"log_line_prefix": "%m [%p] %q%u@%d "}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

"""log_line_prefix: whose line in the log it is."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

PREFIX = "%m [%p] %q%u@%d/%a "
"""Time, process, user, database and application; the part after %q only where there is a session."""


def decide(situation: Situation) -> Verdict:
    """User, database and application added to the default; a prefix that was chosen stays."""
    current = situation.will_be("log_line_prefix")
    if current != situation.default("log_line_prefix"):
        return Declined(because="a prefix was chosen, and programs that read the log know it", kind="keep")
    if not _has_prefixes(situation):
        return Declined(
            because="the log is written as csv or json, which names user and database", kind="keep"
        )
    return Proposal(
        value=PREFIX,
        because="lines in the log don't say which user, database and application they are about",
        computed="the default since PostgreSQL 10, with user, database and application",
    )


def _has_prefixes(situation: Situation) -> bool:
    destinations = {name.strip() for name in situation.will_be("log_destination").split(",")}
    return not destinations.isdisjoint({"stderr", "syslog"})


RECOMMENDATION = Recommendation(
    id="pg.log_line_prefix",
    title="Name user and database in the log",
    group="connections",
    target=PgTarget(name="log_line_prefix"),
    explanation=Explanation(
        changes="Each line of the log begins with time, process, user, database and application.",
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
    basis="well understood",
    cites=(Cite(claim="postgres-manual.log_line_prefix"),),
    decide=decide,
    examples=(
        Example(name="the default", given=Given(), outcome=Sets(value=PREFIX)),
        Example(
            name="a log that holds it all",
            given=Given(settings={"log_destination": "csvlog"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="as Debian sets it",
            given=Given(settings={"log_line_prefix": "%m [%p] %q%u@%d "}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

"""log_min_duration_statement: a line in the log for each slow statement."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

OFF = "-1"


def decide(situation: Situation) -> Verdict:
    """From what is slow for this workload on."""
    current = situation.will_be("log_min_duration_statement")
    if current != OFF:
        return Declined(because=f"statements from {current} on are logged", kind="keep")
    if (
        situation.settings.has("log_min_duration_sample")
        and situation.will_be("log_min_duration_sample") != OFF
    ):
        return Declined(because="a sample of the statements is logged", kind="keep")
    value = situation.workload.slow_statement.pg()
    return Proposal(
        value=value,
        because="no statement is logged, however slow it is",
        computed=f"{value} for this workload",
    )


RECOMMENDATION = Recommendation(
    id="pg.log_min_duration_statement",
    title="Log slow statements",
    group="planner",
    target=PgTarget(name="log_min_duration_statement"),
    explanation=Explanation(
        changes="A statement that took at least this long writes its text and duration to the log.",
        helps="Shows which statements are slow, and when: the first question after every change.",
        leave_alone="Where statements hold data that must not be in a log, or pg_stat_statements and "
        "auto_explain show enough. Where thousands a second are slow, sample them instead: "
        "log_min_duration_sample (13 and newer).",
        costs="A line for each slow statement.",
        watch="Lines with “duration:” in the log, and the log's size.",
    ),
    pros=("Slow statements are seen with their time.", "Takes a reload."),
    cons=(
        "The log holds the text of those statements, with the values in it.",
        "The limit is a rule of thumb, not a measurement.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="postgres-manual.log_min_duration_statement"),
    ),
    decide=decide,
    examples=(
        Example(name="transactions", given=Given(), outcome=Sets(value="1s")),
        Example(name="analytics", given=Given(workload="analytics"), outcome=Sets(value="1min")),
        Example(
            name="a limit was chosen",
            given=Given(settings={"log_min_duration_statement": "250ms"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a sample was chosen",
            given=Given(settings={"log_min_duration_sample": "100ms"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

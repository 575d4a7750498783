"""log_min_duration_sample: log a sample of the statements instead of all of them."""

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
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.units import Duration

ALL = Duration.parse("100ms")
"""Below this limit so many statements are logged that a sample shows the same. A rule of thumb."""
RATE = "0.01"


def decide(situation: Situation) -> Verdict:
    """Advice where so many statements are logged that a sample would do."""
    limit = situation.will_be("log_min_duration_statement")
    if situation.will_be("log_min_duration_sample") != "-1":
        sampled = situation.will_be("log_statement_sample_rate")
        return Declined(because=f"a sample of {sampled} of the statements is logged", kind="keep")
    if limit != "0" and (limit == "-1" or Duration.parse(limit) >= ALL):
        because = "only slow statements are logged, if any: each one is worth a line"
        return Declined(because=because, kind="keep")
    slow = situation.workload.slow_statement.pg()
    return Advice(
        because=f"every statement that takes {limit} is logged: thousands a second slow the server",
        steps=(
            f"ALTER SYSTEM SET log_min_duration_sample = '{limit}';",
            f"ALTER SYSTEM SET log_statement_sample_rate = {RATE}; one in a hundred.",
            f"ALTER SYSTEM SET log_min_duration_statement = '{slow}'; all slow statements are still logged.",
            "SELECT pg_reload_conf();",
        ),
        undo=(
            f"ALTER SYSTEM SET log_min_duration_statement = '{limit}';",
            "ALTER SYSTEM RESET log_min_duration_sample; ALTER SYSTEM RESET log_statement_sample_rate;",
            "SELECT pg_reload_conf();",
        ),
    )


RECOMMENDATION = Recommendation(
    id="pg.log_min_duration_sample",
    title="Log a sample where every statement is logged",
    group="planner",
    target=PgTarget(name="log_min_duration_sample"),
    explanation=Explanation(
        changes="Nothing is changed here. A sample of the statements that take at least this long is "
        "logged (13 and newer); all above log_min_duration_statement still are.",
        helps="The log shows the usual workload without a line for every statement.",
        leave_alone="Where only slow statements are logged, or few statements run at all, or an audit needs "
        "every one.",
        costs="Rare statements may be missing from the sample; pg_stat_statements counts all of them.",
        watch="How much the log grows in an hour, before and after.",
    ),
    pros=("Far less is written to the log.", "Takes a reload."),
    cons=("A rare statement may not be in the sample.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.log_min_duration_sample"),),
    decide=decide,
    after=("pg.log_min_duration_statement",),
    examples=(
        Example(
            name="every statement is logged",
            given=Given(settings={"log_min_duration_statement": "0"}),
            outcome=Advises(),
        ),
        Example(
            name="slow ones are logged",
            given=Given(settings={"log_min_duration_statement": "1s"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a sample is logged",
            given=Given(settings={"log_min_duration_sample": "10ms"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="12 has none",
            given=Given(major="12", settings={"log_min_duration_statement": "0"}),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)

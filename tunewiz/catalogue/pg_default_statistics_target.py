"""default_statistics_target: how much ANALYZE samples."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict


def decide(situation: Situation) -> Verdict:
    """The workload's target; a larger one that was set stays."""
    current, wanted = (
        int(situation.will_be("default_statistics_target")),
        situation.workload.statistics_target,
    )
    if current >= wanted:
        return Declined(because=f"{current} is enough for this workload", kind="keep")
    return Proposal(
        value=str(wanted),
        because="with a larger sample the planner misjudges fewer large queries",
        computed=f"{wanted} for this workload: ANALYZE samples 300 x {wanted} = "
        f"{300 * wanted:,} rows a table",
    )


RECOMMENDATION = Recommendation(
    id="pg.default_statistics_target",
    title="Increase default_statistics_target",
    group="planner",
    target=PgTarget(name="default_statistics_target"),
    explanation=Explanation(
        changes="How many common values and histogram steps ANALYZE keeps for each column, and how many "
        "rows it samples for them: 300 times as many.",
        helps="Large joins and filters on skewed columns are planned with better estimates.",
        leave_alone="For transactions: 100 is right. When one column alone is misjudged: ALTER TABLE … ALTER "
        "COLUMN … SET STATISTICS.",
        costs="ANALYZE reads more, statistics take more room, and planning takes longer for every query.",
        watch="Rows estimated against actual in EXPLAIN ANALYZE, planning time in pg_stat_statements.",
    ),
    pros=("Better plans for large queries.", "Takes a reload; the next ANALYZE uses it."),
    cons=("Longer planning and ANALYZE for all.", "No source of this project measured it."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="postgres-manual.default_statistics_target"),
    ),
    decide=decide,
    examples=(
        Example(name="analytics", given=Given(workload="analytics"), outcome=Sets(value="500")),
        Example(
            name="it was turned down",
            given=Given(settings={"default_statistics_target": "10"}),
            outcome=Sets(value="100"),
        ),
        Example(name="transactions", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="more was chosen",
            given=Given(workload="analytics", settings={"default_statistics_target": "1000"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

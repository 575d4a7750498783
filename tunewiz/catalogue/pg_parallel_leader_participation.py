"""parallel_leader_participation: whether a session works beside the workers of its parallel query."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

NAME = "parallel_leader_participation"


def decide(situation: Situation) -> Verdict:
    """On, unless a person measured their own queries without it."""
    if situation.will_be(NAME) == "on":
        return Declined(because="on: a session works beside its workers", kind="keep")
    if situation.will_be("max_parallel_workers_per_gather") == "0":
        return Declined(because="no query is parallel, so it has no effect", kind="keep")
    return Proposal(
        value="on",
        because="off for the whole server: every parallel query waits for its workers to start, and one "
        "process less works on it",
        computed="on, PostgreSQL's default; off for single queries that gain by it",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.parallel_leader_participation",
    title="Let sessions work beside their parallel workers",
    group="planner",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="Whether the session that runs a parallel query also runs the parallel part of the plan, or "
        "only collects what its workers send (11 and newer).",
        helps="The first rows come before a worker has started, and there is one process more at work.",
        leave_alone="For single queries whose workers wait because the session does not read their rows fast "
        "enough: turn it off for those, by SET LOCAL.",
        costs="Workers may be held up while the session is busy with its own part.",
        watch="EXPLAIN (ANALYZE) of the largest parallel queries with on and with off.",
    ),
    pros=("Short parallel queries answer sooner.", "Takes a reload."),
    cons=("Which is faster depends on plan, workers and duration: no source measured it.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.parallel_leader_participation"),),
    decide=decide,
    after=("pg.max_parallel_workers_per_gather",),
    examples=(
        Example(
            name="off for all",
            given=Given(cores=16, workload="analytics", settings={NAME: "off"}),
            outcome=Sets(value="on"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(name="10 has none", given=Given(major="10"), outcome=Declines(kind="not_applicable")),
    ),
)

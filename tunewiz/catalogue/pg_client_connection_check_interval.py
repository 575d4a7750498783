"""client_connection_check_interval: whether a long query notices that its client has gone."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

INTERVAL = "10s"
"""One system call each time, in sessions that run a query: cheap, and soon enough. An assumption."""

LONG_QUERIES = frozenset({"mixed", "analytics"})
"""Workloads whose queries outlive an impatient client."""


def decide(situation: Situation) -> Verdict:
    """Every few seconds where queries are long."""
    current = situation.will_be("client_connection_check_interval")
    if current != "0":
        return Declined(because=f"it checks every {current}", kind="keep")
    if situation.workload.kind not in LONG_QUERIES:
        return Declined(because="short queries notice it when they send their result", kind="keep")
    return Proposal(
        value=INTERVAL,
        because="a long query whose client has gone runs to its end for nobody, with memory and locks",
        computed=f"0 (never) becomes {INTERVAL}",
    )


RECOMMENDATION = Recommendation(
    id="pg.client_connection_check_interval",
    title="End long queries whose client has gone",
    group="connections",
    target=PgTarget(name="client_connection_check_interval"),
    explanation=Explanation(
        changes="While a query runs, the server asks the kernel now and then whether the client is still "
        "connected (14 and newer). If not, the query ends.",
        helps="A report whose window was closed no longer runs on for hours, and a pool that "
        "repeats a slow query does not pile up copies of it.",
        leave_alone="With short queries only. Where clients start a long job and disconnect on purpose.",
        costs="One system call in each interval and busy session. A network that fails silently is noticed "
        "only with TCP keepalives.",
        watch="Sessions that are active in pg_stat_activity though their client is gone.",
    ),
    pros=("No work for nobody.", "Takes a reload; a session can set its own."),
    cons=("A job that was started and left alone is ended.", "The interval is a rule of thumb."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.client_connection_check_interval"),),
    decide=decide,
    examples=(
        Example(name="reports", given=Given(workload="analytics"), outcome=Sets(value="10s")),
        Example(name="short transactions", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="it checks already",
            given=Given(workload="analytics", settings={"client_connection_check_interval": "1min"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="13 cannot",
            given=Given(workload="analytics", major="13"),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)

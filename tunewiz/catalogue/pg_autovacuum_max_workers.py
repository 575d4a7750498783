"""autovacuum_max_workers: how many tables are vacuumed at the same time."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import dead_rows
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

USUAL = 3
"""PostgreSQL's default."""


def decide(now: Situation) -> Verdict:
    """At least the default; more would only share the same allowance."""
    current = int(now.will_be("autovacuum_max_workers"))
    if current >= USUAL:
        because = (
            f"{current} workers share one allowance (autovacuum_vacuum_cost_limit): more would not be faster"
        )
        return Declined(because=because, kind="keep")
    return Proposal(
        value=str(USUAL),
        because=f"with {current} a large table keeps the small busy ones waiting",
        computed=f"{USUAL}, PostgreSQL's default",
    )


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_max_workers",
    title="Increase autovacuum_max_workers",
    group="vacuum",
    target=PgTarget(name="autovacuum_max_workers"),
    explanation=Explanation(
        changes="How many autovacuum workers may run at once, each on one table. A restart up to 17; "
        "from 18 a reload, up to autovacuum_worker_slots.",
        helps="While one worker is busy with a large table for hours, others look after the small ones.",
        leave_alone="When three are there. More helps only if large tables keep all three busy; then raise "
        "the allowance as well, which they share.",
        costs="Memory: each may take maintenance_work_mem, or autovacuum_work_mem.",
        watch="Workers in pg_stat_activity (backend_type autovacuum worker) that are busy all day.",
    ),
    pros=("Small busy tables do not wait for large ones.",),
    cons=("Each worker may take maintenance_work_mem.", "Up to 17 it needs a restart."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="postgres-manual.autovacuum_max_workers"),
    ),
    decide=decide,
    gives_way=4,
    observed=(dead_rows,),
    examples=(
        Example(
            name="a single worker",
            given=Given(settings={"autovacuum_max_workers": "1"}),
            outcome=Sets(value="3"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="a large database",
            given=Given(database_size="10TB", cores=64),
            outcome=Declines(kind="keep"),
        ),
    ),
)

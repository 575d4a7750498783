"""max_parallel_maintenance_workers: helpers of one CREATE INDEX or VACUUM."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.plural import how_many

PART = 4
"""A quarter of the cores, so that users keep the rest."""

MAXIMUM = 4
"""Beyond this one index build gains little more; the workers share maintenance_work_mem."""


def decide(situation: Situation) -> Verdict:
    """Two, the default, up to four on many cores."""
    cores, current = situation.cores, int(situation.will_be("max_parallel_maintenance_workers"))
    value = min(cores // PART, MAXIMUM)
    if value <= current:
        return Declined(
            because=f"{how_many(current, 'worker')} for {how_many(cores, 'core')} is right", kind="keep"
        )
    return Proposal(
        value=str(value),
        because="index builds use more of the cores",
        computed=f"{how_many(cores, 'core')} / {PART}, at most {MAXIMUM} = {value}",
    )


RECOMMENDATION = Recommendation(
    id="pg.max_parallel_maintenance_workers",
    title="Build indexes with more workers",
    group="vacuum",
    target=PgTarget(name="max_parallel_maintenance_workers"),
    explanation=Explanation(
        changes="How many helpers one CREATE INDEX (11 and newer) or VACUUM by hand (13 and newer) may use. "
        "Autovacuum uses none up to 18.",
        helps="Large indexes are built sooner, restores end sooner.",
        leave_alone="On few cores, or where index builds run beside busy users.",
        costs="Cores and reading while it runs. All helpers share one maintenance_work_mem.",
        watch="Time of CREATE INDEX; pg_stat_progress_create_index (12 and newer).",
    ),
    pros=("Index builds and restores end sooner.", "Takes a reload; a session can set its own."),
    cons=("Users feel an index build more.",),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="postgres-manual.max_parallel_maintenance_workers"),
    ),
    decide=decide,
    examples=(
        Example(name="16 cores", given=Given(cores=16), outcome=Sets(value="4")),
        Example(name="4 cores", given=Given(cores=4), outcome=Declines(kind="keep")),
        Example(
            name="10 has none", given=Given(major="10", cores=16), outcome=Declines(kind="not_applicable")
        ),
    ),
)

"""max_worker_processes: room for all background workers."""

from __future__ import annotations

from tunewiz.core.planning.budget import lacking
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.extension_workers import beside_parallel, extension_workers
from tunewiz.core.server.seen_room import ROOM
from tunewiz.core.values.plural import how_many


def decide(situation: Situation) -> Verdict:
    """Room for the parallel workers of the plan and for replication's; never lowered."""
    current = int(situation.will_be("max_worker_processes"))
    if not situation.settings.has("max_parallel_workers"):
        return Declined(because=f"{current} suit PostgreSQL {situation.major}", kind="keep")
    parallel = int(situation.will_be("max_parallel_workers"))
    extensions = extension_workers(situation)
    if parallel + extensions.count <= current:
        with_them = f" beside {extensions.words}" if extensions.words else ""
        room = f"{current} leaves room for {how_many(parallel, 'parallel worker')}{with_them}"
        return Declined(because=room, kind="keep")
    beside = beside_parallel(situation)
    value = parallel + beside.count
    more = situation.with_chosen("max_worker_processes", str(value))
    if lacking(more) > lacking(situation):
        return Declined(because=f"{current} stay: memory is short for the sorts of more workers")
    because = f"{current} would cap the {parallel} parallel workers"
    if extensions.words:
        because += f" beside {extensions.words}"
    computed = f"{parallel} parallel + {beside.words} = {value}"
    return Proposal(value=str(value), because=because, computed=computed)


RECOMMENDATION = Recommendation(
    id="pg.max_worker_processes",
    title="Increase max_worker_processes",
    group="connections",
    target=PgTarget(name="max_worker_processes"),
    explanation=Explanation(
        changes="How many background processes there may be: parallel workers, logical replication, "
        "extensions.",
        helps="max_parallel_workers counts within this number: a smaller one caps it silently.",
        leave_alone="When parallel workers fit already. It is never lowered here: a standby must not have "
        "less than its primary.",
        costs="A restart, and a little shared memory for each.",
        watch="Workers Planned against Launched in EXPLAIN ANALYZE, “out of background worker slots” in the "
        "log.",
    ),
    pros=("Parallel queries get the workers that they may use.",),
    cons=("Requires a restart; on standbys it must be raised first.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="postgres-manual.max_worker_processes"),
    ),
    decide=decide,
    witnesses=ROOM,
    after=("pg.max_parallel_workers",),
    examples=(
        Example(
            name="32 parallel workers",
            given=Given(settings={"max_parallel_workers": "32"}),
            outcome=Sets(value="36"),
        ),
        Example(
            name="TimescaleDB beside 32 parallel workers",
            given=Given(settings={"max_parallel_workers": "32", "shared_preload_libraries": "timescaledb"}),
            outcome=Sets(value="51"),
        ),
        Example(
            name="pg_cron and pg_squeeze beside 32 parallel workers",
            given=Given(
                settings={"max_parallel_workers": "32", "shared_preload_libraries": "pg_cron,pg_squeeze"}
            ),
            outcome=Sets(value="39"),
        ),
        Example(
            name="TimescaleDB has its room",
            given=Given(settings={"max_worker_processes": "27", "shared_preload_libraries": "timescaledb"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="the default fits", given=Given(), outcome=Declines(kind="keep")),
        Example(name="9.6", given=Given(major="9.6"), outcome=Declines(kind="keep")),
    ),
)

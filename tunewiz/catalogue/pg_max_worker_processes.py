"""max_worker_processes: room for all background workers."""

from __future__ import annotations

from tunewiz.core.planning.budget import lacking
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.extension_workers import ExtensionWorkers, extension_workers
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
        beside = f" beside {extensions.words}" if extensions.words else ""
        room = f"{current} leaves room for {how_many(parallel, 'parallel worker')}{beside}"
        return Declined(because=room, kind="keep")
    value, computed = _needed(situation, parallel, extensions)
    more = situation.with_chosen("max_worker_processes", str(value))
    if lacking(more) > lacking(situation):
        return Declined(because=f"{current} stay: memory is short for the sorts of more workers")
    because = f"{current} would cap the {parallel} parallel workers"
    if extensions.words:
        because += f" beside {extensions.words}"
    return Proposal(value=str(value), because=because, computed=computed)


def _needed(situation: Situation, parallel: int, extensions: ExtensionWorkers) -> tuple[int, str]:
    """The value, and its computation: an extension's own sum has room for replication's workers too."""
    if extensions.words:
        value = extensions.count + parallel
        return value, f"{extensions.words} + {parallel} parallel = {value}"
    replication = int(situation.will_be("max_logical_replication_workers"))
    value = parallel + replication
    return value, f"{parallel} parallel + {replication} for logical replication = {value}"


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
            name="TimescaleDB has its room",
            given=Given(settings={"max_worker_processes": "27", "shared_preload_libraries": "timescaledb"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="the default fits", given=Given(), outcome=Declines(kind="keep")),
        Example(name="9.6", given=Given(major="9.6"), outcome=Declines(kind="keep")),
    ),
)

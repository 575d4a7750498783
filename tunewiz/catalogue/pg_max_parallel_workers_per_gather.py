"""max_parallel_workers_per_gather: helpers that one query may use."""

from __future__ import annotations

from tunewiz.core.planning.budget import bears
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.parallel_memory import SharedMemoryTooSmall, shared_by_queries
from tunewiz.core.server.seen_room import ROOM
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.versions import V10


def decide(situation: Situation) -> Verdict:
    """From cores, not threads: the workload's share up to its cap; fewer than cores in any case."""
    cores, current = situation.cores, int(situation.will_be("max_parallel_workers_per_gather"))
    share, cap = situation.workload.parallel_share, situation.workload.parallel_cap
    value = min(int(cores * share), cap, cores - 1)
    if current >= cores and current > 0:
        return Proposal(
            value=str(min(cores - 1, cap)),
            because=f"{how_many(current, 'worker')} and the query itself are more than "
            f"{how_many(cores, 'core')} can run",
            computed=f"{how_many(cores, 'core')} - 1 for the query itself"
            + (f", at most {cap} for this workload" if cap < cores - 1 else ""),
        )
    if current > cap and situation.workload.parallel_share < 1:
        return Proposal(
            value=str(cap),
            because=f"{how_many(current, 'worker')} for each large query take cores from the other sessions "
            "of this workload",
            computed=f"at most {cap} for this workload",
            ticked=False,
        )
    more = situation.with_chosen("max_parallel_workers_per_gather", str(value))
    if value > current and isinstance(short := shared_by_queries(more), SharedMemoryTooSmall):
        because = (
            f"{current} stay: /dev/shm holds {short.room.short()}, a hash join may need {short.need.short()}"
        )
        return Declined(because=f"{because} ({short.computed}); enlarge it first")
    if value > current and not bears(more):
        return Declined(because=f"{current} stay: memory is short for the sorts of more workers")
    if value > current and (situation.major >= V10 or situation.workload.kind == "analytics"):
        return Proposal(
            value=str(value),
            because="large queries finish sooner when more cores work on them",
            computed=f"{how_many(cores, 'core')} x {share}, at most {cap} = {value}",
        )
    return Declined(
        because=f"{how_many(current, 'worker')} for {how_many(cores, 'core')} is right for this workload",
        kind="keep",
    )


RECOMMENDATION = Recommendation(
    id="pg.max_parallel_workers_per_gather",
    title="Fit the workers of a large query to the cores",
    group="planner",
    target=PgTarget(name="max_parallel_workers_per_gather"),
    explanation=Explanation(
        changes="How many helper processes one step of a query may use beside its own session.",
        helps="Scans, joins and sums over large tables are divided among cores.",
        leave_alone="For transactions: short queries never run in parallel, and one query's helpers are not "
        "available to "
        "others. Count cores, not hardware threads: threads of a core share it.",
        costs="Each helper may take work_mem of its own. A few large queries can take all cores.",
        watch="Workers Planned against Launched in EXPLAIN ANALYZE, processor load while reports run.",
    ),
    pros=("Reports finish sooner.", "Takes a reload; a session can set its own."),
    cons=(
        "Other sessions wait while a report takes the cores.",
        "The sources measured no analytical work.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="kernel-talk.sibling_threads", near=True),
        Cite(claim="postgres-manual.max_parallel_workers_per_gather"),
    ),
    decide=decide,
    witnesses=ROOM,
    examples=(
        Example(name="a report server", given=Given(workload="analytics", cores=16), outcome=Sets(value="8")),
        Example(
            name="a report server in a container with 64 MB of shared memory",
            given=Given(workload="analytics", cores=16, container="docker", shared_memory="64MB"),
            outcome=Declines(),
        ),
        Example(name="two cores", given=Given(cores=2), outcome=Sets(value="1")),
        Example(name="one core", given=Given(cores=1), outcome=Sets(value="0")),
        Example(
            name="transactions that were given all of 16 cores",
            given=Given(cores=16, settings={"max_parallel_workers_per_gather": "64"}),
            outcome=Sets(value="2"),
        ),
        Example(
            name="transactions that were given half of 32 cores",
            given=Given(cores=32, settings={"max_parallel_workers_per_gather": "15"}),
            outcome=Sets(value="2"),
        ),
        Example(
            name="reports that were given half of 32 cores",
            given=Given(workload="analytics", cores=32, settings={"max_parallel_workers_per_gather": "15"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="transactions on 8 cores of 8 threads",
            given=Given(cores=8, threads_per_core=8),
            outcome=Declines(kind="keep"),
        ),
        Example(name="off by default in 9.6", given=Given(major="9.6"), outcome=Declines(kind="keep")),
    ),
)

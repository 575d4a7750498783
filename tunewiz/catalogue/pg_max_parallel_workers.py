"""max_parallel_workers: helpers of all parallel queries together."""

from __future__ import annotations

from tunewiz.core.planning.budget import bears
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.extension_workers import beside_parallel
from tunewiz.core.server.replication import standbys
from tunewiz.core.server.seen_replication import FOLLOWERS
from tunewiz.core.server.seen_room import ROOM
from tunewiz.core.server.seen_work import SESSIONS
from tunewiz.core.server.sessions import PER_THREAD, hardware_threads
from tunewiz.core.server.sorts import sessions_at_work
from tunewiz.core.values.known import MissingFact
from tunewiz.core.values.plural import how_many

FEW = 2
"""A workload whose queries use no more helpers than by default does not fill many cores with them."""

TOO_MANY = 2
"""Lowered only where it is more than this many times the cores."""

BESIDE_SESSIONS = 2
"""Cores for each worker where more sessions are at work than the processors serve well: half of
them. An assumption."""

MAXIMUM = 1024
"""The largest value that PostgreSQL takes (pg_settings, 10 to 18)."""


def decide(situation: Situation) -> Verdict:
    """As many as cores; half as many where more sessions are at work than they serve well."""
    cores, current = situation.cores, int(situation.will_be("max_parallel_workers"))
    if current < cores and situation.workload.parallel_cap <= FEW:
        return Declined(because=f"{current} workers are plenty for transactions", kind="keep")
    worth = min(cores, MAXIMUM) if current > cores else _beside_sessions(situation)
    value = int(situation.settings["max_parallel_workers"].show(str(worth)))
    if current < value:
        because = f"with {how_many(current, 'worker')}, parallel queries leave some of {cores} cores idle"
    elif current > cores * TOO_MANY:
        because = f"{current} workers at once are far more than {how_many(cores, 'core')} can run"
    else:
        return Declined(
            because=f"{how_many(current, 'worker')} for {how_many(cores, 'core')} is right", kind="keep"
        )
    if value == current:
        return Declined(because=f"{current} is the most that PostgreSQL takes", kind="keep")
    if value > current and not bears(_with_processes(situation, value)):
        return Declined(because=f"{current} stay: memory is short for the sorts of more workers")
    why = _why_not_at_once(situation, value)
    return Proposal(
        value=str(value),
        because=because + why,
        computed=_computed(situation, value),
        ticked=not why,
    )


def _beside_sessions(situation: Situation) -> int:
    """One for each core, fewer where sessions need the cores themselves."""
    cores = situation.cores // BESIDE_SESSIONS if _are_filled(situation) else situation.cores
    return min(cores, MAXIMUM)


def _are_filled(situation: Situation) -> bool:
    """Whether more sessions are at work than the processors serve well; not where those are not known."""
    try:
        return sessions_at_work(situation) > PER_THREAD * hardware_threads(situation)
    except MissingFact:
        return False


def _computed(situation: Situation, value: int) -> str:
    cores = how_many(situation.cores, "core")
    if value >= min(situation.cores, MAXIMUM):
        return f"{cores}, one worker each"
    sessions = how_many(sessions_at_work(situation), "session")
    return f"{cores} / {BESIDE_SESSIONS}: {sessions} at work need the rest"


def _why_not_at_once(situation: Situation, value: int) -> str:
    """Why max_worker_processes, which limits it, may stay below it; empty if it does not."""
    processes = int(situation.will_be("max_worker_processes"))
    if value <= processes:
        return ""
    within = f"; of no use beyond max_worker_processes ({processes}), "
    if standbys(situation):
        return f"{within}which must be raised on the standbys first"
    return "" if situation.answers.risk.restart else f"{within}which takes a restart"


def _with_processes(situation: Situation, workers: int) -> Situation:
    """With so many workers and the processes that they need: max_worker_processes follows."""
    needed = workers + beside_parallel(situation).count
    processes = max(needed, int(situation.will_be("max_worker_processes")))
    with_workers = situation.with_chosen("max_parallel_workers", str(workers))
    return with_workers.with_chosen("max_worker_processes", str(processes))


RECOMMENDATION = Recommendation(
    id="pg.max_parallel_workers",
    title="Match max_parallel_workers to the cores",
    group="planner",
    target=PgTarget(name="max_parallel_workers"),
    explanation=Explanation(
        changes="How many helper processes all parallel queries may use together.",
        helps="As many as cores: then parallel queries can use the whole machine, but not overload it.",
        leave_alone="When the machine has other work: leave cores for it. Hardware threads do not count as "
        "cores.",
        costs="Nothing by itself. It counts within max_worker_processes, which needs a restart.",
        watch="Workers Planned against Launched in EXPLAIN ANALYZE; from 18 parallel_workers_to_launch and "
        "parallel_workers_launched in pg_stat_database.",
    ),
    pros=("Follows the physical cores, in containers their share.", "Takes a reload."),
    cons=("Many parallel queries at once may still wait for each other.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="kernel-talk.sibling_threads", near=True),
        Cite(claim="postgres-manual.max_parallel_workers"),
    ),
    decide=decide,
    witnesses=(*ROOM, FOLLOWERS, SESSIONS),
    after=("pg.max_parallel_workers_per_gather",),
    examples=(
        Example(
            name="reports on 32 cores",
            given=Given(cores=32, workload="mixed", connections=20),
            outcome=Sets(value="32"),
        ),
        Example(
            name="reports on 32 cores that 200 sessions share",
            given=Given(cores=32, workload="mixed"),
            outcome=Sets(value="16"),
        ),
        Example(
            name="reports on 32 cores, with a standby that must be changed first",
            given=Given(cores=32, workload="mixed", connections=20, replicas=1),
            outcome=Sets(value="32"),
        ),
        Example(name="transactions on 32 cores", given=Given(cores=32), outcome=Declines(kind="keep")),
        Example(name="two cores", given=Given(cores=2), outcome=Sets(value="2")),
        Example(
            name="a container with a share of the cores",
            given=Given(cores=64, cpu_limit=3.0, container="kubernetes"),
            outcome=Sets(value="3"),
        ),
        Example(
            name="eight cores of eight threads",
            given=Given(cores=8, threads_per_core=8),
            outcome=Declines(kind="keep"),
        ),
        Example(name="four cores", given=Given(cores=4), outcome=Declines(kind="keep")),
        Example(
            name="9.6 has no such limit",
            given=Given(major="9.6"),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)

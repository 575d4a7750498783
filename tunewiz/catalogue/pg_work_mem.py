"""work_mem: memory for one sort or hash before it spills to disk."""

from __future__ import annotations

from tunewiz.core.planning.budget import MemoryBudget, budget_of
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import spills
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.own_numbers import SPILLS, rather_than, spilled, spills_rarely
from tunewiz.core.server.seen_memory import MEMORY, memory_is_short
from tunewiz.core.server.seen_room import PROCESSES
from tunewiz.core.server.seen_work import SESSIONS
from tunewiz.core.server.sorts import at_work_in_words, sessions_at_work, sorts_at_once, sorts_at_worst
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import COARSE, close, round_down, rounded_in_words
from tunewiz.core.values.units import MIB, Bytes

MINIMUM = Bytes(MIB)
"""Below this nearly every sort spills: fewer connections help then, not a smaller value."""


HOPELESS = 4
"""Times what has room: from there on memory runs out first, and every posture lowers it. An assumption."""


def decide(situation: Situation) -> Verdict:
    """A share of the remaining memory, divided by all sorts that run at once."""
    budget, current = budget_of(situation), situation.will_be_size("work_mem")
    room, sorts = budget.room_for(budget.work), sorts_at_once(situation)
    value = min(round_down(room * (situation.workload.work_share / sorts), COARSE), _cap(situation))
    value = situation.settings["work_mem"].clamped(value)
    if value > current and not close(value, current):
        for observation in spills_rarely(situation):
            because = f"{current.pg()} holds the sorts and hashes: {rather_than(observation, value.pg())}"
            return Declined(because=because, kind="keep")
        short = "".join(f"; but {observed}" for observed in memory_is_short(situation))
        return Proposal(
            value=value.pg(),
            because=f"sorts and hashes of this size stay in memory with {_at_work(situation)} at work"
            f"{_at_worst(situation, value)}{short}",
            computed=_computed(situation, room, value),
            ticked=not short,
        )
    if budget.fits:
        return Declined(because=_why_kept(current, value, situation), kind="keep")
    return _lower(situation, budget, current)


def _cap(situation: Situation) -> Bytes:
    """The workload's, or what the server's own temporary files would take in memory if that is more."""
    usual = situation.workload.work_mem_cap
    return max((usual, *(round_down(spill.worth, COARSE) for spill in spilled(situation))))


def _lower(situation: Situation, budget: MemoryBudget, current: Bytes) -> Verdict:
    room, sorts = budget.room_for(budget.work), sorts_at_once(situation)
    share = room * (1 / sorts)
    value = round_down(share, COARSE)
    if not MINIMUM <= value < current:
        because = (
            f"{situation.connections:,} connections leave no memory for sorts: "
            f"fewer, through a pool, would help"
        )
        return Declined(because=because, kind="keep")
    has_spilled = any(not spill.opposes for spill in spills(situation))
    files = "; temporary files show that it is used, so you decide" if has_spilled else ""
    return Proposal(
        value=value.pg(),
        because=f"with {current.pg()} the sorts of {_at_work(situation)} at work exceed the memory{files}",
        computed=f"{at_work_in_words(situation)}: {room.short()} left / "
        f"{_sorts_in_words(situation)} = {share.short()}"
        f"{rounded_in_words(share, value)}",
        risk=RiskLevel.LOW if current >= value * HOPELESS else RiskLevel.MEDIUM,
        ticked=not has_spilled,
    )


def _at_work(situation: Situation) -> str:
    return how_many(sessions_at_work(situation), "session")


def _at_worst(situation: Situation, value: Bytes) -> str:
    """The risk, where more sessions may come to work than are counted."""
    if sessions_at_work(situation) >= situation.connections:
        return ""
    return (
        f"; all {situation.connections:,} at their limit would take "
        f"{(value * sorts_at_worst(situation)).short()}"
    )


def _computed(situation: Situation, room: Bytes, value: Bytes) -> str:
    share, cap = room * (situation.workload.work_share / sorts_at_once(situation)), _cap(situation)
    divided = (
        f"{room.short()} left x {situation.workload.work_share} / "
        f"{_sorts_in_words(situation)} = {share.short()}"
    )
    text = f"{at_work_in_words(situation)}: {divided}"
    if value == cap < share:
        return f"{text}; {_cap_in_words(situation)}"
    return f"{text}{rounded_in_words(share, value)}{_wanted_in_words(situation, value)}"


def _wanted_in_words(situation: Situation, value: Bytes) -> str:
    """What the files seen would take, where the budget gives less."""
    return "".join(
        f"; less than wanted: {spill.words}" for spill in spilled(situation) if spill.worth > value
    )


def _cap_in_words(situation: Situation) -> str:
    cap = _cap(situation)
    for spill in spilled(situation):
        if cap > situation.workload.work_mem_cap:
            return f"at most {cap.pg()}: {spill.words}"
    return f"at most {cap.pg()} for this workload"


def _sorts_in_words(situation: Situation) -> str:
    return f"{float(sorts_at_once(situation)):,g} sorts and hashes at once"


def _why_kept(current: Bytes, value: Bytes, situation: Situation) -> str:
    if current > value:
        return f"{current.pg()} is more than would be proposed, and fits with {_at_work(situation)} at work"
    return f"{current.pg()} is right for {how_many(situation.connections, 'connection')}"


RECOMMENDATION = Recommendation(
    id="pg.work_mem",
    title="Size work_mem for sorts and hashes",
    group="memory",
    target=PgTarget(name="work_mem"),
    explanation=Explanation(
        changes="How much memory one sort may take before it continues in temporary files. A hash may take "
        "hash_mem_multiplier times as much. One query can run several of both.",
        helps="Sorting in memory avoids writing and reading temporary files.",
        leave_alone="When pg_stat_database shows no temporary files. If only a few reports need more: "
        "give it to their role or their session (ALTER ROLE … SET work_mem).",
        costs="It is a limit for each sort, not for the server: many connections that sort at once can take "
        "it many times over, which is why it is divided here.",
        watch="temp_files and temp_bytes in pg_stat_database, log_temp_files in the log, and free memory in "
        "the busiest hour.",
    ),
    pros=(
        "Fewer temporary files: less writing, shorter queries.",
        "Takes a reload only, and a session can still set its own.",
    ),
    cons=(
        "It applies to every connection: more sessions at work than counted take more memory than planned.",
        "No source of this project measured it: the value is computed, not proved.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.shared_buffers_half", near=True),
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="postgres-manual.work_mem"),
    ),
    decide=decide,
    witnesses=(SPILLS, SESSIONS, MEMORY, PROCESSES),
    gives_way=1,
    observed=(spills,),
    after=(
        "pg.temp_buffers",
        "kernel.nr_hugepages",
        "pg.autovacuum_max_workers",
        "pg.autovacuum_work_mem",
        "pg.hash_mem_multiplier",
        "pg.huge_pages",
        "pg.maintenance_work_mem",
        "pg.max_connections",
        "pg.max_parallel_workers",
        "pg.max_parallel_workers_per_gather",
        "pg.max_worker_processes",
        "pg.shared_buffers",
    ),
    examples=(
        Example(
            name="200 connections share what is left of 64 GB",
            given=Given(memory="64GB", major="12", settings={"shared_buffers": "16GB"}),
            outcome=Sets(value="64MB"),
        ),
        Example(
            name="few connections, large queries",
            given=Given(memory="64GB", workload="analytics", connections=10),
            outcome=Sets(value="384MB"),
        ),
        Example(
            name="twenty analysts on 64 cores",
            given=Given(memory="512GB", cores=64, workload="analytics", connections=20),
            outcome=Sets(value="1792MB"),
        ),
        Example(
            name="more than the memory can bear is lowered",
            given=Given(memory="16GB", available="14GB", settings={"work_mem": "256MB"}),
            outcome=Sets(value="128MB"),
        ),
        Example(
            name="a value that was set and fits stays",
            given=Given(memory="64GB", settings={"work_mem": "96MB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="ten thousand connections leave nothing",
            given=Given(memory="16GB", available="14GB", connections=10_000),
            outcome=Declines(kind="keep"),
        ),
    ),
)

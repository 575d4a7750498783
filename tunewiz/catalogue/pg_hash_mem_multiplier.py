"""hash_mem_multiplier: how much more than work_mem a hash may take."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.planning.budget import bears
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import spills
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.own_numbers import SPILLS, spilled, spills_rarely
from tunewiz.core.server.seen_room import ROOM

SINCE_15 = Fraction(2)
"""The default since PostgreSQL 15; 13 and 14 have 1."""

FAR = 16
"""Twice what the manual names as a high setting: from there on one hash takes what work_mem was to bound."""

LARGE_QUERIES = frozenset({"mixed", "analytics"})
"""Workloads whose hashes are worth more memory than their sorts."""


def decide(situation: Situation) -> Verdict:
    """2 for large queries, as later majors have it."""
    current = Fraction(situation.will_be("hash_mem_multiplier"))
    if current > FAR:
        return Proposal(
            value=f"{float(SINCE_15):g}",
            because=f"one hash may take {float(current):g} times work_mem, and a query has several",
            computed=f"2, the default since PostgreSQL 15; above {FAR}, work_mem bounds nothing",
        )
    if current >= SINCE_15:
        of = "was chosen: more than" if current > SINCE_15 else "is there already,"
        because = f"{float(current):g} {of} the default since PostgreSQL 15"
        return Declined(because=because, kind="keep")
    for observation in spills_rarely(situation):
        because = f"{float(current):g} is enough: {observation}"
        return Declined(because=because, kind="keep")
    if situation.workload.kind not in LARGE_QUERIES and not any(spilled(situation)):
        return Declined(because=f"{float(current):g} is enough for short queries", kind="keep")
    if not bears(situation.with_chosen("hash_mem_multiplier", str(SINCE_15))):
        return Declined(because=f"{float(current):g} stays: memory is short beside this many connections")
    return Proposal(
        value=f"{float(SINCE_15):g}",
        because="a hash that does not fit continues in files, which costs more than for a sort"
        + "".join(f"; {spill.words}" for spill in spilled(situation)),
        computed="2, the default since PostgreSQL 15; counted in work_mem's part of the memory budget",
    )


RECOMMENDATION = Recommendation(
    id="pg.hash_mem_multiplier",
    title="Let hashes use twice work_mem",
    group="memory",
    target=PgTarget(name="hash_mem_multiplier"),
    explanation=Explanation(
        changes="A hash join or hash aggregate may take this many times work_mem (13 and newer).",
        helps="Hashing is quick while it fits into memory and slow when it does not: more so than a sort "
        "suffers.",
        leave_alone="With short queries, or where memory is short: work_mem is divided by it here.",
        costs="Memory: each hash may take as much more.",
        watch="“Batches” above 1 at Hash nodes in EXPLAIN ANALYZE, temp_bytes in pg_stat_database.",
    ),
    pros=("Fewer temporary files in joins and grouping.", "Takes a reload; a session can set its own."),
    cons=("work_mem itself gets smaller in the same budget.", "No source of this project measured it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="postgres-manual.hash_mem_multiplier"),
    ),
    decide=decide,
    witnesses=(SPILLS, *ROOM),
    observed=(spills,),
    after=("pg.max_connections", "pg.max_worker_processes"),
    examples=(
        Example(name="reports on 14", given=Given(major="14", workload="analytics"), outcome=Sets(value="2")),
        Example(name="transactions on 14", given=Given(major="14"), outcome=Declines(kind="keep")),
        Example(
            name="the default since 15",
            given=Given(major="15", workload="analytics"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="more was chosen",
            given=Given(settings={"hash_mem_multiplier": "8"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="far more than any hash needs",
            given=Given(settings={"hash_mem_multiplier": "1000"}),
            outcome=Sets(value="2"),
        ),
        Example(
            name="12 has no such setting",
            given=Given(major="12"),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)

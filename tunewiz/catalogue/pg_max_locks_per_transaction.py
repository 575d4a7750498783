"""max_locks_per_transaction: how many tables and indexes may be locked at once."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.extension_workers import TIMESCALEDB, loaded_libraries
from tunewiz.core.server.seen_locks import FAST_PATH, fast_path_runs_out

NAME = "max_locks_per_transaction"

TWICE = 2
MOST_FOR_SPEED = 1024
"""At this many, execution took longer in the one measurement that there is (postgres-ai-locks.fast_path)."""


def decide(situation: Situation) -> Verdict:
    """The default where it was lowered; more where locks find no slot, or by a person for partitions."""
    current, usual = int(situation.will_be(NAME)), int(situation.default(NAME))
    sessions = int(situation.will_be("max_connections")) + int(situation.will_be("max_prepared_transactions"))
    if current >= usual:
        for observation in fast_path_runs_out(situation):
            if current < MOST_FOR_SPEED:
                return _more_slots(current, observation)
        room = f"{current} x {sessions:,} sessions = {current * sessions:,} locks"
        return Declined(
            because=f"{room}; more only where queries touch hundreds of partitions{_of_chunks(situation)}",
            kind="keep",
        )
    return Proposal(
        value=str(usual),
        because=f"{current} is below the default: once {current * sessions:,} locks are taken, the "
        "next query fails",
        computed=f"{usual}, the default of PostgreSQL {situation.major}",
        ticked=False,
    )


def _more_slots(current: int, observation: str) -> Proposal:
    """From 18 on each session has as many slots of its own as this setting says."""
    return Proposal(
        value=str(TWICE * current),
        because=f"{observation}: such locks go through the lock table that all sessions share. Drop unused "
        "indexes first: each is locked with its table",
        computed=f"{TWICE} x {current} = {TWICE * current} slots for each session; try it, and measure",
        ticked=False,
    )


def _of_chunks(situation: Situation) -> str:
    """What TimescaleDB's documentation says of its partitions."""
    if TIMESCALEDB not in loaded_libraries(situation):
        return ""
    return (
        "; TimescaleDB locks every chunk that a query reads: twice the largest hypertable's chunks, at least"
    )


RECOMMENDATION = Recommendation(
    id="pg.max_locks_per_transaction",
    title="Keep room for locks",
    group="connections",
    target=PgTarget(name="max_locks_per_transaction"),
    explanation=Explanation(
        changes="The lock table in shared memory has room for this many locks for each allowed session. "
        "Every table, index and partition that a query touches takes a lock.",
        helps="Queries over many partitions, and dumps of many tables, do not fail for lack of room.",
        leave_alone="Where it is the default, “You might need to increase max_locks_per_transaction” "
        "is not in the log, and no sessions wait for LWLock:LockManager.",
        costs="A restart, and some shared memory. A standby must have at least as much as its primary.",
        watch="“out of shared memory” in the log; SELECT count(*) FROM pg_locks at the busiest time. From 19 "
        "on, fastpath_exceeded in pg_stat_lock: how often a session had no slot of its own left.",
    ),
    pros=("No query fails for lack of locks.",),
    cons=("Requires a restart.", "Every standby must be changed first."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="postgres-manual.max_locks_per_transaction"),
        Cite(claim="postgres-manual.locks_of_19"),
        Cite(claim="postgres-ai-locks.fast_path", opposes=True),
    ),
    disputes=(
        Dispute(
            one="The manual: the default has proved enough; more is for queries that touch many different "
            "tables in one transaction.",
            other="PostgresAI (2025), 18 on 16 processors: past 64 locks sessions wait for the lock "
            "manager; at 1024 none did with 202 relations, but execution took longer.",
            follows="The default. From 18 on, with LWLock:LockManager among the waits, drop unused "
            "indexes first, then try 256 and measure: the price of 1024 is not explained.",
            claims=(
                "postgres-manual.max_locks_per_transaction",
                "postgres-ai-locks.fast_path",
            ),
        ),
    ),
    decide=decide,
    witnesses=(FAST_PATH,),
    after=("pg.max_connections",),
    examples=(
        Example(
            name="it was lowered",
            given=Given(settings={"max_locks_per_transaction": "16"}),
            outcome=Sets(value="64"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="64 kept in 19",
            given=Given(major="19", settings={"max_locks_per_transaction": "64"}),
            outcome=Sets(value="128"),
        ),
        Example(
            name="more was chosen",
            given=Given(settings={"max_locks_per_transaction": "256"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

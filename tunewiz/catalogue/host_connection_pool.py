"""A connection pool: fewer sessions at work, more work done."""

from __future__ import annotations

from tunewiz.core.evidence import Cite
from tunewiz.core.examples import Given
from tunewiz.core.model import (
    Advice,
    AdviceTarget,
    Advises,
    Declined,
    Declines,
    Example,
    Explanation,
    Recommendation,
    RiskLevel,
    Verdict,
)
from tunewiz.core.observed import peak_of_sessions
from tunewiz.core.situation import Situation

PER_CORE = 28
"""Connections per core at the measured peak: 224 on the 8 cores of the Power10 at SMT8 (claim 19)."""

FEW = 100
"""Below this a pool gains little on any machine: PostgreSQL's default max_connections."""


def decide(now: Situation) -> Verdict:
    """Advice where far more sessions are expected than cores can work for."""
    peak = max(FEW, PER_CORE * now.cores)
    if now.connections <= peak:
        because = f"{now.connections} connections are few enough for {now.cores} cores (up to {peak})"
        return Declined(because=because, kind="keep")
    return Advice(
        because=f"{now.connections} connections on {now.cores} cores: beyond about {peak} throughput falls",
        steps=(
            "Put a pool before the server: PgBouncer, or the one of the application's own driver.",
            f"Begin with {max(4, 4 * now.cores)} server connections in transaction mode, and measure.",
            "Transaction mode forbids session state: SET, LISTEN, WITH HOLD cursors, session advisory locks.",
        ),
        undo=("Let the clients connect to the server's own port again.",),
        computed=f"{PER_CORE} per core at the measured peak x {now.cores} cores, at least {FEW} = {peak}",
    )


RECOMMENDATION = Recommendation(
    id="host.connection_pool",
    title="Put a connection pool before the server",
    group="connections",
    target=AdviceTarget(name="connection pool"),
    explanation=Explanation(
        changes="Clients connect to a pool that shares a small number of server sessions among them.",
        helps="Fewer sessions fight for the same locks and cores, and memory for each is saved.",
        leave_alone="When clients keep session state between transactions. When the application has its own "
        "pool already: then make that one smaller.",
        costs="One more part to run and to watch. Some features of sessions do not work in transaction mode.",
        watch="Waiting clients in the pool (PgBouncer: SHOW POOLS), wait_event_type Lock and LWLock in "
        "pg_stat_activity.",
    ),
    pros=(
        "On the Power10 448 connections did 7 % less than 224: no other setting helped.",
        "Leaves memory for caches and sorts.",
    ),
    cons=(
        "Another service on the way to the data.",
        "If a few hot rows are the limit, only a change in the application helps (+21 % there).",
    ),
    risk=RiskLevel.LOW,
    basis="measured",
    cites=(Cite(claim="19"), Cite(claim="21")),
    decide=decide,
    observed=(peak_of_sessions,),
    examples=(
        Example(name="200 connections on 4 cores", given=Given(cores=4), outcome=Advises()),
        Example(name="200 connections on 16 cores", given=Given(cores=16), outcome=Declines(kind="keep")),
        Example(
            name="threads are not cores",
            given=Given(cores=8, threads_per_core=8, connections=448),
            outcome=Advises(),
        ),
        Example(
            name="cores are not known",
            given=Given(cores_unknown=True),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)

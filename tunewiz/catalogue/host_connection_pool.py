"""A connection pool: fewer sessions working, more work done."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import mean_sessions, peak_of_sessions
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.seen_work import SESSIONS, most_at_work
from tunewiz.core.server.sessions import FEW, hardware_threads, served_in_words, served_well
from tunewiz.core.values.known import needed
from tunewiz.core.values.plural import how_many


def decide(situation: Situation) -> Verdict:
    """Advice where far more sessions are expected than hardware threads can serve."""
    if situation.connections <= FEW:
        return Declined(
            because=f"{how_many(situation.connections, 'connection')}: few for any machine", kind="keep"
        )
    threads = hardware_threads(situation)
    peak = needed(served_well(situation), "how many sessions the processors serve")
    if situation.connections <= peak:
        because = (
            f"{how_many(situation.connections, 'connection')} on {how_many(threads, 'thread')}: few enough "
            f"(up to {peak})"
        )
        return Declined(because=because, kind="keep")
    for active, words in most_at_work(situation):
        if active <= peak:
            because = (
                f"no more sessions are active than these processors can serve: {rather_than(words, 'a pool')}"
            )
            return Declined(because=because, kind="keep")
    return Advice(
        because=f"{how_many(situation.connections, 'connection')} on "
        f"{how_many(threads, 'thread')}: if all are "
        f"active at once, throughput is likely to fall",
        steps=(
            "Put a pool in front of the server: PgBouncer, or the one of the application's own driver.",
            f"Begin with {max(4, 4 * situation.cores)} server connections in transaction mode, and measure.",
            "Transaction mode forbids session state: SET, LISTEN, WITH HOLD cursors, session advisory locks.",
        ),
        undo=("Let the clients connect to the server's own port again.",),
        computed=served_in_words(threads),
    )


RECOMMENDATION = Recommendation(
    id="host.connection_pool",
    title="Put a connection pool in front of the server",
    group="connections",
    target=AdviceTarget(name="connection pool"),
    explanation=Explanation(
        changes="Clients connect to a pool, which shares a small number of server sessions among them.",
        helps="Fewer sessions compete for the same locks and cores, and the memory of the others is saved.",
        leave_alone="When clients keep session state between transactions. When the application has its own "
        "pool already: then make that one smaller.",
        costs="One more component to run and monitor. Some features of sessions do not work in transaction "
        "mode.",
        watch="Waiting clients in the pool (PgBouncer: SHOW POOLS), wait_event_type Lock and LWLock in "
        "pg_stat_activity.",
    ),
    pros=(
        "448 connections did 7 % less than 224 on the Power10, 224 did 4 % less than 112 on the Ice Lake.",
        "Leaves memory for caches and sorts.",
    ),
    cons=(
        "Another service between clients and data.",
        "If a few hot rows are the limit, only the application can help (+21 % there, with less work).",
    ),
    risk=RiskLevel.LOW,
    basis="measured",
    versions="PostgreSQL 9.5 to 19",
    cites=(Cite(claim="power.connections_peak"), Cite(claim="power.contention")),
    decide=decide,
    witnesses=(SESSIONS,),
    observed=(peak_of_sessions, mean_sessions),
    examples=(
        Example(name="200 connections on 4 cores", given=Given(cores=4), outcome=Advises()),
        Example(
            name="200 connections on 32 cores of two threads",
            given=Given(cores=32, threads_per_core=2),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="the Power10 beyond its peak",
            given=Given(cores=8, threads_per_core=8, connections=448),
            outcome=Advises(),
        ),
        Example(
            name="the Ice Lake beyond its peak",
            given=Given(cores=16, threads_per_core=2, connections=224),
            outcome=Advises(),
        ),
        Example(
            name="cores are not known",
            given=Given(cores_unknown=True),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="few on any machine",
            given=Given(cores_unknown=True, connections=100),
            outcome=Declines(kind="keep"),
        ),
    ),
)

"""max_connections: how many sessions the server lets in."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import peak_of_sessions
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.rounding import round_up_to

POOL_RATHER = 500
"""Above this, sessions wait for each other more than they work: a pool serves them better."""

SPARE = 10
"""Room for a person, a backup and monitoring beside the expected peak; the value is a multiple of it too."""


def decide(now: Situation) -> Verdict:
    """Room for the expected peak; never lowered."""
    current, reserved = int(now.will_be("max_connections")), _reserved(now)
    if now.connections <= current:
        because = f"{current} leave room for {now.connections}; fewer slots would free little memory"
        return Declined(because=because, kind="keep")
    if now.connections > POOL_RATHER:
        because = f"{now.connections} sessions at once slow each other down: use a connection pool instead"
        return Declined(because=because)
    value = round_up_to(now.connections + reserved + SPARE, SPARE)
    computed = f"{now.connections} expected + {reserved} reserved + {SPARE} spare = {value}, in tens"
    if now.answers.server.replicas > 0:
        because = f"{current} are fewer than expected; raise it on the standbys first, or they stop replaying"
        return Proposal(
            value=str(value), because=because, computed=computed, risk=RiskLevel.HIGH, ticked=False
        )
    because = f"{current} let in fewer than the {now.connections} that are expected"
    return Proposal(value=str(value), because=because, computed=computed)


def _reserved(now: Situation) -> int:
    names = ("superuser_reserved_connections", "reserved_connections")
    return sum(int(now.will_be(name)) for name in names if now.settings.has(name))


RECOMMENDATION = Recommendation(
    id="pg.max_connections",
    title="Let all expected sessions in",
    group="connections",
    target=PgTarget(name="max_connections"),
    explanation=Explanation(
        changes="How many sessions may be open at once. A few are reserved for superusers.",
        helps="A client over the limit is refused: “sorry, too many clients already”.",
        leave_alone="When a pool (such as PgBouncer) is in front of the server: then the pool's size counts, "
        "not the number of clients. It is never lowered here.",
        costs="A restart. Memory: some shared memory for each slot, several megabytes for each session "
        "in use. Throughput falls beyond a peak: more sessions are not more work done.",
        watch="Sessions in pg_stat_activity in the busiest hour, and how many of them are active.",
    ),
    pros=("No client is refused at the expected peak.",),
    cons=(
        "Needs a restart; on standbys it must be raised first.",
        "On the Power10 throughput peaked at 224 connections and fell at 448.",
    ),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(Cite(claim="power.connections_peak", opposes=True), Cite(claim="power.contention", near=True)),
    decide=decide,
    gives_way=7,
    observed=(peak_of_sessions,),
    examples=(
        Example(name="200 expected, 100 allowed", given=Given(connections=200), outcome=Sets(value="220")),
        Example(name="80 expected, 100 allowed", given=Given(connections=80), outcome=Declines(kind="keep")),
        Example(name="2000 belong behind a pool", given=Given(connections=2000), outcome=Declines()),
        Example(
            name="more than expected stays",
            given=Given(connections=20, settings={"max_connections": "500"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

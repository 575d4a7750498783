"""autovacuum_worker_slots: how many autovacuum workers can be allowed without a restart."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

NAME = "autovacuum_worker_slots"


def decide(situation: Situation) -> Verdict:
    """At least as many as workers are allowed."""
    slots, workers = int(situation.will_be(NAME)), int(situation.will_be("autovacuum_max_workers"))
    if workers <= slots:
        return Declined(
            because=f"{slots} slots: autovacuum_max_workers, {workers}, can be raised up to that by a reload",
            kind="keep",
        )
    return Proposal(
        value=str(workers),
        because=f"{workers} workers are allowed and no more than {slots} run: the rest have no slot",
        computed=f"{workers}, autovacuum_max_workers",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_worker_slots",
    title="Give every allowed autovacuum worker a slot",
    group="vacuum",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="Places for processes that are kept free for autovacuum workers (18 and newer): "
        "autovacuum_max_workers can be changed by a reload up to this number, and has no effect beyond it.",
        helps="As many workers run as are allowed.",
        leave_alone="Where they are enough: 16 are usual, fewer where initdb found that the kernel allows "
        "fewer semaphores. A lower autovacuum_max_workers mends it too.",
        costs="A restart, and some shared memory for each place.",
        watch="“should be less than or equal to autovacuum_worker_slots” in the log at the start.",
    ),
    pros=("autovacuum_max_workers means what it says.",),
    cons=("Requires a restart.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.autovacuum_worker_slots"),),
    decide=decide,
    after=("pg.autovacuum_max_workers",),
    examples=(
        Example(
            name="more workers than slots",
            given=Given(major="18", settings={"autovacuum_max_workers": "20"}),
            outcome=Sets(value="20"),
        ),
        Example(name="the default", given=Given(major="18"), outcome=Declines(kind="keep")),
        Example(name="17 has none", given=Given(major="17"), outcome=Declines(kind="not_applicable")),
    ),
)

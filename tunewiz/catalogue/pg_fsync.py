"""fsync: whether the server forces its writes to disk. Never turned off."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict


def decide(situation: Situation) -> Verdict:
    """On, whatever the posture."""
    if situation.will_be("fsync") == "on":
        because = "on stays: +15 % without it, and a database that a power cut may damage beyond repair"
        return Declined(because=because, kind="keep")
    return Proposal(
        value="on",
        because="it is off: a crash of the machine may leave a database that cannot be repaired",
        computed="on, in every posture",
    )


RECOMMENDATION = Recommendation(
    id="pg.fsync",
    title="Turn on fsync",
    group="durability",
    target=PgTarget(name="fsync"),
    explanation=Explanation(
        changes="Whether the server waits until the kernel has put WAL and data files on disk, at the points "
        "that recovery relies on.",
        helps="After a crash of the machine the database starts again, with every commit.",
        leave_alone="It is never turned off here. Off is for a load that can be thrown away and repeated if "
        "the machine fails, set by hand, for that time only.",
        costs="Throughput: the one measurement saw 15 % more without it. When turning it on, run sync once "
        "afterwards: what was written before may still wait in the kernel's memory.",
        watch="pg_test_fsync on the WAL's disk. An error of fsync makes the server stop and recover "
        "(since 12, and minor releases of 2019-02).",
    ),
    pros=("The database survives a crash of the machine.", "Backups and standbys can be trusted."),
    cons=("15 % throughput on the Power10, with 448 connections.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="power.fsync_off", opposes=True),
        Cite(claim="kernel-talk.fdatasync_errors", near=True),
        Cite(claim="postgres-manual.fsync"),
    ),
    decide=decide,
    never=("off",),
    examples=(
        Example(name="it is off", given=Given(settings={"fsync": "off"}), outcome=Sets(value="on")),
        Example(
            name="it is off and the posture bold",
            given=Given(settings={"fsync": "off"}, posture="bold"),
            outcome=Sets(value="on"),
        ),
        Example(name="it is on", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="it is on and the posture bold", given=Given(posture="bold"), outcome=Declines(kind="keep")
        ),
    ),
)

"""synchronous_commit: whether a commit waits until its WAL is safe on disk. Explained, never changed."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import wal_syncs
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict


def decide(situation: Situation) -> Verdict:
    """Leave it; if it is off, explain what that means."""
    current = situation.will_be("synchronous_commit")
    if current != "off":
        because = (
            f"{current} stays: turning it off gained nothing when measured, and loses commits in a crash"
        )
        return Declined(because=because, kind="keep")
    return Advice(
        because="it is off: the last commits before a crash are lost although they were reported as done",
        steps=(
            "Ask who turned it off, and whether a lost commit is acceptable to them.",
            "If not: ALTER SYSTEM SET synchronous_commit = 'on'; then SELECT pg_reload_conf();",
            "For work that can be repeated, off may stay in its own session: SET synchronous_commit = off;",
        ),
        undo=("ALTER SYSTEM SET synchronous_commit = 'off'; then SELECT pg_reload_conf();",),
    )


RECOMMENDATION = Recommendation(
    id="pg.synchronous_commit",
    title="Turn on synchronous_commit",
    group="durability",
    target=PgTarget(name="synchronous_commit"),
    explanation=Explanation(
        changes="Nothing is changed here. With on, COMMIT returns when its WAL is on disk; with off it "
        "returns at once and the WAL follows within about 3 x wal_writer_delay (0.6 s).",
        helps="With on, what was reported as done is done, even if the power fails a moment later.",
        leave_alone="Always, for the server as a whole. Off may suit single sessions whose work can be "
        "repeated.",
        costs="Each commit waits for one write to disk. Off never damages the database; it forgets the "
        "last commits.",
        watch="How long a commit takes: pg_test_fsync on the WAL's disk, WALSync waits in pg_stat_activity.",
    ),
    pros=("No commit that was reported as done is lost.", "Off gained nothing in the z13 study."),
    cons=("Many small commits on slow disks wait: group them, or give the WAL faster disks.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.synchronous_commit"),
        Cite(claim="postgres-manual.synchronous_commit"),
    ),
    decide=decide,
    observed=(wal_syncs,),
    never=("off",),
    examples=(
        Example(name="it is off", given=Given(settings={"synchronous_commit": "off"}), outcome=Advises()),
        Example(name="it is on", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="a bold posture changes nothing",
            given=Given(posture="bold"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="waiting for standbys is a choice of its own",
            given=Given(settings={"synchronous_commit": "remote_apply"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

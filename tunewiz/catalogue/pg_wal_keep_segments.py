"""wal_keep_segments: WAL that stays for standbys that stream without a slot."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.example_replication import read_slot, with_slots
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import RiskLevel, Verdict
from tunewiz.core.server.kept_for_standbys import keep_for_standbys
from tunewiz.core.server.seen_replication import STANDBYS, WAL_RATE


def decide(situation: Situation) -> Verdict:
    """Advice where there are standbys without a slot, as far as is known."""
    segment = situation.will_be_size("wal_segment_size")
    unbounded = "; before 13 nothing limits the WAL that a slot holds back, so watch it"
    return keep_for_standbys(situation, "wal_keep_segments", lambda size: str(size.pages(segment)), unbounded)


RECOMMENDATION = Recommendation(
    id="pg.wal_keep_segments",
    title="Keep WAL segments for standbys without a slot",
    group="durability",
    target=PgTarget(name="wal_keep_segments"),
    explanation=Explanation(
        changes="Nothing is changed here. The server keeps no WAL for standbys unless they have a slot or "
        "this number of segments is set (before 13, which has wal_keep_size).",
        helps="A standby that was away for a while fetches what it missed instead of being rebuilt.",
        leave_alone="Where every standby has a slot, or fetches from an archive.",
        costs="Disk space: that many segments (16 MB each, unless built otherwise) are always kept.",
        watch="“requested WAL segment has already been removed” in the standby's log.",
    ),
    pros=("A standby may be away for a while.",),
    cons=("Disk space that is always in use.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.wal_keep_segments"),),
    decide=decide,
    witnesses=(STANDBYS, WAL_RATE),
    examples=(
        Example(name="two standbys", given=Given(major="12", replicas=2), outcome=Advises()),
        Example(
            name="WAL is kept",
            given=Given(major="12", replicas=2, settings={"wal_keep_segments": "256"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="each standby has a slot",
            given=Given(major="12", replicas=2, replication=with_slots(read_slot("one"), read_slot("two"))),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="one of two has a slot",
            given=Given(
                major="12",
                replicas=2,
                replication=with_slots(read_slot("one"), read_slot("two", active=False)),
            ),
            outcome=Advises(),
        ),
        Example(
            name="13 has a size instead",
            given=Given(major="13", replicas=2),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(name="no standby", given=Given(major="12"), outcome=Declines(kind="not_applicable")),
    ),
)

"""wal_keep_size: WAL that stays for standbys that stream without a slot."""

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
    bounded = ", limited by max_slot_wal_keep_size here"
    return keep_for_standbys(situation, "wal_keep_size", lambda size: f"'{size.pg()}'", bounded)


RECOMMENDATION = Recommendation(
    id="pg.wal_keep_size",
    title="Keep WAL for standbys without a slot",
    group="durability",
    target=PgTarget(name="wal_keep_size"),
    explanation=Explanation(
        changes="Nothing is changed here. The server keeps no WAL for standbys unless they have a slot or "
        "this size is set.",
        helps="A standby that was away for a while fetches what it missed instead of being built anew.",
        leave_alone="Where every standby has a slot, or fetches from an archive.",
        costs="Disk space: this much WAL is always kept.",
        watch="“requested WAL segment has already been removed” in the standby's log.",
    ),
    pros=("A standby may be away for a while.",),
    cons=("Disk space that is always taken.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.wal_keep_size"),),
    decide=decide,
    witnesses=(STANDBYS, WAL_RATE),
    examples=(
        Example(name="two standbys", given=Given(replicas=2), outcome=Advises()),
        Example(
            name="WAL is kept",
            given=Given(replicas=2, settings={"wal_keep_size": "4GB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="each standby has a slot",
            given=Given(replicas=2, replication=with_slots(read_slot("one"), read_slot("two"))),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="one of two has a slot",
            given=Given(replicas=2, replication=with_slots(read_slot("one"), read_slot("two", active=False))),
            outcome=Advises(),
        ),
        Example(name="no standby", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

"""idle_replication_slot_timeout: how long a replication slot may have no reader."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.example_replication import read_slot, with_slots
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.replication import replication, slots
from tunewiz.core.server.seen_replication import READERS

LONGEST = "3d"
"""A reader that is away for a long weekend comes back in time. An assumption."""


def decide(situation: Situation) -> Verdict:
    """Three days, to be decided: a reader that is away for longer is lost."""
    current = situation.will_be("idle_replication_slot_timeout")
    if current != "0":
        return Declined(because=f"slots may be idle for {current}", kind="keep")
    if situation.will_be("max_replication_slots") == "0":
        return Declined(because="the server allows no replication slots", kind="not_applicable")
    if any(not observation.slots for observation in replication(situation)):
        return Declined(because="it has no replication slots", kind="keep")
    for slot in slots(situation):
        if not slot.active:
            return Declined(
                because=f"nobody reads the slot {slot.name} now: decide about it first; {LONGEST} may "
                "have passed already"
            )
    return Proposal(
        value=LONGEST,
        because="a forgotten slot holds back WAL, and keeps vacuum from removing rows, for ever",
        computed=f"0 (no limit) becomes {LONGEST}, checked at each checkpoint",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.idle_replication_slot_timeout",
    title="Give up replication slots that nobody reads",
    group="durability",
    target=PgTarget(name="idle_replication_slot_timeout"),
    explanation=Explanation(
        changes="A replication slot that had no reader for this long becomes invalid at the next checkpoint "
        "(18 and newer).",
        helps="A slot whose standby or subscriber was taken away no longer fills the disk, nor keeps dead "
        "rows and old transaction ids alive.",
        leave_alone="Where a reader may be away for longer and must not be built anew.",
        costs="A reader that comes back later must be built anew.",
        watch="inactive_since and invalidation_reason in pg_replication_slots.",
    ),
    pros=("A forgotten slot ends by itself.", "Takes a reload."),
    cons=("A reader that was away for long is lost.", "The time is a rule of thumb."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.idle_replication_slot_timeout"),),
    decide=decide,
    witnesses=(READERS,),
    examples=(
        Example(name="no limit", given=Given(major="18"), outcome=Sets(value="3d")),
        Example(
            name="a limit",
            given=Given(major="18", settings={"idle_replication_slot_timeout": "1d"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="no slots",
            given=Given(major="18", replication=with_slots()),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a slot has no reader now",
            given=Given(major="18", replication=with_slots(read_slot("away", active=False))),
            outcome=Declines(),
        ),
        Example(
            name="each slot is read",
            given=Given(major="18", replication=with_slots(read_slot("one"))),
            outcome=Sets(value="3d"),
        ),
        Example(name="17 has none", given=Given(major="17"), outcome=Declines(kind="not_applicable")),
    ),
)

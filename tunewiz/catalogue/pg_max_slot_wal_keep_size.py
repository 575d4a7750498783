"""max_slot_wal_keep_size: how much WAL replication slots may hold back."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.replication import replication, slots
from tunewiz.core.server.seen_replication import HELD
from tunewiz.core.values.known import needed
from tunewiz.core.values.rounding import WHOLE, round_down, rounded_in_words
from tunewiz.core.values.units import Bytes

NO_LIMIT = "-1"
SHARE = Fraction(1, 2)
"""Of the free space that max_wal_size leaves: the rest is for archiving that fails, and for people to act."""

FAR = 4
"""Times what a slot holds back: with less room its reader is left to a person. An assumption."""


def decide(situation: Situation) -> Verdict:
    """Half of what is free beside max_wal_size; a person decides where a reader is behind or not known."""
    current = situation.will_be("max_slot_wal_keep_size")
    if current != NO_LIMIT:
        return Declined(because=f"slots may hold back {current}", kind="keep")
    if situation.will_be("max_replication_slots") == "0":
        return Declined(because="the server allows no replication slots", kind="not_applicable")
    free, wal = (
        needed(situation.storage_for("wal").free, "the free space for WAL"),
        situation.will_be_size("max_wal_size"),
    )
    left = max(Bytes(0), free - wal)
    exact = left * SHARE
    value = round_down(exact, WHOLE)
    for slot in slots(situation):
        if slot.held >= value:
            return Declined(
                because=f"the slot {slot.name} holds back {slot.held.short()} now: a limit of "
                f"{value.short()} would cut its reader off at once"
            )
    if value <= wal:
        return Declined(because=f"{free.short()} free for WAL leaves no room for a limit")
    return Proposal(
        value=value.pg(),
        because="a slot whose reader is gone holds back WAL until the disk is full, and the server stops",
        computed=f"({free.short()} free - {wal.short()} max_wal_size) x {SHARE} = {exact.short()}"
        f"{rounded_in_words(exact, value)}",
        ticked=_is_far_off(situation, value),
    )


def _is_far_off(situation: Situation, value: Bytes) -> bool:
    """Whether the slots are known, and none holds back so much that its reader could soon be lost."""
    return any(replication(situation)) and all(slot.held * FAR <= value for slot in slots(situation))


RECOMMENDATION = Recommendation(
    id="pg.max_slot_wal_keep_size",
    title="Limit the WAL that replication slots hold back",
    group="durability",
    target=PgTarget(name="max_slot_wal_keep_size"),
    explanation=Explanation(
        changes="A replication slot keeps the WAL that its reader (a standby, logical replication, a backup "
        "tool) has not fetched yet. With a limit, a slot that falls further behind loses it.",
        helps="An abandoned slot no longer fills the disk, at which point the whole server stops.",
        leave_alone="Where a reader must never lose anything, and free space is watched.",
        costs="A reader that falls behind the limit must be built anew.",
        watch="wal_status and safe_wal_size in pg_replication_slots.",
    ),
    pros=("A forgotten slot cannot stop the server.", "Takes a reload."),
    cons=("A standby that is away for long must be built anew.",),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.max_slot_wal_keep_size"),),
    decide=decide,
    witnesses=(HELD,),
    after=("pg.max_wal_size",),
    examples=(
        Example(
            name="500 GB are free",
            given=Given(settings={"max_wal_size": "16GB"}),
            outcome=Sets(value="224GB"),
        ),
        Example(name="little is free", given=Given(free_space="2GB"), outcome=Declines()),
        Example(
            name="a limit was chosen",
            given=Given(settings={"max_slot_wal_keep_size": "50GB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="no slots are allowed",
            given=Given(settings={"max_replication_slots": "0"}),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)

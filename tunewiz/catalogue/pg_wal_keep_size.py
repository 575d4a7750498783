"""wal_keep_size: WAL that stays for standbys that stream without a slot."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict

WITHOUT_SLOT = (
    "SELECT application_name FROM pg_stat_replication WHERE pid NOT IN "
    "(SELECT active_pid FROM pg_replication_slots WHERE active_pid IS NOT NULL);"
)


def decide(now: Situation) -> Verdict:
    """Advice where there are standbys: only the server knows which have a slot."""
    if now.answers.server.replicas == 0:
        return Declined(because="it has no standbys, as far as is known", kind="not_applicable")
    current = now.will_be_size("wal_keep_size")
    if current.count:
        return Declined(because=f"{current.short()} of WAL stay for standbys", kind="keep")
    return Advice(
        because="a standby without a slot that is away for longer than a checkpoint takes must be built anew",
        steps=(
            f"{WITHOUT_SLOT} names the standbys without a slot; with none, nothing is to be done.",
            "Better: give each a slot (primary_slot_name there), bounded by max_slot_wal_keep_size here.",
            "Else: ALTER SYSTEM SET wal_keep_size to what is written while a standby is serviced.",
            "SELECT pg_reload_conf();",
        ),
        undo=("ALTER SYSTEM RESET wal_keep_size; then SELECT pg_reload_conf();",),
    )


RECOMMENDATION = Recommendation(
    id="pg.wal_keep_size",
    title="Keep WAL for standbys without a slot",
    group="durability",
    target=PgTarget(name="wal_keep_size"),
    explanation=Explanation(
        changes="Nothing is changed here. The server keeps no WAL for standbys unless they have a slot or "
        "this size is set (13 and newer; wal_keep_segments before).",
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
    examples=(
        Example(name="two standbys", given=Given(replicas=2), outcome=Advises()),
        Example(
            name="WAL is kept",
            given=Given(replicas=2, settings={"wal_keep_size": "4GB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="no standby", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

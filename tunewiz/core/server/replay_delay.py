"""How long replay on a standby waits for queries: both choices, where there is one to be made."""

from __future__ import annotations

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice, Declined, Verdict
from tunewiz.core.server.replication import conflicts
from tunewiz.core.server.standby import NO_QUERIES, NOT_A_STANDBY, is_standby
from tunewiz.core.values.plural import how_many

FOR_EVER = "-1"
FROM_THE_ARCHIVE = "max_standby_archive_delay"


def replay_delay(situation: Situation, name: str) -> Verdict:
    """max_standby_streaming_delay or max_standby_archive_delay: both choices, or the reason to leave it."""
    if not is_standby(situation):
        return NOT_A_STANDBY
    if situation.will_be("hot_standby") == "off":
        return NO_QUERIES
    current = situation.will_be(name)
    if current == FOR_EVER:
        return _choice(
            name, "replay waits for a query here as long as it runs: a single one can stop it for ever"
        )
    others = 0 if name == FROM_THE_ARCHIVE else sum(conflict.others for conflict in conflicts(situation))
    if others:
        because = (
            f"{how_many(others, 'query')} cancelled for locks and the like, which hot_standby_feedback does "
            f"not prevent: only more than {current} would let them finish"
        )
        return _choice(name, because)
    return Declined(because=f"{current}: after that, a query that blocks replay is cancelled", kind="keep")


def _choice(name: str, because: str) -> Advice:
    return Advice(
        because=because,
        steps=(
            "For a standby that may be promoted: a short delay (30s is the default); it may cancel reports.",
            "For a standby that runs reports: as long as the longest one; it may lag that long.",
            f"ALTER SYSTEM SET {name} = '5min'; for reports of up to five minutes, for example.",
            "SELECT pg_reload_conf();",
        ),
        undo=(f"ALTER SYSTEM RESET {name}; then SELECT pg_reload_conf();",),
    )

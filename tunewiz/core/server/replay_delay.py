"""How long replay on a standby waits for queries: both sides, where there is a choice to be made."""

from __future__ import annotations

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice, Declined, Verdict
from tunewiz.core.server.replication import conflicts
from tunewiz.core.server.standby import is_standby
from tunewiz.core.values.plural import how_many

FOR_EVER = "-1"
FROM_THE_ARCHIVE = "max_standby_archive_delay"


def replay_delay(now: Situation, name: str) -> Verdict:
    """Of max_standby_streaming_delay or max_standby_archive_delay: both sides, or the reason to leave it."""
    if not is_standby(now):
        return Declined(because="it is a setting of standbys: this server is none", kind="not_applicable")
    if now.will_be("hot_standby") == "off":
        return Declined(because="hot_standby is off: no query runs here", kind="not_applicable")
    current = now.will_be(name)
    if current == FOR_EVER:
        return _choice(name, "replay waits for a query here as long as it runs: one can stop it for ever")
    others = sum(seen.others for seen in conflicts(now))
    if others and name != FROM_THE_ARCHIVE:
        because = (
            f"{how_many(others, 'query')} cancelled for locks and the like, which hot_standby_feedback does "
            f"not prevent: only more than {current} would let them finish"
        )
        return _choice(name, because)
    return Declined(
        because=f"{current}: then a query that stands in the way of replay is cancelled", kind="keep"
    )


def _choice(name: str, because: str) -> Advice:
    return Advice(
        because=because,
        steps=(
            "A standby that takes over: a short delay (30s is the default); its reports may be cancelled.",
            "A standby that answers reports: as long as the longest that must finish; it lags as long.",
            f"ALTER SYSTEM SET {name} = '5min'; for reports of up to five minutes, say.",
            "SELECT pg_reload_conf();",
        ),
        undo=(f"ALTER SYSTEM RESET {name}; then SELECT pg_reload_conf();",),
    )

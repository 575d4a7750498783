"""recovery_prefetch: prefetching during replay."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.seen_replay import REPLAY, falls_behind
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.server.standby import is_standby
from tunewiz.core.values.known import known_or


def decide(situation: Situation) -> Verdict:
    """`try`, the default, where it was switched off."""
    current = situation.will_be("recovery_prefetch")
    if situation.will_be("maintenance_io_concurrency") == "0":
        return Declined(
            because="maintenance_io_concurrency is 0: nothing is prefetched", kind="not_applicable"
        )
    if current != "off":
        return Declined(because=f"{current}: replay prefetches where the system can", kind="keep")
    if known_or(situation.storage_told, "hdd") == "hdd":
        return Declined(
            because="it was switched off; this storage serves one read after another", kind="keep"
        )
    behind = falls_behind(situation)
    who = "this standby" if is_standby(situation) else "recovery after a crash"
    waits = f"{who} waits for every page that its WAL refers to and that is not cached"
    return Proposal(
        value="try",
        because=waits if behind is None else f"{behind}; {waits}",
        computed="off becomes try, the default",
        ticked=behind is not None,
    )


RECOMMENDATION = Recommendation(
    id="pg.recovery_prefetch",
    title="Prefetch during replay",
    group="storage",
    target=PgTarget(name="recovery_prefetch"),
    explanation=Explanation(
        changes="Replay looks ahead in the WAL (wal_decode_buffer_size, 512 kB) and requests the pages "
        "that it will need (15 and newer); maintenance_io_concurrency says how many at once.",
        helps="A standby keeps up with its primary, and recovery after a crash is shorter, where the "
        "data do not fit into memory.",
        leave_alone="On a single rotating disk, or where it was switched off because of a problem.",
        costs="A little processor time for looking ahead.",
        watch="pg_stat_recovery_prefetch on a standby: prefetch, hit and skip_init grow. From 19 on "
        "current_chunk_start_time in pg_stat_recovery: when replay last had caught up.",
    ),
    pros=("Replay waits less for reads.", "Takes a reload."),
    cons=("Gains nothing where the data are cached.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.recovery_prefetch"),),
    decide=decide,
    witnesses=(REPLAY, PROBED),
    after=("pg.maintenance_io_concurrency",),
    examples=(
        Example(
            name="it was switched off",
            given=Given(role="standby", settings={"recovery_prefetch": "off"}),
            outcome=Sets(value="try"),
        ),
        Example(name="the default", given=Given(role="standby"), outcome=Declines(kind="keep")),
        Example(name="14 has none", given=Given(major="14"), outcome=Declines(kind="not_applicable")),
    ),
)

"""track_wal_io_timing: measuring how long writing and flushing WAL takes."""

from __future__ import annotations

from tunewiz.core.kernel.clock_sources import FAST_CLOCKS
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import needed


def decide(situation: Situation) -> Verdict:
    """On where reading the clock is cheap."""
    if situation.will_be("track_wal_io_timing") == "on":
        return Declined(because="it is on", kind="keep")
    source = needed(situation.facts.kernel.clocksource, "the clock source")
    if source not in FAST_CLOCKS:
        return Declined(because=f"reading the clock {source} costs a system call each time")
    return Proposal(
        value="on",
        because=f"reading the clock {source} is cheap, and each commit waits for the WAL",
        computed=f"clock source {source}: read without a system call",
    )


RECOMMENDATION = Recommendation(
    id="pg.track_wal_io_timing",
    title="Turn on track_wal_io_timing",
    group="storage",
    target=PgTarget(name="track_wal_io_timing"),
    explanation=Explanation(
        changes="The server takes the time before and after each write and flush of the WAL, the journal "
        "that every commit waits for.",
        helps="pg_stat_wal, from 18 on pg_stat_io, tells how long a flush takes: whether the WAL's disk is "
        "the limit, and whether a disk of its own would help.",
        leave_alone="Where reading the clock is expensive: clock sources xen, hpet and acpi_pm.",
        costs="Two readings of the clock for each write and flush: tens of nanoseconds each with a good "
        "clock.",
        watch="wal_sync_time / wal_sync in pg_stat_wal (14 to 17), fsync_time for object wal in pg_stat_io "
        "(18 and newer).",
    ),
    pros=("Shows how long a commit waits for the disk.", "Takes a reload."),
    cons=("Expensive where the clock needs a system call.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="kernel-talk.clock_source", near=True),
        Cite(claim="z-deck.wal_on_own_disks", near=True),
        Cite(claim="postgres-manual.track_wal_io_timing"),
    ),
    decide=decide,
    examples=(
        Example(name="a cheap clock", given=Given(), outcome=Sets(value="on")),
        Example(name="a clock behind a system call", given=Given(clocksource="hpet"), outcome=Declines()),
        Example(
            name="it is on",
            given=Given(settings={"track_wal_io_timing": "on"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)

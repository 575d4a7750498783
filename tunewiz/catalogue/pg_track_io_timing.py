"""track_io_timing: measuring how long reads and writes take."""

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
    if situation.will_be("track_io_timing") == "on":
        return Declined(because="it is on", kind="keep")
    source = needed(situation.facts.kernel.clocksource, "the clock source")
    if source not in FAST_CLOCKS:
        return Declined(because=f"reading the clock {source} costs a system call each time")
    return Proposal(
        value="on",
        because=f"reading the clock {source} is cheap, and without it nobody knows how slow the disks are",
        computed=f"clock source {source}: read without a system call",
    )


RECOMMENDATION = Recommendation(
    id="pg.track_io_timing",
    title="Turn on track_io_timing",
    group="storage",
    target=PgTarget(name="track_io_timing"),
    explanation=Explanation(
        changes="The server takes the time before and after each read and write of data files.",
        helps="EXPLAIN (ANALYZE, BUFFERS), pg_stat_database, pg_stat_statements and pg_stat_io (16 and "
        "newer) tell the time spent on disk: without it, tuning is guessing.",
        leave_alone="Where reading the clock is expensive: clock sources xen, hpet and acpi_pm.",
        costs="Two readings of the clock for each read and write: tens of nanoseconds each with a good "
        "clock.",
        watch="pg_test_timing: most readings should take less than 100 ns.",
    ),
    pros=("Shows whether storage is the limit.", "Takes a reload."),
    cons=("Two frequent calls were 77 % slower on Xen, whose clock needs the kernel.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="kernel-talk.clock_source", near=True),
        Cite(claim="z-deck.method", near=True),
        Cite(claim="postgres-manual.track_io_timing"),
    ),
    decide=decide,
    examples=(
        Example(name="a cheap clock", given=Given(), outcome=Sets(value="on")),
        Example(
            name="it is on", given=Given(settings={"track_io_timing": "on"}), outcome=Declines(kind="keep")
        ),
    ),
)

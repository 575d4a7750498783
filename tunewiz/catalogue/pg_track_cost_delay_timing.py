"""track_cost_delay_timing: measuring how long vacuum sleeps by its cost limit."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.database_size import size_of
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.seen_vacuum import DEAD_ROWS, vacuum_keeps_up
from tunewiz.core.values.known import needed
from tunewiz.core.values.units import GIB, Bytes

NAME = "track_cost_delay_timing"

LARGE = Bytes(256 * GIB)
"""From this size on vacuums are long enough to ask what they wait for. An assumption."""

CHEAP_CLOCKS = ("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "tod", "timebase")
"""Clock sources that Linux reads without entering the kernel, on x86, KVM, Hyper-V, Arm, Z and Power."""


def decide(situation: Situation) -> Verdict:
    """On for large databases that are written to, where reading the clock costs nothing."""
    if situation.will_be(NAME) == "on":
        return Declined(because="it is on", kind="keep")
    if size_of(situation) < LARGE or not situation.workload.writes:
        return Declined(because="vacuums are short here: what they wait for matters little", kind="keep")
    source = needed(situation.facts.kernel.clocksource, "the clock source")
    if source not in CHEAP_CLOCKS:
        return Declined(because=f"the clock is read from {source}: measure it by pg_test_timing first")
    for observation in vacuum_keeps_up(situation):
        return Declined(because=f"vacuum keeps up: {rather_than(observation, 'on')}", kind="keep")
    return Proposal(
        value="on",
        because="tells how much of a vacuum is sleep that autovacuum_vacuum_cost_limit orders",
        computed=f"on: two readings of a cheap clock ({source}) for each pause",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id=f"pg.{NAME}",
    title="Measure how long vacuum sleeps",
    group="vacuum",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="Vacuum and analyze measure how long they pause for their cost limit (18 and newer).",
        helps="Shows whether a larger autovacuum_vacuum_cost_limit would make a long vacuum shorter, or "
        "whether it waits for storage.",
        leave_alone="Where vacuum keeps up, or the clock is slow to read.",
        costs="Readings of the clock at each pause: pauses last milliseconds, readings less than a "
        "microsecond with a good clock.",
        watch="delay_time in pg_stat_progress_vacuum; “delay time” in the log lines of autovacuum.",
    ),
    pros=("The cost limit is decided by what was measured.", "Takes a reload."),
    cons=("The manual warns of slow clocks: pg_test_timing tells.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="postgres-manual.track_cost_delay_timing"),
        Cite(claim="kernel-talk.clock_source", near=True),
    ),
    decide=decide,
    witnesses=(DEAD_ROWS,),
    examples=(
        Example(
            name="a large database",
            given=Given(major="18", database_size="2TB", cores=32),
            outcome=Sets(value="on"),
        ),
        Example(
            name="a small database",
            given=Given(major="18", database_size="50GB"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a slow clock",
            given=Given(major="18", database_size="2TB", clocksource="hpet"),
            outcome=Declines(),
        ),
        Example(
            name="it is on",
            given=Given(major="18", settings={NAME: "on"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="17 has none", given=Given(major="17"), outcome=Declines(kind="not_applicable")),
    ),
)

"""timing_clock_source: whether timings read the processor's clock or ask the system."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import known_or

NAME = "timing_clock_source"
PROCESSORS_CLOCK = "tsc"
"""As both PostgreSQL and Linux call the time-stamp counter of x86."""


def decide(situation: Situation) -> Verdict:
    """Left to the server, which follows what the kernel trusts."""
    current = situation.will_be(NAME)
    if current == "auto":
        return Declined(
            because="auto: the server takes the processor's clock where it is reliable", kind="keep"
        )
    source = known_or(situation.facts.kernel.clocksource, "")
    reason = _why_not(current, source)
    if not reason:
        because = f"{current} was chosen, and the kernel's clock is {source or 'not known'}"
        return Declined(because=because, kind="keep")
    return Proposal(
        value="auto",
        because=reason,
        computed=f"{current} becomes auto, PostgreSQL's default, which looks at the kernel's clock source",
        ticked=False,
    )


def _why_not(current: str, source: str) -> str:
    """What is wrong with a choice beside the clock source of the kernel; empty if nothing is."""
    if current == PROCESSORS_CLOCK and source not in {PROCESSORS_CLOCK, ""}:
        return f"the kernel reads {source}, not the processor's clock: that may be emulated, slow or unsteady"
    if current != PROCESSORS_CLOCK and source == PROCESSORS_CLOCK:
        return "the kernel trusts the processor's clock, which is read faster than the system is asked"
    return ""


RECOMMENDATION = Recommendation(
    id=f"pg.{NAME}",
    title="Let the server choose the clock of its timings",
    group="host",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="How the server measures intervals for EXPLAIN ANALYZE, track_io_timing and the like (19 and "
        "newer): by an instruction of x86 processors (tsc), or by asking the system. auto chooses.",
        helps="The processor's clock costs less to read, so that timings disturb a query less; the system's "
        "is right where the other is emulated.",
        leave_alone="Where it is auto, or pg_test_timing shows that the choice is the faster one.",
        costs="Timings of queries that run during the change may jump.",
        watch="pg_test_timing shows both clocks; SHOW timing_clock_source says which one is used.",
    ),
    pros=("Timings are as cheap as this machine allows.", "Takes a reload."),
    cons=("Who measured both by pg_test_timing knows better.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="postgres-manual.timing_clock_source"),
        Cite(claim="kernel-talk.clock_source", near=True),
    ),
    decide=decide,
    examples=(
        Example(
            name="the system is asked needlessly",
            given=Given(major="19", settings={NAME: "system"}),
            outcome=Sets(value="auto"),
        ),
        Example(
            name="a clock that the kernel does not trust",
            given=Given(major="19", clocksource="hpet", settings={NAME: "tsc"}),
            outcome=Sets(value="auto"),
        ),
        Example(name="the default", given=Given(major="19"), outcome=Declines(kind="keep")),
        Example(
            name="the system is asked where the kernel's clock is another",
            given=Given(major="19", clocksource="hpet", settings={NAME: "system"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="18 has none", given=Given(major="18"), outcome=Declines(kind="not_applicable")),
    ),
)

"""The register with which POWER steers what it fetches ahead from memory: left as it is delivered."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import IBM_POWER, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import needed

DELIVERED = 0


def decide(situation: Situation) -> Verdict:
    """Advice where somebody changed it for all processes."""
    architecture = needed(situation.facts.host.architecture, "the architecture")
    if architecture not in IBM_POWER:
        return Declined(because=f"only POWER has it, not {architecture}", kind="not_applicable")
    value = needed(situation.facts.cpu.dscr, "the default of DSCR (ppc64_cpu --dscr)")
    if value == DELIVERED:
        because = "it is 0, as delivered: the processor decides itself what it fetches ahead"
        return Declined(because=because, kind="keep")
    return Advice(
        because=f"somebody set it to {value} for all processes; no source here measured PostgreSQL with that",
        steps=situation.on_the_host(
            "ppc64_cpu --dscr shows it. Ask who set it and for what: many set it for number crunching.",
            f"ppc64_cpu --dscr={DELIVERED}, then your own load, then compare. It takes effect immediately.",
            "If 0 is better: remove it where it is set at boot (a unit, rc.local, a tuned profile).",
        ),
        undo=(f"ppc64_cpu --dscr={value}",),
        computed=f"{value} becomes {DELIVERED}",
    )


RECOMMENDATION = Recommendation(
    id="host.dscr",
    title="Leave POWER's prefetching as delivered",
    group="host",
    target=AdviceTarget(name="DSCR (data streams)"),
    explanation=Explanation(
        changes="The data stream control register says how eagerly a POWER processor fetches memory ahead of "
        "a program that reads it in order. The kernel gives each process the default of its processor, "
        "unless the process sets its own.",
        helps="As delivered, the processor finds streams by itself. Deeper fetching suits programs that "
        "read large arrays; a database jumps, and what is fetched in vain displaces what is needed.",
        leave_alone="At 0, and where your own load was measured to do better with another value.",
        costs="Nothing to try: it changes at once, and goes back at once.",
        watch="Throughput and latency of your own load with either value.",
    ),
    pros=("Takes effect immediately, and back again.",),
    cons=("No source of this project measured it.",),
    risk=RiskLevel.LOW,
    basis="reasoned",
    versions="Linux on POWER",
    cites=(Cite(claim="kernel-dscr.default", only_on=IBM_POWER),),
    decide=decide,
    examples=(
        Example(
            name="somebody set it",
            given=Given(architecture="ppc64le", processor="POWER9", dscr=24),
            outcome=Advises(),
        ),
        Example(
            name="as delivered",
            given=Given(architecture="ppc64le", processor="POWER9", dscr=0),
            outcome=Declines(kind="keep"),
        ),
        Example(name="x86-64", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

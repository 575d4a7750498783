"""How to find out whether a plan helped: the same load, before and after."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict


def decide(situation: Situation) -> Verdict:
    """Advice for any running server, whose speed can be compared."""
    if not any(server.running for server in situation.facts.postgres):
        return Declined(
            because="no server is running: there is nothing to compare with", kind="not_applicable"
        )
    return Advice(
        because="only a measurement on this server shows what a plan is worth here",
        steps=(
            "Before: record a busy hour with sar -A -o FILE 10, and pg_stat_statements.",
            "Try the plan on a copy first, in pairs of random order: tunewiz prove bench BUNDLE --copy DIR.",
            "Change one group at a time; compare the worst seconds, not only the average.",
            "After: the same hour, the same records. Keep both with the plan's folder.",
            "Look at the SQL as well: an index usually gains more than any setting.",
        ),
        undo=("Nothing was changed.",),
    )


RECOMMENDATION = Recommendation(
    id="host.method",
    title="Measure before and after, on a copy first",
    group="host",
    target=AdviceTarget(name="measurement"),
    explanation=Explanation(
        changes="Nothing on this machine: the same load is recorded before and after the plan is applied.",
        helps="All steps together gave 45 % on one z13, almost 2 % of it from autovacuum off, which no "
        "plan does. On a small virtual machine throughput stayed the same, and the 99th percentile of "
        "latency fell to a tenth in runs too short for a timed checkpoint. Yours is a third machine.",
        leave_alone="Never. Even a plan without a single change deserves a record of how things are.",
        costs="A copy with enough data, and a few hours. Runs on a shared machine vary by 10 to 20 %.",
        watch="Throughput, the worst second and the 99th percentile of latency over several runs.",
    ),
    pros=(
        "You know what it was worth, and can defend it.",
        "A setting that harms here is found before users do.",
    ),
    cons=(
        "Takes time and a machine.",
        "The sources measured transactions only: reports may lose where transactions gain.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="every system",
    cites=(
        Cite(claim="z-deck.method"),
        Cite(claim="z-deck.all_steps", near=True),
        Cite(claim="z-guide.queries_first"),
        Cite(claim="power.other_settings"),
        Cite(claim="own-small-vm.plan"),
        Cite(claim="own-small-vm.memory"),
        Cite(claim="own-small-vm.planner"),
        Cite(claim="own-small-vm.preloaded"),
        Cite(claim="own-small-vm.other_tuners"),
    ),
    decide=decide,
    examples=(
        Example(name="a running server", given=Given(), outcome=Advises()),
        Example(name="a stopped server", given=Given(running=False), outcome=Declines(kind="not_applicable")),
    ),
)

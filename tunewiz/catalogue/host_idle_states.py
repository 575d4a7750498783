"""How long an idle processor sleeps: a short transaction pays for waking it up."""

from __future__ import annotations

from tunewiz.core.facts.machine import IdleState
from tunewiz.core.kernel.tuned_profiles import to_include
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import Known, known_or, needed

SOON_ENOUGH = 50
"""Microseconds, about the latency of a fast network: less is not noticed. An assumption."""
SHALLOW = 10
"""Microseconds still allowed where latency matters: the shallowest states take 1 to 10. An assumption."""

SHORT_QUERIES = frozenset({"oltp", "read_mostly", "mixed"})


def decide(situation: Situation) -> Verdict:
    """Advice for short transactions where the kernel itself puts processors into deep sleep."""
    if needed(situation.facts.virtualization.hypervisor, "the hypervisor") != "none":
        because = "the hypervisor decides how deeply idle processors sleep"
        return Declined(because=because, kind="not_applicable")
    deepest = needed(situation.facts.cpu.deepest_idle, "how deeply idle processors sleep")
    if deepest.wakes_after <= SOON_ENOUGH:
        because = f"the deepest state, {deepest.name}, takes at most {deepest.wakes_after} µs to wake up from"
        return Declined(because=because, kind="keep")
    limit = situation.facts.owners.tuned_latency
    if isinstance(limit, Known):
        because = f"the tuned profile limits the wake-up time: force_latency={limit.value} ({limit.how})"
        return Declined(because=because, kind="keep")
    if situation.workload.kind not in SHORT_QUERIES:
        return Declined(because="a few microseconds do not matter to long queries", kind="keep")
    return Advice(
        because=f"an idle processor takes up to {deepest.wakes_after} µs to wake up ({deepest.name}), at "
        "each wait of a short transaction",
        steps=situation.on_the_host(*_steps(situation, deepest)),
        undo=_undo(situation),
        computed=f"{deepest.name}: {deepest.wakes_after} µs; up to {SOON_ENOUGH} µs are accepted",
    )


def _profile(situation: Situation) -> str:
    return known_or(situation.facts.owners.tuned, "")


def _steps(situation: Situation, deepest: IdleState) -> tuple[str, ...]:
    measure = (
        "Measure with few clients before and after: pgbench -S -c 1. If nothing is gained, "
        f"leave {deepest.name} on."
    )
    if _profile(situation):
        return (
            measure,
            f"In a tuned profile of your own: include={to_include(situation).replace(' ', ',')} in [main]",
            f"and force_latency={SHALLOW} in [cpu].",
            "tuned-adm profile NAME",
        )
    return (
        measure,
        f"cpupower idle-set -D {SHALLOW} disables the deeper states until the next boot.",
        "To make it permanent, use a systemd unit or tuned (force_latency in [cpu]).",
    )


def _undo(situation: Situation) -> tuple[str, ...]:
    profile = _profile(situation)
    return (f"tuned-adm profile {profile}" if profile else "cpupower idle-set -E",)


RECOMMENDATION = Recommendation(
    id="host.idle_states",
    title="Let idle processors wake up faster",
    group="host",
    target=AdviceTarget(name="idle states"),
    explanation=Explanation(
        changes="A processor with nothing to do sleeps (C-states). The deeper it sleeps, the less power it "
        "takes, and the longer it takes to wake up.",
        helps="A session waits for its client, for a lock or for the disk many times in a transaction. On a "
        "machine with few clients each wait may end with a processor that has to wake up first.",
        leave_alone="On busy machines, whose processors hardly sleep; with long queries; where power or "
        "heat is short. In virtual machines the hypervisor decides.",
        costs="More power and heat. Processors that never sleep leave the busy ones less headroom for their "
        "highest speed.",
        watch="cpupower monitor: time in each state; latency in pgbench -S -c 1.",
    ),
    pros=("Shorter and more even latency with few clients.", "Takes effect at once."),
    cons=(
        "More power, and perhaps a lower highest speed.",
        "The limit is an assumption. No source of this project measured it.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="machines whose kernel chooses the idle states",
    cites=(Cite(claim="kernel-manual.idle_states"), Cite(claim="intel-guide.deep_sleep")),
    decide=decide,
    examples=(
        Example(
            name="a deep state",
            given=Given(deepest_idle=IdleState(name="C6", wakes_after=133)),
            outcome=Advises(),
        ),
        Example(
            name="it wakes up soon",
            given=Given(deepest_idle=IdleState(name="C1E", wakes_after=10)),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="tuned's profile limits it",
            given=Given(
                deepest_idle=IdleState(name="C6", wakes_after=133), tuned="postgresql", tuned_latency="1"
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="long queries",
            given=Given(deepest_idle=IdleState(name="C6", wakes_after=133), workload="analytics"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a virtual machine",
            given=Given(deepest_idle=IdleState(name="C6", wakes_after=133), hypervisor="kvm"),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

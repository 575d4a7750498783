"""Whether the processors run at the frequency that the work needs."""

from __future__ import annotations

from tunewiz.core.kernel.tuned_profiles import to_include
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import Known, needed

SLOWEST = "powersave"
FIXED = "userspace"
BY_THEMSELVES = frozenset({"intel_pstate", "amd-pstate-epp"})
"""Drivers whose powersave follows the load, as others' schedutil does (kernel manual, intel_pstate)."""


def decide(situation: Situation) -> Verdict:
    """Advice where the governor holds the processors at their lowest frequency."""
    cpu = situation.facts.cpu
    governor = needed(cpu.governor, "the governor of the processors' frequency")
    if governor == FIXED:
        because = (
            f"{FIXED} holds the processors at a frequency that somebody wrote: see that it is the highest"
        )
        return Advice(
            because=because, steps=situation.on_the_host(*_steps(situation)), undo=_undo(situation, governor)
        )
    if governor != SLOWEST:
        return Declined(because=f"the governor {governor} does not hold them back", kind="keep")
    driver = needed(cpu.frequency_driver, "the driver of the processors' frequency")
    if driver in BY_THEMSELVES:
        return Declined(because=f"{driver} raises the frequency under load, {SLOWEST} or not", kind="keep")
    return Advice(
        because=f"{SLOWEST} with {driver} keeps the processors at their lowest frequency, whatever the load",
        steps=situation.on_the_host(
            *_steps(situation), "cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
        ),
        undo=_undo(situation, governor),
    )


def _profile(situation: Situation) -> str:
    tuned = situation.facts.owners.tuned
    return tuned.value if isinstance(tuned, Known) else ""


def _steps(situation: Situation) -> tuple[str, ...]:
    if _profile(situation):
        return (
            f"In a tuned profile of your own: include={to_include(situation).replace(' ', ',')} in [main]",
            "and governor=performance in [cpu].",
            "tuned-adm profile NAME",
        )
    return (
        "cpupower frequency-set -g schedutil (follows the load) or performance (always the highest).",
        "The firmware may have a power profile of its own: look there too.",
        "Keep it by a unit or by tuned: the governor is lost at boot.",
    )


def _undo(situation: Situation, governor: str) -> tuple[str, ...]:
    profile = _profile(situation)
    return (f"tuned-adm profile {profile}" if profile else f"cpupower frequency-set -g {governor}",)


RECOMMENDATION = Recommendation(
    id="host.cpu_governor",
    title="Let the processors run at full speed",
    group="host",
    target=AdviceTarget(name="frequency governor"),
    explanation=Explanation(
        changes="The kernel's frequency governor decides how fast the processors run.",
        helps="At their lowest frequency processors do a half or a third of what they can: every query takes "
        "longer.",
        leave_alone="With intel_pstate and amd-pstate-epp, whose powersave raises the frequency under load. "
        "Where the hypervisor or the firmware decides.",
        costs="More power and heat.",
        watch="cpupower monitor, or MHz in /proc/cpuinfo under load.",
    ),
    pros=("Shorter queries.", "Takes effect at once."),
    cons=("More power. No source of this project measured it.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="machines whose kernel chooses the frequency",
    cites=(Cite(claim="kernel-manual.governor"),),
    decide=decide,
    examples=(
        Example(
            name="held at the lowest",
            given=Given(governor="powersave", frequency_driver="acpi-cpufreq"),
            outcome=Advises(),
        ),
        Example(
            name="intel_pstate follows the load",
            given=Given(governor="powersave", frequency_driver="intel_pstate"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="somebody fixed it",
            given=Given(governor="userspace", frequency_driver="acpi-cpufreq"),
            outcome=Advises(),
        ),
        Example(
            name="schedutil",
            given=Given(governor="schedutil", frequency_driver="acpi-cpufreq"),
            outcome=Declines(kind="keep"),
        ),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

"""Whether the profile of tuned suits a database server."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import known_or, needed

SAVING = frozenset(
    {
        "balanced",
        "balanced-battery",
        "cpu-partitioning-powersave",
        "default",
        "desktop",
        "desktop-powersave",
        "laptop-ac-powersave",
        "laptop-battery-powersave",
        "powersave",
        "server-powersave",
        "spindown-disk",
    }
)
"""Those that come with tuned (2.20 to 2.25) and save power, or are for desktops and laptops."""
ON_METAL, IN_A_GUEST = "throughput-performance", "virtual-guest"
"""tuned's own for servers; the second includes the first."""


def decide(now: Situation) -> Verdict:
    """Advice where a profile that saves power is active; nothing where tuned is not at work."""
    active = needed(now.facts.owners.tuned, "tuned")
    saving = [name for name in active.split() if name in SAVING]
    if not saving:
        return Declined(because=f"the profile {active} is none that saves power", kind="keep")
    better = ON_METAL if known_or(now.facts.virtualization.hypervisor, "none") == "none" else IN_A_GUEST
    return Advice(
        because=f"the profile {' '.join(saving)} saves power, and takes speed for it",
        steps=now.on_the_host(
            "tuned-adm recommend: what tuned itself takes this machine for",
            f"tuned-adm profile {better}",
            "Plan again then: it sets vm.dirty_ratio, vm.swappiness and read ahead, "
            "and the plan says what to put into a profile of your own.",
        ),
        undo=(f"tuned-adm profile {active}",),
        computed=f"{active} becomes {better}",
    )


RECOMMENDATION = Recommendation(
    id="host.tuned_profile",
    title="Choose a profile of tuned that is for servers",
    group="host",
    target=AdviceTarget(name="tuned profile"),
    explanation=Explanation(
        changes="tuned sets many values of the kernel at once, by a profile. Some profiles save power, some "
        "are for throughput or low latency.",
        helps="Profiles that save power let processors run slowly, disks stop and links sleep. "
        "throughput-performance keeps the processors at full speed.",
        leave_alone="Where tuned is off, or a profile for servers or of your own is active. Where power is "
        "saved on purpose.",
        costs="More power. The profile sets its own dirty limits (40 % of memory), swappiness and read ahead "
        "of 4 MB: what this plan has for them belongs into a profile that includes it.",
        watch="tuned-adm active and tuned-adm verify.",
    ),
    pros=("Processors and disks are ready when a query comes.", "One command, and one to go back."),
    cons=(
        "It changes many values at once.",
        "No source of this project measured it.",
    ),
    risk=RiskLevel.MEDIUM,
    basis="reasoned",
    versions="machines with tuned",
    cites=(
        Cite(claim="kernel-manual.governor", near=True),
        Cite(claim="z-deck.migration_cost", near=True),
    ),
    disputes=(
        Dispute(
            one="tuned comes with a profile named postgresql: dirty limits of 64 MB and 512 MB, no "
            "transparent huge pages, a scheduler's migration cost of 50 ms.",
            other="z13: a migration cost of 0.05 ms gave almost +9 %, and raising it, as is usual on "
            "x86, cost about 2 %.",
            follows="Neither profile for its name: throughput-performance, and each other value by the plan "
            "for this machine.",
            claims=("z-deck.migration_cost",),
        ),
    ),
    decide=decide,
    examples=(
        Example(name="a profile for desktops", given=Given(tuned="balanced"), outcome=Advises()),
        Example(
            name="a guest that saves power",
            given=Given(tuned="powersave", hypervisor="kvm"),
            outcome=Advises(),
        ),
        Example(
            name="a server's profile",
            given=Given(tuned="throughput-performance"),
            outcome=Declines(kind="keep"),
        ),
        Example(name="a profile of one's own", given=Given(tuned="tunewiz"), outcome=Declines(kind="keep")),
        Example(name="no tuned", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

"""Whether the active tuned profile suits a database server."""

from __future__ import annotations

from tunewiz.core.kernel.tuned_profiles import for_servers, saving_in
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
from tunewiz.core.values.known import needed


def decide(situation: Situation) -> Verdict:
    """Advice where a power-saving profile is active; nothing where tuned is not running."""
    active = needed(situation.facts.owners.tuned, "tuned")
    saving, better = saving_in(active), for_servers(situation)
    if not saving:
        return Declined(because=f"the profile {active} does not save power", kind="keep")
    return Advice(
        because=f"the profile {' '.join(saving)} saves power at the cost of speed",
        steps=situation.on_the_host(
            "tuned-adm recommend shows which profile tuned itself would choose",
            f"tuned-adm profile {better}",
            "Then plan again: it sets vm.dirty_ratio, vm.swappiness and read-ahead, and the plan says "
            "which of them to override in a profile of your own that includes it.",
        ),
        undo=(f"tuned-adm profile {active}",),
        computed=f"{active} becomes {better}",
    )


RECOMMENDATION = Recommendation(
    id="host.tuned_profile",
    title="Choose a tuned profile for servers",
    group="host",
    target=AdviceTarget(name="tuned profile"),
    explanation=Explanation(
        changes="A tuned profile sets many kernel values at once. Some profiles save power, others are made "
        "for throughput or low latency.",
        helps="Profiles that save power let processors run slowly, disks spin down and links sleep. "
        "throughput-performance keeps the processors at full speed.",
        leave_alone="Where tuned is off, or a profile for servers or of your own is active. Where power is "
        "saved on purpose.",
        costs="More power. The profile sets its own dirty limits (40 % of memory), swappiness and read-ahead "
        "of 4 MB: put this plan's values for them into a profile that includes it.",
        watch="tuned-adm active and tuned-adm verify.",
    ),
    pros=(
        "Processors and disks are ready when a query comes.",
        "One command to apply it, and one to undo it.",
    ),
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
            "transparent huge pages, a scheduler migration cost of 50 ms.",
            other="z13: a migration cost of 0.05 ms gave almost +9 %, and raising it, as is usual on "
            "x86, cost about 2 %.",
            follows="Neither of them for its name: throughput-performance, with every other value from the "
            "plan for this machine.",
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

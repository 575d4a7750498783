"""Automatic moving of memory towards the processor that uses it: useless for memory that all share."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import needed

KNOB = "kernel.numa_balancing"


def decide(situation: Situation) -> Verdict:
    """Off, to be tried: no source measured it."""
    if not situation.kernel_number(KNOB):
        return Declined(because="it is off already", kind="keep")
    nodes = needed(situation.facts.cpu.numa_nodes, "the number of memory nodes")
    if nodes == 1:
        return Declined(because="there is one memory node: nothing can be moved", kind="not_applicable")
    return Proposal(
        value="0",
        because=f"processes on all {nodes} nodes share the buffers: no node is the right one for them",
        computed="1 becomes 0",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="kernel.numa_balancing",
    title="Try turning off automatic NUMA balancing",
    group="kernel",
    target=SysctlTarget(name=KNOB, maximum=3),
    explanation=Explanation(
        changes="On machines with several memory nodes (NUMA) the kernel now and then makes pages "
        "inaccessible, sees which processor asks for them, and moves them there.",
        helps="Every server process uses the shared buffers, so moving them is wasted work. Reserved huge "
        "pages are left out of it anyway.",
        leave_alone="Where one large query or program per node keeps to its own memory.",
        costs="Private memory of long queries is no longer moved closer.",
        watch="numa_hint_faults and numa_pages_migrated in /proc/vmstat; system time in sar -u.",
    ),
    pros=("No page faults on purpose.",),
    cons=("Not measured by any source.", "Large private memory may stay far away."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    versions="Linux 3.14 and newer",
    cites=(
        Cite(claim="z-deck.migration_cost_caution", near=True),
        Cite(claim="kernel-manual.numa_balancing"),
    ),
    decide=decide,
    examples=(
        Example(name="two nodes", given=Given(sockets=2, kernel={KNOB: 1}), outcome=Sets(value="0")),
        Example(name="one node", given=Given(kernel={KNOB: 1}), outcome=Declines(kind="not_applicable")),
        Example(name="off", given=Given(sockets=2, kernel={KNOB: 0}), outcome=Declines(kind="keep")),
    ),
)

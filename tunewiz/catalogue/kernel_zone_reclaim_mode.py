"""Whether a memory node throws away its page cache rather than borrow from another node."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

KNOB = "vm.zone_reclaim_mode"


def decide(situation: Situation) -> Verdict:
    """Off."""
    current = situation.kernel_number(KNOB)
    if not current:
        return Declined(
            because="it is off: memory of other nodes is used before the page cache is dropped", kind="keep"
        )
    return Proposal(
        value="0",
        because="cached pages are thrown away while other memory nodes are still free",
        computed=f"{current} becomes 0, the kernel's default",
    )


RECOMMENDATION = Recommendation(
    id="kernel.zone_reclaim_mode",
    title="Turn off vm.zone_reclaim_mode",
    group="kernel",
    target=SysctlTarget(name=KNOB, maximum=7),
    explanation=Explanation(
        changes="On machines with several memory nodes (NUMA) a node that is full either borrows memory "
        "from another node (0) or first drops its own cached pages.",
        helps="PostgreSQL relies on the page cache, which is shared by all processors: a page in a distant "
        "node is still far nearer than the disk. The kernel's documentation advises the same for such "
        "programs.",
        leave_alone="Only where every program is bound to its own node.",
        costs="Some memory accesses reach over to another node.",
        watch="numastat (numa_miss, other_node) and reads in iostat -x.",
    ),
    pros=("The whole memory serves as page cache.",),
    cons=("Distant memory is slower than near memory.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux with several memory nodes; 0 by default since 3.16",
    cites=(
        Cite(claim="z-deck.shared_buffers_eighth", near=True),
        Cite(claim="kernel-manual.zone_reclaim_mode"),
    ),
    decide=decide,
    examples=(
        Example(
            name="on, as some old systems have it",
            given=Given(sockets=2, kernel={KNOB: 1}),
            outcome=Sets(value="0"),
        ),
        Example(name="off", given=Given(sockets=2, kernel={KNOB: 0}), outcome=Declines(kind="keep")),
        Example(name="a kernel without NUMA", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

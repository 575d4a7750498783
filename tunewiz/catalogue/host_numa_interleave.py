"""Spreading the buffers over all memory nodes, so that no node serves them alone."""

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
from tunewiz.core.values.known import needed


def decide(situation: Situation) -> Verdict:
    """An experiment for the bold, where there are several nodes."""
    if situation.in_container:
        return Declined(
            because="memory nodes are chosen on the host, not in a container", kind="not_applicable"
        )
    nodes = needed(situation.facts.cpu.numa_nodes, "the number of memory nodes")
    if nodes == 1:
        return Declined(because="there is one memory node: nothing to spread over", kind="not_applicable")
    if "unlike" not in situation.posture.ticks:
        return Declined(
            because=f"a gain was not measured, a loss was: an experiment on {nodes} nodes, for the "
            f"posture bold"
        )
    return Advice(
        because=f"the process that first touches a page of the buffers decides on which of {nodes} nodes it "
        f"is",
        steps=(
            "numastat -p POSTMASTER: how evenly the server's memory is spread over the nodes",
            "If unevenly: systemctl edit UNIT, and in [Service]: NUMAPolicy=interleave",
            "and under it: NUMAMask=all. Then restart the server, and look again.",
        ),
        undo=("systemctl revert UNIT, then restart the server.",),
    )


RECOMMENDATION = Recommendation(
    id="host.numa_interleave",
    title="Try interleaving shared memory over NUMA nodes",
    group="host",
    target=AdviceTarget(name="interleaving over memory nodes"),
    explanation=Explanation(
        changes="On a machine with several memory nodes (NUMA) pages are placed on the nodes in turn instead "
        "of where they are touched first.",
        helps="A warm-up by one process may put most of the buffers on its own node, whose memory all others "
        "then wait for.",
        leave_alone="Where the memory is evenly spread already. Sessions' own memory is spread too, and is "
        "then "
        "farther away on average. Reserved huge pages that the buffers use up are spread already.",
        costs="A restart. Memory of single sessions is no longer near their processor.",
        watch="numastat -p of the postmaster, and memory bandwidth by node if the machine can tell.",
    ),
    pros=("No node serves the buffers alone.",),
    cons=(
        "10 to 20 % lost where local memory was spread too, says one talk; a gain was not measured.",
        "Sorts and hashes of single sessions may get slower.",
    ),
    risk=RiskLevel.MEDIUM,
    basis="reasoned",
    versions="every Linux with systemd",
    cites=(
        Cite(claim="freund-numa.interleave", opposes=True),
        Cite(claim="intel-guide.sub_numa", opposes=True),
        Cite(claim="n0derunner-numa.remote_memory", near=True),
        Cite(claim="z-deck.migration_cost_caution", near=True),
    ),
    disputes=(
        Dispute(
            one="Freund (2024): spreading all memory over the nodes costs 10 to 20 %, as sessions' own "
            "memory is spread too. Intel (2025): bind a server to one node instead.",
            other="Freund as well: without it all buffers are often on one node. In a guest, memory that "
            "was all remote cost 4.5 to 7.1 %.",
            follows="Neither by itself: it is advised to the bold only, after numastat has shown one node "
            "full, and with a measurement before and after.",
            claims=(
                "freund-numa.interleave",
                "intel-guide.sub_numa",
                "n0derunner-numa.remote_memory",
            ),
        ),
    ),
    decide=decide,
    examples=(
        Example(name="two nodes, bold", given=Given(sockets=2, posture="bold"), outcome=Advises()),
        Example(name="two nodes, balanced", given=Given(sockets=2), outcome=Declines()),
        Example(name="one node", given=Given(posture="bold"), outcome=Declines(kind="not_applicable")),
    ),
)

"""numad, which moves processes and their memory between nodes: not for a server that uses all of them."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import Absent, needed


def decide(situation: Situation) -> Verdict:
    """Advice where it is at work on several nodes."""
    nodes = needed(situation.facts.cpu.numa_nodes, "the number of memory nodes")
    if nodes == 1:
        return Declined(because="there is one memory node: nothing can be moved", kind="not_applicable")
    numad = situation.facts.owners.numad
    if isinstance(numad, Absent):
        return Declined(because=f"numad is not there ({numad.how})", kind="keep")
    word = needed(numad, "whether numad runs")
    return Advice(
        because=f"numad is there ({word}): it moves memory between {nodes} nodes, and all sessions share the "
        "buffers",
        steps=situation.on_the_host(
            "/var/log/numad.log: what it moved so far.",
            "Where nothing else on this machine needs it: systemctl disable --now numad",
            "Where something else does: numad -S 0 -p PID, so that it manages only the processes that are "
            "named. Excluding the server (-x PID) is no way: each session is a process of its own.",
            "What it moved stays where it is: restart the server at a convenient time.",
        ),
        undo=("systemctl enable --now numad",),
        computed=f"{nodes} memory nodes",
    )


RECOMMENDATION = Recommendation(
    id="host.numad",
    title="Keep numad away from the server",
    group="host",
    target=AdviceTarget(name="numad"),
    explanation=Explanation(
        changes="numad watches large processes, binds each to some memory nodes (NUMA), and moves its memory "
        "there. While it runs, it overrides the kernel's own balancing.",
        helps="Server processes on all nodes use the same buffers: bound to one node they wait for its "
        "processors while others idle, and moved memory is far from everyone else.",
        leave_alone="On machines with one node, and where several small servers or virtual machines each fit "
        "into a node: that is what it is made for.",
        costs="Other programs on this machine are no longer kept near their memory.",
        watch="numastat -p with the server's process number, and numa_pages_migrated in /proc/vmstat.",
    ),
    pros=("The server's sessions use all processors.", "No memory is moved at unplanned moments."),
    cons=("No source of this project measured it with PostgreSQL.",),
    risk=RiskLevel.LOW,
    basis="reasoned",
    versions="Linux with several memory nodes",
    cites=(Cite(claim="numad.in_memory_databases"), Cite(claim="redhat-numad.overrides")),
    decide=decide,
    examples=(
        Example(name="it runs on two nodes", given=Given(sockets=2, numad="running"), outcome=Advises()),
        Example(
            name="it starts at the next boot", given=Given(sockets=4, numad="at boot"), outcome=Advises()
        ),
        Example(name="it is not there", given=Given(sockets=2), outcome=Declines(kind="keep")),
        Example(name="one node", given=Given(numad="running"), outcome=Declines(kind="not_applicable")),
    ),
)

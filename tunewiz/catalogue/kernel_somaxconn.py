"""How many clients may wait to be let in."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

KNOB = "net.core.somaxconn"
USUAL = 4096
"""The kernel's default since 5.4; it was 128 (kernel manual)."""


def decide(situation: Situation) -> Verdict:
    """Today's default, or room for all, where more clients may come at once than may wait."""
    current = situation.kernel_number(KNOB)
    if situation.connections <= current:
        because = f"{current:,} may wait: no fewer than the {situation.connections:,} connections expected"
        return Declined(because=because, kind="keep")
    value = max(USUAL, 1 << (situation.connections - 1).bit_length())
    return Proposal(
        value=str(value),
        because=f"when {situation.connections:,} clients reconnect at once, those "
        f"beyond {current} are turned away",
        computed=f"{current} becomes {value}: {USUAL} is the kernel's default since 5.4, and a power of two "
        "that holds all is enough; taken when the server starts",
    )


RECOMMENDATION = Recommendation(
    id="kernel.somaxconn",
    title="Let all clients wait to be let in",
    group="kernel",
    target=SysctlTarget(name=KNOB, minimum=1, maximum=2**31 - 1),
    explanation=Explanation(
        changes="The longest queue of clients that have knocked and were not let in yet, for each listening "
        "program.",
        helps="After a restart or a failover all clients come back at once. Those that find the queue full "
        "wait for seconds, or fail through a Unix socket.",
        leave_alone="Where the kernel's present default is there already.",
        costs="A little memory while clients wait. It is the limit for every program of the host; each asks "
        "for its own length.",
        watch="nstat -az TcpExtListenOverflows: it should stay at 0.",
    ),
    pros=("No client is turned away after a restart.",),
    cons=("The server takes it only when it starts.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux before 5.4, or where it was lowered",
    cites=(Cite(claim="kernel-manual.somaxconn"),),
    decide=decide,
    examples=(
        Example(
            name="an older kernel's default", given=Given(kernel={KNOB: 128}), outcome=Sets(value="4096")
        ),
        Example(name="today's default", given=Given(kernel={KNOB: 4096}), outcome=Declines(kind="keep")),
        Example(
            name="more clients than the default",
            given=Given(kernel={KNOB: 4096}, connections=5000),
            outcome=Sets(value="8192"),
        ),
        Example(
            name="few clients", given=Given(kernel={KNOB: 128}, connections=50), outcome=Declines(kind="keep")
        ),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

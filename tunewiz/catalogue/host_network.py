"""The path between clients and server: short within one machine, if it is set up that way."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import known_or, needed

MEASURED_ON = "ppc64le"


def decide(situation: Situation) -> Verdict:
    """Advice for a virtual machine like the measured one, and for the bold."""
    hypervisor = needed(situation.facts.virtualization.hypervisor, "the hypervisor")
    if hypervisor == "none":
        return Declined(because="no hypervisor: clients come over a real network", kind="not_applicable")
    like = known_or(situation.facts.host.architecture, "") == MEASURED_ON
    if not like and "unlike" not in situation.posture.ticks:
        return Declined(because="4 % once, on a Power10 virtual machine: not enough to rearrange a network")
    return Advice(
        because="if applications run on the same physical machine, the path to the server can be shortened",
        steps=(
            "Ask whether the busiest application shares the physical machine with the server.",
            "If so, give both virtual functions of one physical port (SR-IOV), not of two adapters.",
            "Measure round trips (pgbench -S with one client) before and after.",
        ),
        undo=("Assign the virtual functions as they were.",),
    )


RECOMMENDATION = Recommendation(
    id="host.network",
    title="Keep neighbouring clients on one network port",
    group="host",
    target=AdviceTarget(name="network path"),
    explanation=Explanation(
        changes="A network adapter can be split into virtual functions (SR-IOV), one for each virtual "
        "machine.",
        helps="Traffic between two functions of one physical port is switched inside the adapter: client "
        "and server on one port did about 4 % more transactions than on two adapters.",
        leave_alone="Where clients are on other machines, or two adapters are there for redundancy.",
        costs="One port carries all the traffic and may become the limit; one fault cuts both off.",
        watch="Round-trip time of SELECT 1, and the load of the port in sar -n DEV.",
    ),
    pros=("Shorter round trips for chatty applications.",),
    cons=("A single port is a single point of failure.", "One measurement, one machine."),
    risk=RiskLevel.MEDIUM,
    basis="measured",
    versions="SR-IOV adapters",
    cites=(Cite(claim="power.sriov"),),
    decide=decide,
    examples=(
        Example(
            name="a virtual machine on POWER",
            given=Given(architecture="ppc64le", hypervisor="powervm"),
            outcome=Advises(),
        ),
        Example(name="a virtual machine on x86", given=Given(hypervisor="kvm"), outcome=Declines()),
        Example(name="bare metal", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

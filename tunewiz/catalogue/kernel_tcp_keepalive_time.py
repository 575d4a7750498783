"""How long a silent connection waits before the kernel asks whether its client is still there."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

KNOB = "net.ipv4.tcp_keepalive_time"
SECONDS = 300
"""Shorter than firewalls and load balancers usually keep a silent connection, and no load. An assumption."""


def decide(situation: Situation) -> Verdict:
    """Five minutes, where the server leaves it to the kernel; shown, since it holds for every program."""
    current = situation.kernel_number(KNOB)
    if _is_set(situation, "tcp_keepalives_idle"):
        because = f"PostgreSQL has its own, tcp_keepalives_idle {situation.will_be('tcp_keepalives_idle')}"
        return Declined(because=because, kind="keep")
    if current <= SECONDS:
        return Declined(because=f"the kernel asks after {current} s", kind="keep")
    return Proposal(
        value=str(SECONDS),
        because=f"a session whose client vanished keeps its locks and its slot for {current} s and longer",
        computed=f"{current} s becomes {SECONDS} s",
        ticked=False,
    )


def _is_set(situation: Situation, name: str) -> bool:
    """A session over TCP shows the kernel's value where nobody set one; one over a Unix socket shows 0."""
    live_setting = situation.live_settings.get(name)
    return live_setting is not None and live_setting.is_set and live_setting.value != "0"


RECOMMENDATION = Recommendation(
    id="kernel.tcp_keepalive_time",
    title="Notice vanished clients sooner",
    group="kernel",
    target=SysctlTarget(name=KNOB, minimum=1, maximum=32_767),
    explanation=Explanation(
        changes="After this many silent seconds the kernel asks the other side of a connection whether it is "
        "still there. PostgreSQL asks for that on every connection over TCP.",
        helps="A client whose machine or network failed is noticed in minutes rather than in two hours: its "
        "transaction ends and its locks are free. Firewalls between them see that the connection lives.",
        leave_alone="Where clients connect through Unix sockets only, or tcp_keepalives_idle is set.",
        costs="One small packet for each silent connection and interval. It holds for every program of the "
        "host that asks for keepalives.",
        watch="Sessions idle for hours in pg_stat_activity; ss -o shows each connection's keepalive timer.",
    ),
    pros=("Locks of vanished clients are free in minutes.", "Takes effect for new connections at once."),
    cons=("It holds for other programs too.", "The value is a rule of thumb."),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="every Linux",
    cites=(Cite(claim="kernel-manual.tcp_keepalive_time"), Cite(claim="postgres-manual.tcp_keepalives_idle")),
    decide=decide,
    examples=(
        Example(name="two hours, the default", given=Given(kernel={KNOB: 7200}), outcome=Sets(value="300")),
        Example(name="a minute", given=Given(kernel={KNOB: 60}), outcome=Declines(kind="keep")),
        Example(
            name="the server has its own",
            given=Given(kernel={KNOB: 7200}, settings={"tcp_keepalives_idle": "120"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

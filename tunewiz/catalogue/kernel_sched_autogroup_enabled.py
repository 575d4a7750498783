"""Grouping processes by session for the scheduler: a popular tip with opposite results."""

from __future__ import annotations

from tunewiz.core.kernel.scheduler import loaded_scheduler
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import known_or

KNOB = "kernel.sched_autogroup_enabled"
TIP_IS_FOR = "x86_64"


def decide(situation: Situation) -> Verdict:
    """Shown where the tip comes from, never ticked; declined elsewhere."""
    if not situation.kernel_number(KNOB):
        return Declined(because="it is off already", kind="keep")
    if loaded_scheduler(situation):
        because = f"the scheduler {loaded_scheduler(situation)} is loaded (sched_ext): measure that one first"
        return Declined(because=because)
    if known_or(situation.facts.host.architecture, TIP_IS_FOR) != TIP_IS_FOR:
        return Declined(
            because="the tip is for x86; on a z13 it cost about 2 % of throughput, with another knob"
        )
    return Proposal(
        value="0",
        because="up to +30 % was reported on x86, -2 % was measured on a z13: try it with your own load",
        computed="1 becomes 0: every server process is scheduled on its own",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="kernel.sched_autogroup_enabled",
    title="Try turning off scheduler autogroups",
    group="kernel",
    target=SysctlTarget(name=KNOB, maximum=1),
    explanation=Explanation(
        changes="The kernel can share processor time among sessions instead of processes. PostgreSQL makes "
        "every server process a session of its own.",
        helps="An old tip for x86 turns it off and raises the migration cost; its readers reported up to 30 "
        "% more throughput with hundreds of connections.",
        leave_alone="On other hardware: the two together cost about 2 % on a z13. Where systemd manages "
        "processor time by control groups, the setting has no effect on services.",
        costs="Interactive work on the same machine feels the database's load more.",
        watch="Throughput and processor use under the same load, with 1 and with 0.",
    ),
    pros=("Easily tried and taken back while the server runs.",),
    cons=(
        "Measured by no source on x86; the opposite effect was measured on s390x.",
        "Without effect for services in most systemd set-ups.",
    ),
    risk=RiskLevel.LOW,
    basis="measured",
    versions="Linux 2.6.38 and newer",
    cites=(Cite(claim="z-deck.autogroup", opposes=True),),
    disputes=(
        Dispute(
            one="On the z13 the tip (autogroup off and a higher migration cost) cost about 2 % of "
            "throughput.",
            other="Readers of the tip reported up to 30 % more throughput with hundreds of connections on "
            "x86.",
            follows="Neither: the two settings were changed together and the values are not given. On x86 "
            "it is shown and never ticked, elsewhere it is left alone.",
            claims=("z-deck.autogroup",),
        ),
    ),
    decide=decide,
    examples=(
        Example(name="on, on x86", given=Given(kernel={KNOB: 1}), outcome=Sets(value="0")),
        Example(
            name="on, on s390x",
            given=Given(architecture="s390x", huge_page_size="1MB", kernel={KNOB: 1}),
            outcome=Declines(),
        ),
        Example(name="off", given=Given(kernel={KNOB: 0}), outcome=Declines(kind="keep")),
        Example(name="not built in", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

"""Whether the out-of-memory killer may take the whole server rather than one of its sessions."""

from __future__ import annotations

from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import Effect, HostTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import known_or
from tunewiz.kinds.unit import UnitDropIn

SEE_TO_IT = {"debian": "Debian's unit", "rpm": "the unit of the RPM packages"}
"""Packages whose systemd unit protects the postmaster and lets its children lose the protection."""


WHY = "when memory runs out the kernel may kill the first process, and with it every session"

LINES = (("OOMScoreAdjust", "-900"), ("Environment", "PG_OOM_ADJUST_FILE=/proc/self/oom_score_adj"))
"""Both or neither: the second gives the children their usual score back (PostgreSQL manual, 19.4.4)."""


def decide(situation: Situation) -> Verdict:
    """Advice for servers that no package's unit starts."""
    if situation.in_container:
        return Declined(because="the platform decides which container is ended first", kind="not_applicable")
    if isinstance(situation.server, NoServer):
        return Declined(because=situation.server.why, kind="not_applicable")
    owner = situation.server.owner
    if owner in SEE_TO_IT:
        return Declined(because=f"{SEE_TO_IT[owner]} protects the server's first process", kind="keep")
    unit = known_or(situation.server.unit, "")
    if unit:
        return Proposal(
            value="protected",
            because=WHY,
            computed=f"{unit}: {', '.join('='.join(line) for line in LINES)}",
            before="not protected by its unit",
            ticked=False,
        )
    return Advice(
        because=WHY,
        steps=(
            "systemctl edit UNIT, and in [Service]: OOMScoreAdjust=-900",
            "In the same place: Environment=PG_OOM_ADJUST_FILE=/proc/self/oom_score_adj",
            "On systemd 243 and newer also: OOMPolicy=continue, or one killed session stops the service.",
            "systemctl daemon-reload, then restart the server.",
            "cat /proc/PID/oom_score_adj: -900 for the first process, 0 for its children",
        ),
        undo=("systemctl revert UNIT, then restart the server.",),
    )


def actions(situation: Situation, _: str) -> tuple[Action, ...]:
    """A drop-in beside the unit that runs the server."""
    unit = "" if isinstance(situation.server, NoServer) else known_or(situation.server.unit, "")
    return (UnitDropIn(unit=unit, lines=LINES),)


RECOMMENDATION = Recommendation(
    id="host.oom_protection",
    title="Protect the postmaster from the OOM killer",
    group="host",
    target=HostTarget(name="out-of-memory protection", effect=Effect.RESTART),
    explanation=Explanation(
        changes="The kernel ends the process with the highest score when memory runs out. The server's "
        "first process (postmaster) gets a low score, its children the usual one.",
        helps="One session is ended instead of the server, which ends all others, recovers, and comes "
        "back by itself where systemd lets it (below).",
        leave_alone="Where the package's unit does it already. Never one of the two lines alone: all "
        "children would be protected too, and the kernel would end something else.",
        costs="A restart. A server that takes all memory is ended later than others. From systemd 243 on it "
        "is not enough: when the kernel kills one process, systemd stops the whole service "
        "(OOMPolicy=stop, its default). With OOMPolicy=continue in the same place PostgreSQL recovers.",
        watch="oom_score_adj of the processes, and the kernel's log for killed ones.",
    ),
    pros=("The server survives the loss of one of its sessions.",),
    cons=("It treats the symptom: lasting lack of memory needs smaller settings or more memory.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux 2.6.36 and newer",
    cites=(
        Cite(claim="z-deck.swap", near=True),
        Cite(claim="z-deck.shared_buffers_half", near=True),
        Cite(claim="postgres-manual.overcommit"),
    ),
    decide=decide,
    actions=actions,
    examples=(
        Example(
            name="built from source, run by a unit of its own",
            given=Given(unit="postgresql.service"),
            outcome=Sets(value="protected"),
        ),
        Example(name="built from source", given=Given(), outcome=Advises()),
        Example(name="a container", given=Given(container="docker"), outcome=Declines(kind="not_applicable")),
    ),
)

"""A service that samples the server all the time, so that a later plan knows its busiest hour."""

from __future__ import annotations

from shlex import quote

from tunewiz.core.recommendation.actions import PLAIN_PATH, Action
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
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import Known, known_or, needed
from tunewiz.kinds.sampling import SamplingService

KEEP = "7d"
"""A week includes the usual busiest hour (default of `tunewiz watch`)."""
WHY = "counters since the last reset hide the busiest hour; a week of samples shows it to the next plan"


def decide(situation: Situation) -> Verdict:
    """Offered, not ticked, if systemd runs a program that only root can change; else a command."""
    if situation.in_container:
        because = f"the container runs only the server: run `tunewiz watch --keep {KEEP}` beside it"
        return Declined(because=because, kind="not_applicable")
    if isinstance(situation.server, NoServer):
        return Declined(because=situation.server.why, kind="not_applicable")
    if isinstance(situation.server.sampled_by, Known):
        return Declined(because=f"{situation.server.sampled_by.value} records them already", kind="keep")
    directory = needed(situation.server.data_directory, "the data directory")
    user = needed(situation.server.os_user, "the user that runs the server")
    without = _why_no_service(situation, directory)
    if not without:
        return Proposal(
            value=f"the last {KEEP}",
            because=WHY,
            computed=f"tunewiz watch --keep {KEEP}: a sample every 10 s, in a file of about 70 MB",
            before="none known",
            ticked=False,
        )
    return Advice(
        because=f"{WHY} ({without})",
        steps=(
            f"As {user}: tunewiz watch --keep {KEEP} --pgdata {quote(directory)}",
            "Keep it running for a week, under the service manager in use there, then make the plan again.",
        ),
        undo=("Stop it; `tunewiz watch` names the file to delete when it starts.",),
    )


def _why_no_service(situation: Situation, directory: str) -> str:
    """Why the bundle does not set up the service; empty where it can."""
    assert not isinstance(situation.server, NoServer)  # noqa: S101 - decide made sure
    program = situation.facts.host.program
    if not isinstance(situation.server.unit, Known):
        return "the systemd unit that runs the server is unknown"
    if not isinstance(program, Known):
        return f"not as a service: {program.why}"
    return "" if PLAIN_PATH.fullmatch(directory) else "a systemd unit cannot name this data directory"


def actions(situation: Situation, _: str) -> tuple[Action, ...]:
    """The service, started after the server's unit."""
    assert not isinstance(situation.server, NoServer)  # noqa: S101 - decide made sure
    return (
        SamplingService(
            program=needed(situation.facts.host.program, "where tunewiz is installed"),
            keep=KEEP,
            os_user=needed(situation.server.os_user, "the user that runs the server"),
            directory=needed(situation.server.data_directory, "the data directory"),
            unit=needed(situation.server.unit, "the unit that runs the server"),
            socket_directory=known_or(situation.server.socket_directory, ""),
        ),
    )


RECOMMENDATION = Recommendation(
    id="host.watching",
    title="Record the busiest hours for later plans",
    group="host",
    target=HostTarget(name="recording of the server's counters"),
    explanation=Explanation(
        changes="A systemd service of its own runs `tunewiz watch` as the server's user: every 10 seconds it "
        "reads the server's counters, and keeps the last 7 days in one file of bounded size.",
        helps="The next plan is based on the busiest hour of a week, not on averages since the statistics "
        "were reset. `tunewiz watch --show` charts it.",
        leave_alone="If a monitoring system already records such curves and you read them, or if nobody will "
        "make a plan again.",
        costs="One connection, a query every 10 seconds, and about 70 MB of disk. It has a tenth of the "
        "usual weight for processor and disk time, and may write only to its own directory. The samples stay "
        "after a rollback.",
        watch="systemctl status 'tunewiz-watch-*', tunewiz watch --show.",
    ),
    pros=(
        "A later plan can use this server's peak.",
        "The same curves show the effect of a change.",
    ),
    cons=(
        "One more service, and one connection that is always open.",
        "If tunewiz is removed or moved, the service fails until it is removed too.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="systemd 235 and newer",
    cites=(
        Cite(claim="postgres-manual.cumulative_statistics"),
        Cite(claim="postgres-ai-blocking.observer", near=True),
    ),
    decide=decide,
    actions=actions,
    examples=(
        Example(
            name="systemd runs the server, and tunewiz is installed there",
            given=Given(unit="postgresql@15-main.service", program="/usr/bin/tunewiz"),
            outcome=Sets(value="the last 7d"),
        ),
        Example(
            name="tunewiz is not installed there",
            given=Given(unit="postgresql@15-main.service"),
            outcome=Advises(),
        ),
        Example(
            name="a service records already",
            given=Given(
                unit="postgresql@15-main.service",
                program="/usr/bin/tunewiz",
                sampled_by="tunewiz-watch-0a1b2c3d.service",
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(name="no unit runs the server", given=Given(program="/usr/bin/tunewiz"), outcome=Advises()),
        Example(name="a container", given=Given(container="docker"), outcome=Declines(kind="not_applicable")),
    ),
)

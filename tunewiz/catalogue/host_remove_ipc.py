"""Whether systemd removes a server's shared memory when its user logs out."""

from __future__ import annotations

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import Absent, Known, Unknown, known_or

FIRST_ORDINARY_USER = 1000
"""System users have smaller numbers and are exempt (login.defs, SYS_UID_MAX; systemd's default)."""


def decide(situation: Situation) -> Verdict:
    """Advice for a server that runs as an ordinary user, where systemd-logind removes its IPC objects."""
    if situation.in_container:
        return Declined(because="no one logs in to a container through systemd", kind="not_applicable")
    if isinstance(situation.server, NoServer):
        return Declined(because=situation.server.why, kind="not_applicable")
    removes = situation.facts.owners.removes_ipc
    if isinstance(removes, Absent):
        return Declined(because=f"no systemd-logind here: {removes.how}", kind="not_applicable")
    if isinstance(removes, Known) and not removes.value:
        return Declined(because=f"systemd-logind removes nothing ({removes.how})", kind="keep")
    return _of_user(situation.server)


def _of_user(server: PostgresServer) -> Verdict:
    user = known_or(server.os_user, "postgres")
    removed = "systemd removes its shared memory when it logs out"
    match server.os_uid:
        case Known(number) if number < FIRST_ORDINARY_USER:
            because = f"{user} is a system user ({number}), whose shared memory is left alone"
            return Declined(because=because, kind="keep")
        case Known(number):
            return _advice(f"{user} is an ordinary user ({number}): {removed}")
        case Unknown() if server.owner != "source":
            because = "the package's user is a system user, whose shared memory is left alone"
            return Declined(because=because, kind="keep")
        case Unknown():
            below = (
                f"id -u {user}: below {FIRST_ORDINARY_USER} it is a system user, and nothing "
                "needs to be done."
            )
            return _advice(f"if {user} is an ordinary user, {removed}", below)


def _advice(because: str, *first: str) -> Advice:
    return Advice(
        because=because,
        steps=(
            *first,
            "mkdir -p /etc/systemd/logind.conf.d",
            "Write [Login] and RemoveIPC=no to /etc/systemd/logind.conf.d/postgresql.conf.",
            "systemctl restart systemd-logind",
        ),
        undo=(
            "rm /etc/systemd/logind.conf.d/postgresql.conf",
            "systemctl restart systemd-logind",
        ),
    )


RECOMMENDATION = Recommendation(
    id="host.remove_ipc",
    title="Keep shared memory when the server's user logs out",
    group="host",
    target=AdviceTarget(name="RemoveIPC"),
    explanation=Explanation(
        changes="systemd-logind removes shared memory and semaphores of an ordinary user whose last login "
        "ends (RemoveIPC, on by default).",
        helps="Parallel queries no longer fail at random with “could not open shared memory segment”.",
        leave_alone="Where packages set the server up: their postgres is a system user, which is exempt.",
        costs="What ordinary users leave in shared memory stays until a restart.",
        watch="“could not open” or “could not remove shared memory segment” in the server's log.",
    ),
    pros=("Parallel queries don't fail when somebody logs out.",),
    cons=("Concerns all users of the host.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="systemd 212 and newer",
    cites=(Cite(claim="postgres-manual.remove_ipc"),),
    decide=decide,
    examples=(
        Example(name="built from source", given=Given(), outcome=Advises()),
        Example(name="a package", given=Given(owner="debian"), outcome=Declines(kind="keep")),
        Example(
            name="an ordinary user, whoever installed the server",
            given=Given(owner="rpm", removes_ipc=True, os_uid=1001),
            outcome=Advises(),
        ),
        Example(
            name="built from source, with a system user",
            given=Given(removes_ipc=True, os_uid=997),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="switched off",
            given=Given(removes_ipc=False, os_uid=1001),
            outcome=Declines(kind="keep"),
        ),
        Example(name="a container", given=Given(container="docker"), outcome=Declines(kind="not_applicable")),
    ),
)

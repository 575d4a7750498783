"""io_method: how PostgreSQL 18 reads in the background."""

from __future__ import annotations

from tunewiz.core.facts.server import PostgresServer
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
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import Known

DISABLED = "kernel.io_uring_disabled"
"""0 allows io_uring to everyone, 1 to one group, 2 to nobody (kernel manual)."""


def decide(situation: Situation) -> Verdict:
    """Worker, the default, where someone went back to synchronous reads; io_uring as a choice."""
    current = situation.will_be("io_method")
    if current == "sync":
        return Proposal(
            value="worker",
            because="with sync, each session waits for its own reads, as before PostgreSQL 18",
            computed="worker, PostgreSQL's default; io_uring only where build and kernel have it",
        )
    if current == "io_uring" or "io_uring" not in situation.settings["io_method"].choices:
        return Declined(because=f"{current} reads in the background{_not_built(situation)}", kind="keep")
    if why := _why_not(situation):
        return Declined(because=f"{current} reads in the background; io_uring: {why}", kind="keep")
    return Proposal(
        value="io_uring",
        because="this server is built with io_uring and the kernel allows it: reads without worker processes",
        computed=f"worker is the default; {DISABLED} is 0",
        risk=RiskLevel.MEDIUM,
        ticked=False,
    )


def _not_built(situation: Situation) -> str:
    known = isinstance(situation.server, PostgresServer) and isinstance(situation.server.choices, Known)
    return "; this server is built without io_uring" if known else ""


def _why_not(situation: Situation) -> str:
    """Why io_uring cannot be used; empty if it can."""
    if situation.in_container:
        return "containers often forbid it (seccomp), and then the server does not start"
    match situation.kernel(DISABLED):
        case Known(value=0):
            return ""
        case Known(value=value):
            return f"the kernel forbids it ({DISABLED} is {value})"
        case _:
            return "it is not known whether the kernel allows it"


RECOMMENDATION = Recommendation(
    id="pg.io_method",
    title="Use asynchronous reads",
    group="storage",
    target=PgTarget(name="io_method"),
    explanation=Explanation(
        changes="Who reads pages ahead (18 and newer): processes of the server (worker), the kernel "
        "(io_uring), or each session itself, waiting (sync).",
        helps="A session goes on working while its next pages are on their way.",
        leave_alone="When it is worker and nobody has measured io_uring on this machine. io_uring needs a "
        "server built with liburing and a kernel that allows it, else the server does not start.",
        costs="A restart. With worker, a few more processes (io_workers). With io_uring, an open file for "
        "each process of the server: LimitNOFILE must be well above max_connections.",
        watch="pg_aios and pg_stat_io while a large scan runs.",
    ),
    pros=("Scans and bitmap scans wait less.",),
    cons=("Requires a restart.", "New in 18: there is little experience with it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.read_ahead", near=True),
        Cite(claim="classmethod-rds.io_method", opposes=True),
        Cite(claim="postgres-ai-basebackup.io_uring"),
        Cite(claim="postgres-manual.io_method"),
        Cite(claim="kernel-manual.io_uring_disabled"),
    ),
    disputes=(
        Dispute(
            one="On network volumes with a limit of operations (RDS, 2026) worker and sync were within 1 %.",
            other="On eight local NVMe devices (EC2, 2025) pg_basebackup read 1.08 GiB/s from a server "
            "with io_uring; before 18, 300 to 500 MiB/s are usual.",
            follows="Worker, PostgreSQL's default, where somebody went back to sync. io_uring is shown "
            "and never ticked: on which storage it wins is for tunewiz prove to say.",
            claims=(
                "classmethod-rds.io_method",
                "postgres-ai-basebackup.io_uring",
            ),
        ),
    ),
    decide=decide,
    examples=(
        Example(
            name="set back to sync",
            given=Given(major="18", settings={"io_method": "sync"}),
            outcome=Sets(value="worker"),
        ),
        Example(name="the default", given=Given(major="18"), outcome=Declines(kind="keep")),
        Example(
            name="built with io_uring, on a kernel that allows it",
            given=Given(
                major="18",
                built_with={"io_method": ("sync", "worker", "io_uring")},
                kernel={DISABLED: 0},
            ),
            outcome=Sets(value="io_uring"),
        ),
        Example(
            name="built with io_uring, but the kernel forbids it",
            given=Given(
                major="18",
                built_with={"io_method": ("sync", "worker", "io_uring")},
                kernel={DISABLED: 2},
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(name="17 has none", given=Given(major="17"), outcome=Declines(kind="not_applicable")),
    ),
)

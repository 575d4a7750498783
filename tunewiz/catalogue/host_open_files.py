"""Whether each server process may keep as many files open as the server wants to."""

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
from tunewiz.core.server.processes import processes_of
from tunewiz.core.values.known import Absent, known_or, needed
from tunewiz.kinds.unit import UnitDropIn

BESIDE = 24
"""What a process has open beside data files: ten that the server keeps free (NUM_RESERVED_FDS in fd.c), its
standard streams, sockets and pipes. With the default of 1,000 files that is the usual limit of 1,024."""


def decide(situation: Situation) -> Verdict:
    """A higher limit where the server would keep more files open than it is allowed."""
    if isinstance(situation.server, NoServer):
        return Declined(because=situation.server.why, kind="not_applicable")
    limit = situation.server.open_files
    if isinstance(limit, Absent):
        return Declined(because=f"no limit: {limit.how}", kind="keep")
    allowed, need = needed(limit, "the limit of open files"), _need(situation)
    if allowed >= need:
        because = f"{allowed:,} files are allowed, the server wants up to {need:,}"
        return Declined(because=because, kind="keep")
    value = 1 << (need - 1).bit_length()
    because = (
        f"each process may open {allowed:,} files and wants up to {need:,}: it keeps closing "
        "and reopening them"
    )
    computed = f"{_sum(situation)} = {need:,}; {value:,} is the next power of two"
    if known_or(situation.server.unit, "") and not situation.in_container:
        return Proposal(
            value=str(value), because=because, computed=computed, before=str(allowed), ticked=False
        )
    return Advice(
        because=because, steps=_steps(situation, value), undo=_undo(situation, allowed), computed=computed
    )


def _rings(situation: Situation) -> int:
    """With io_uring every process inherits a ring of each possible process (aio_uring, PostgreSQL 18)."""
    live = situation.live_settings.get("io_method")
    method = situation.chosen.get("io_method", live.value if live else "")
    return processes_of(situation) if method == "io_uring" else 0


def _need(situation: Situation) -> int:
    return int(situation.will_be("max_files_per_process")) + BESIDE + _rings(situation)


def _sum(situation: Situation) -> str:
    rings = _rings(situation)
    return f"max_files_per_process {situation.will_be('max_files_per_process')} + {BESIDE}" + (
        f" + {rings} rings of io_uring" if rings else ""
    )


def _steps(situation: Situation, value: int) -> tuple[str, ...]:
    if situation.in_container:
        return (f"Ask whoever starts the container: --ulimit nofile={value}:{value}, or the equivalent.",)
    return (
        f"Where a systemd unit starts the server: systemctl edit UNIT, and in [Service]: LimitNOFILE={value}",
        f"Where a script starts it: ulimit -n {value}, before the server.",
        "Restart the server.",
    )


def _undo(situation: Situation, allowed: int) -> tuple[str, ...]:
    return (
        ("Take the line away.",) if not situation.in_container else (f"--ulimit nofile={allowed}:{allowed}",)
    )


def actions(situation: Situation, value: str) -> tuple[Action, ...]:
    """A drop-in beside the unit that runs the server."""
    unit = "" if isinstance(situation.server, NoServer) else known_or(situation.server.unit, "")
    return (UnitDropIn(unit=unit, lines=(("LimitNOFILE", value),)),)


RECOMMENDATION = Recommendation(
    id="host.open_files",
    title="Raise the limit of open files for the server",
    group="host",
    target=HostTarget(name="limit of open files", effect=Effect.RESTART),
    explanation=Explanation(
        changes="How many files a process may have open (ulimit -n, LimitNOFILE). Each process of the server "
        "keeps up to max_files_per_process open, if the limit allows it.",
        helps="A table has a file for every GB, every index and every fork. At the limit, a process must "
        "close one to open another; too low a limit keeps io_uring from starting (PostgreSQL 18).",
        leave_alone="Where the limit suffices: with the defaults, 1,024 does.",
        costs="A restart. Many processes with many files may reach the limit of the whole machine.",
        watch="Max open files in /proc/PID/limits; the number of /proc/PID/fd of a busy session.",
    ),
    pros=("With large schemas, files are not opened and closed all the time.",),
    cons=("Useful only where sessions touch more files than that.", "No source of this project measured it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux",
    cites=(Cite(claim="postgres-manual.open_files"),),
    decide=decide,
    actions=actions,
    after=("pg.max_connections", "pg.io_method", "pg.max_worker_processes", "pg.autovacuum_max_workers"),
    examples=(
        Example(
            name="more files than its unit allows",
            given=Given(
                open_files=1024, unit="postgresql.service", settings={"max_files_per_process": "4000"}
            ),
            outcome=Sets(value="4096"),
        ),
        Example(name="no unit", given=Given(open_files=256), outcome=Advises()),
        Example(name="in a container", given=Given(open_files=256, container="docker"), outcome=Advises()),
        Example(name="the defaults", given=Given(open_files=1024), outcome=Declines(kind="keep")),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)

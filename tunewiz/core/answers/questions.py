"""The questions answered by typing or by yes and no: the same on the screen and line by line."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Literal, assert_never

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.parsing import number, size, time
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import GIB, MIB, Bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class TypedQuestion:
    """An answer that is typed."""

    title: str
    about: str
    shown: Callable[[Answers], str]
    """The current answer, as it would be typed."""
    taken: Callable[[Answers, str], Answers]
    """The answers with what was typed; raises InputError if it cannot be parsed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class YesNoQuestion:
    """An answer that is yes or no."""

    key: Literal["restart", "kernel", "reboot"]
    title: str
    about: str

    def shown(self, answers: Answers) -> bool:
        """The current answer."""
        return {
            "restart": answers.risk.restart,
            "kernel": answers.risk.kernel,
            "reboot": answers.risk.reboot,
        }[self.key]

    def taken(self, answers: Answers, *, yes: bool) -> Answers:
        """The answers with this one."""
        match self.key:
            case "restart":
                return dataclasses.replace(answers, risk=dataclasses.replace(answers.risk, restart=yes))
            case "kernel":
                return dataclasses.replace(answers, risk=dataclasses.replace(answers.risk, kernel=yes))
            case "reboot":
                return dataclasses.replace(answers, risk=dataclasses.replace(answers.risk, reboot=yes))
            case _:
                assert_never(self.key)


def rounded(exact: Bytes) -> str:
    """Rounded for display: whole megabytes, whole gigabytes from 10 GB on."""
    for step, least in ((GIB, 10 * GIB), (MIB, MIB)):
        if exact.count >= least:
            return (Bytes(step) * exact.pages(Bytes(step))).pg()
    return exact.pg()


def _with_connections(answers: Answers, text: str) -> Answers:
    workload = dataclasses.replace(answers.workload, connections=number("connections", text))
    return dataclasses.replace(answers, workload=workload)


def _with_database_size(answers: Answers, text: str) -> Answers:
    """Unchanged if it was not edited, since it is shown rounded."""
    known = answers.workload.database_size
    typed = known if text.strip() == rounded(known) else size("size of all databases", text.strip())
    return dataclasses.replace(answers, workload=dataclasses.replace(answers.workload, database_size=typed))


def _with_replicas(answers: Answers, text: str) -> Answers:
    server = dataclasses.replace(answers.server, replicas=number("standbys", text))
    return dataclasses.replace(answers, server=server)


def _with_share(answers: Answers, text: str) -> Answers:
    """Empty for an equal share."""
    digits = text.strip().removesuffix("%")
    share = number("share of the memory", digits) if digits else None
    return dataclasses.replace(answers, server=dataclasses.replace(answers.server, memory_share=share))


def _share(answers: Answers) -> str:
    share = answers.server.memory_share
    return "" if share is None else str(share)


def _with_recovery_time(answers: Answers, text: str) -> Answers:
    risk = dataclasses.replace(answers.risk, recovery_time=time("recovery after a crash", text))
    return dataclasses.replace(answers, risk=risk)


EVIDENCE = "How much evidence before we pre-select a change?"
CONNECTIONS = TypedQuestion(
    title="Connections at the peak",
    about="concurrent clients (or the pool's size)",
    shown=lambda answers: str(answers.workload.connections),
    taken=_with_connections,
)
DATABASE_SIZE = TypedQuestion(
    title="Size of all databases",
    about="now, or as you expect it",
    shown=lambda answers: rounded(answers.workload.database_size),
    taken=_with_database_size,
)
REPLICAS = TypedQuestion(
    title="Standbys that follow it",
    about="some settings must rise there first",
    shown=lambda answers: str(answers.server.replicas),
    taken=_with_replicas,
)
SHARE = TypedQuestion(
    title="Share of the memory",
    about="percent; empty: as much as every server that runs",
    shown=_share,
    taken=_with_share,
)
RESTART = YesNoQuestion(
    key="restart", title="PostgreSQL may be restarted", about="seconds of downtime when it is applied"
)
KERNEL = YesNoQuestion(
    key="kernel", title="Kernel settings may change", about="sysctl, huge pages; rollback undoes them"
)
REBOOT = YesNoQuestion(
    key="reboot", title="The machine may be rebooted", about="only where nothing else helps"
)
RECOVERY_TIME = TypedQuestion(
    title="Recovery after a crash",
    about="at most: longer allows faster writing",
    shown=lambda answers: answers.risk.recovery_time.pg(),
    taken=_with_recovery_time,
)

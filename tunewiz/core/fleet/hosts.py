"""A host of a fleet: the part of its plan that is needed to compare many hosts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias, assert_never

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.finding import Finding, State
from tunewiz.core.planning.plan import Budget, Plan
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.target_words import target_name, value_in_words
from tunewiz.core.recommendation.targets import (
    AdviceTarget,
    HostTarget,
    PgTarget,
    SysctlTarget,
    SysfsTarget,
)
from tunewiz.core.server.standby import bound
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.decided import decided_in_words
from tunewiz.core.words.finding import name_of, now_of, then_of
from tunewiz.core.words.memory import PARTS

Role: TypeAlias = Literal["primary", "standby", ""]
"""Empty if it is not known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HostDecision:
    """One change or piece of advice: equal on all hosts of a group."""

    id: str
    name: str
    """What a DBA calls it: `shared_buffers`."""
    state: State
    """`change` or `advise`."""
    value: str
    """In words; empty for a size, which may differ from host to host."""
    takes: str
    """How it takes effect: now, reload, restart, reboot, manual."""
    decided: str
    """What the administrator decided, with the note; empty if nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """A setting that must not be lower on a standby than on its primary."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, kw_only=True, slots=True)
class HostPlan:
    """One host and what was decided for it; equal parts of many hosts are one object."""

    host: str
    source: str
    """The file of its facts."""
    digest: str
    """Of that file, as it was read."""
    identity: str
    """Empty if unknown."""
    major: str
    cluster: str
    """The system identifier of its server, which its standbys share; empty if unknown."""
    role: Role
    decisions: tuple[HostDecision, ...]
    """In the order of their ids."""
    values: tuple[str, ...]
    """What each decision sets, in words."""
    today: tuple[str, ...]
    """What each decision's setting has today, in words, as a plan of the host alone shows it."""
    read: tuple[str, ...]
    """The targets whose value in force was read, by the names that a DBA has for them."""
    now: tuple[str, ...]
    """These values, in words."""
    bound: tuple[Bound, ...]
    memory: tuple[int, ...]
    """Bytes of each part of the memory budget with the plan, as `PARTS` orders them; empty if unknown."""
    restart: bool
    troubles: tuple[str, ...] = ()
    """Kinds of trouble that no setting mends, the costliest first."""
    broken: tuple[tuple[str, str], ...] = ()
    """What rules of the shop ask for and the plan does not do, each with the reason."""
    against: tuple[tuple[str, str], ...] = ()
    """What rules of the shop ask for and the values in force do not keep, each with the value in words."""

    @property
    def off_plan(self) -> Mapping[str, str]:
        """What the plan changes, by the names that a DBA has for it, with the values that it sets."""
        pairs = zip(self.decisions, self.values, strict=True)
        return {decision.name: value for decision, value in pairs if decision.state == "change"}


@dataclass(frozen=True, kw_only=True, slots=True)
class FailedHost:
    """A host that could not be planned; the others are."""

    host: str
    """Its name, or its file where the name is not known."""
    source: str
    why: str

    @property
    def in_words(self) -> str:
        """Which host, and why; what is told of a file names it already."""
        return self.why if self.why.startswith(f"{self.host}:") else f"{self.host}: {self.why}"


HostResult: TypeAlias = HostPlan | FailedHost

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9])?")
RESERVED = "tunewiz_"
"""Prefix of the inventory's groups: a host with such a name would be confused with one."""
_NOT_HOSTS = frozenset({"all", "localhost", "ungrouped"})


def why_no_name(name: str) -> str:
    """Why a name cannot identify a host and name its directory; empty if it can.

    >>> why_no_name("db1.example.org"), why_no_name("../etc")
    ('', "found '../etc', expected letters, digits, dots and dashes")
    """
    if not _NAME.fullmatch(name) or ".." in name:
        return f"found {name[:80]!r}, expected letters, digits, dots and dashes"
    if name.casefold() in _NOT_HOSTS or name.startswith(RESERVED):
        return f"found {name!r}, expected a name that is no other host's"
    return ""


def host_plan(plan: Plan, source: str, digest: str) -> HostPlan:
    """The host of a plan, whose name was checked before."""
    start = plan.start
    decided = sorted(
        (finding for finding in plan.findings if finding.state in ("change", "advise")),
        key=lambda finding: finding.recommendation.id,
    )
    is_there = not isinstance(start.server, NoServer)
    in_force = sorted(_in_force(plan.findings, start))
    return HostPlan(
        host=known_or(start.facts.host.name, ""),
        source=source,
        digest=digest,
        identity=known_or(start.facts.host.identity, ""),
        major=str(start.major),
        cluster="" if isinstance(start.server, NoServer) else known_or(start.server.system_identifier, ""),
        role=role_of(start),
        decisions=tuple(_decision(finding, start) for finding in decided),
        values=tuple(then_of(finding).short for finding in decided),
        today=tuple(now_of(finding, start).short for finding in decided),
        read=tuple(name for name, _ in in_force),
        now=tuple(value for _, value in in_force),
        bound=tuple(_bound(plan)) if is_there else (),
        memory=tuple(_memory(plan.after)),
        restart=plan.restart,
    )


def role_of(start: Situation) -> Role:
    """As its server said."""
    return role_of_server(start.server)


def role_of_server(server: PostgresServer | NoServer) -> Role:
    """As it said."""
    match server:
        case PostgresServer(role=Known(value=role)):
            return role
        case _:
            return ""


def _memory(budget: Budget) -> Iterator[int]:
    if isinstance(budget, MemoryBudget):
        yield from (budget.parts[name].count for name in PARTS)


def _decision(finding: Finding, start: Situation) -> HostDecision:
    then = then_of(finding).short
    return HostDecision(
        id=finding.recommendation.id,
        name=name_of(finding).short,
        state=finding.state,
        value="" if _is_size(finding, then, start) else then,
        takes=finding.takes_effect.value,
        decided=decided_in_words(finding.decision),
    )


_SWITCHES = frozenset({"-1", "0"})
"""Numbers by which PostgreSQL turns something off, or takes another setting's value."""
_SHARES = "_scale_factor"
"""How settings end that are shares of a table: the larger the tables, the smaller they are."""
_SIZE = re.compile(r"~?[0-9,]+ ?(?:bytes|kB|MB|GB|TB|pages)")


def _is_size(finding: Finding, then: str, start: Situation) -> bool:
    """Whether a value is a size or a count, which depends on the machine; costs and times do not."""
    target = finding.recommendation.target
    if then in _SWITCHES:
        return False
    match target:
        case PgTarget(name=name):
            known = start.settings.has(name) and start.settings[name].is_size_or_count
            return known or name.endswith(_SHARES)
        case SysctlTarget(unit=unit):
            return unit in ("bytes", "huge pages")
        case SysfsTarget():
            return False
        case HostTarget() | AdviceTarget():
            return bool(_SIZE.fullmatch(then))
        case _:
            assert_never(target)


def _in_force(findings: Iterable[Finding], start: Situation) -> Iterator[tuple[str, str]]:
    for finding in findings:
        target = finding.recommendation.target
        current = start.current(target)
        if isinstance(current, Known):
            yield target_name(target), value_in_words(target, current.value)


def _bound(plan: Plan) -> Iterator[Bound]:
    for name in bound(plan.start):
        before, after = plan.start.will_be(name), plan.end.will_be(name)
        yield Bound(name=name, before=int(before), after=int(after))

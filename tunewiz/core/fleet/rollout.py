"""The progress of a rollout: what the playbooks recorded for each host, wave by wave."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from tunewiz.core.values.record import dataclass

HostState: TypeAlias = Literal[
    "waiting", "under way", "failed", "confirmed", "rolled back", "not rolled back", "not understood"
]
"""The state of a host."""

_STATES: dict[str, HostState] = {
    **dict.fromkeys(("began", "applied", "verified", "healthy"), "under way"),
    **dict.fromkeys(("not-applied", "not-verified", "not-healthy", "not-confirmed"), "failed"),
    "confirmed": "confirmed",
    "rolled-back": "rolled back",
    "not-rolled-back": "not rolled back",
}
"""States by the step that apply.yml or rollback.yml recorded last."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """One line of a record."""

    at: int
    """Seconds since 1970."""
    step: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DriftReport:
    """What the last drift.yml found on a host."""

    as_planned: bool
    differences: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class NoDriftReport:
    """There is no report of drift.yml, or none that can be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HostProgress:
    """One host."""

    host: str
    steps: tuple[Recorded, ...] = ()
    output: tuple[str, ...] = ()
    """Output of the failed step, line by line."""
    compared: DriftReport | NoDriftReport = NoDriftReport()

    @property
    def last(self) -> str:
        """The last step; empty if none is recorded."""
        return self.steps[-1].step if self.steps else ""

    @property
    def state(self) -> HostState:
        """The state of the host."""
        return _STATES.get(self.last, "not understood") if self.steps else "waiting"

    @property
    def has_drifted(self) -> bool:
        """Whether it was changed and is no longer as planned."""
        return isinstance(self.compared, DriftReport) and not self.compared.as_planned

    @property
    def began(self) -> int:
        """When the last attempt began, in seconds since 1970; 0 if none did."""
        return max((step.at for step in self.steps if step.step == "began"), default=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rollout:
    """All hosts of a project."""

    place: str
    """The directory that `tunewiz fleet write` wrote."""
    waves: tuple[tuple[HostProgress, ...], ...]
    minutes: int
    """Minutes after which a host reverts what was not confirmed; 0 if the project does not say."""

    @property
    def hosts(self) -> tuple[HostProgress, ...]:
        """In the order in which they are changed."""
        return tuple(host for wave in self.waves for host in wave)

    def count(self, state: HostState) -> int:
        """The number of hosts in this state."""
        return counted(self.hosts, state)


def counted(hosts: Iterable[HostProgress], state: HostState) -> int:
    """The number of these hosts in this state."""
    return sum(host.state == state for host in hosts)

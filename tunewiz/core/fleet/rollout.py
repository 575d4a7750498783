"""How far a rollout is: what the playbooks recorded of each host, wave by wave."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Standing: TypeAlias = Literal[
    "waiting", "under way", "failed", "confirmed", "rolled back", "not rolled back", "not understood"
]
"""What a person wants to know first of a host."""

_STANDINGS: dict[str, Standing] = {
    **dict.fromkeys(("began", "applied", "verified", "healthy"), "under way"),
    **dict.fromkeys(("not-applied", "not-verified", "not-healthy", "not-confirmed"), "failed"),
    "confirmed": "confirmed",
    "rolled-back": "rolled back",
    "not-rolled-back": "not rolled back",
}
"""By the steps that apply.yml and rollback.yml record."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """One line of a record."""

    at: int
    """Seconds since 1970."""
    step: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """What the last drift.yml found on a host."""

    as_planned: bool
    differences: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class NotCompared:
    """There is no report of drift.yml, or none that can be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HostProgress:
    """One host."""

    host: str
    steps: tuple[Recorded, ...] = ()
    output: tuple[str, ...] = ()
    """What the step that failed printed, line by line."""
    compared: Compared | NotCompared = NotCompared()

    @property
    def last(self) -> str:
        """The last step; empty where nothing is recorded."""
        return self.steps[-1].step if self.steps else ""

    @property
    def standing(self) -> Standing:
        """How the host stands."""
        return _STANDINGS.get(self.last, "not understood") if self.steps else "waiting"

    @property
    def has_drifted(self) -> bool:
        """Whether it was changed and is not as planned any more."""
        return isinstance(self.compared, Compared) and not self.compared.as_planned

    @property
    def began(self) -> int:
        """When the last attempt began, in seconds since 1970; 0 if none did."""
        return max((each.at for each in self.steps if each.step == "began"), default=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rollout:
    """All hosts of a project."""

    place: str
    """The directory that `tunewiz fleet write` wrote."""
    waves: tuple[tuple[HostProgress, ...], ...]
    minutes: int
    """After which a host reverts what was not confirmed; 0 if the project's variables do not tell."""

    @property
    def hosts(self) -> tuple[HostProgress, ...]:
        """In the order in which they are changed."""
        return tuple(host for wave in self.waves for host in wave)

    def count(self, standing: Standing) -> int:
        """Hosts that stand so."""
        return counted(self.hosts, standing)


def counted(hosts: Iterable[HostProgress], standing: Standing) -> int:
    """Those of the hosts that stand so."""
    return sum(each.standing == standing for each in hosts)

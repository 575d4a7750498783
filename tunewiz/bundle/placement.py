"""The changes of a plan, each with the place where it goes and what was there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tunewiz.core.planning.finding import Finding
from tunewiz.core.recommendation.actions import HostAction
from tunewiz.core.recommendation.cluster import Cluster, NoCluster
from tunewiz.core.recommendation.targets import Effect

NOT_KNOWN = "?"
"""A value before the change that the facts do not tell: the scripts take what they find."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedSysctl:
    """A kernel setting, with what it was."""

    finding: Finding
    name: str
    value: str
    before: str
    twin: str
    twin_before: str
    memory: str
    """What the change takes in thousands of kB; empty where it takes none."""
    own_pages: tuple[str, ...] = ()
    """Of a pool of huge pages: how many are for the planned server alone; other programs share the pool."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedChoice:
    """A word under /sys, with what it was."""

    finding: Finding
    path: str
    fact: str
    """Its key in the kernel facts."""
    value: str
    before: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedHost:
    """A change of the machine that the scripts can make."""

    finding: Finding
    action: HostAction


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedSetting:
    """A PostgreSQL setting, its values in the server's own unit."""

    finding: Finding
    name: str
    text: str
    """As a person writes it: `16GB`."""
    where: Literal["dropin", "auto"]
    effect: Literal["reload", "restart"]
    value: str
    before: str
    before_in_files: str
    """What the files alone say: the server works out what nobody set."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OutOfReach:
    """A change that a person has to make."""

    finding: Finding
    why: str


Placed: TypeAlias = PlacedSysctl | PlacedChoice | PlacedHost | PlacedSetting | OutOfReach


@dataclass(frozen=True, kw_only=True, slots=True)
class Placement:
    """All changes of a plan, placed."""

    cluster: Cluster | NoCluster
    sysctls: tuple[PlacedSysctl, ...]
    choices: tuple[PlacedChoice, ...]
    host: tuple[PlacedHost, ...]
    settings: tuple[PlacedSetting, ...]
    out_of_reach: tuple[OutOfReach, ...]

    def settings_in(self, where: Literal["dropin", "auto"]) -> tuple[PlacedSetting, ...]:
        """The settings that go to one of the two places."""
        return tuple(each for each in self.settings if each.where == where)

    @property
    def restart(self) -> bool:
        """Whether a change waits for a restart of the server."""
        return any(each.takes_effect is Effect.RESTART for each in self.findings)

    @property
    def reboot(self) -> bool:
        """Whether a change waits for the machine to be booted, which nothing here does."""
        return any(each.takes_effect is Effect.REBOOT for each in self.findings)

    @property
    def count(self) -> int:
        """How many changes the scripts make."""
        return len(self.findings)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the scripts carry out, in their order; each once, however many steps it takes."""
        placed: tuple[Placed, ...] = (*self.sysctls, *self.choices, *self.host, *self.settings)
        return tuple({each.finding.recommendation.id: each.finding for each in placed}.values())

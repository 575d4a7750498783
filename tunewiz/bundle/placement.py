"""The changes of a plan, each with the place where it goes and what was there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.placed import OutOfReach
from tunewiz.core.recommendation.actions import HostAction
from tunewiz.core.recommendation.cluster import Cluster, NoCluster
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.setting import PlacedSetting
from tunewiz.kinds.sysctl import PlacedSysctl
from tunewiz.kinds.sysfs import PlacedChoice


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedHost:
    """A change of the machine that the scripts can make."""

    finding: Finding
    action: HostAction


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
        return tuple(setting for setting in self.settings if setting.where == where)

    @property
    def pool(self) -> bool:
        """Whether huge pages are reserved, which only a server that starts later can use."""
        return any(sysctl.own_pages for sysctl in self.sysctls)

    @property
    def restart(self) -> bool:
        """Whether a change waits for a restart of the server that the scripts make: never Patroni's."""
        waits = any(finding.takes_effect is Effect.RESTART for finding in self.findings)
        return waits and isinstance(self.cluster, Cluster)

    @property
    def reboot(self) -> bool:
        """Whether a change waits for the machine to be booted, which nothing here does."""
        return any(finding.takes_effect is Effect.REBOOT for finding in self.findings)

    @property
    def count(self) -> int:
        """How many changes the scripts make."""
        return len(self.findings)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the scripts carry out, in their order; each once, however many steps it takes."""
        placed: tuple[Placed, ...] = (*self.sysctls, *self.choices, *self.host, *self.settings)
        return tuple({change.finding.recommendation.id: change.finding for change in placed}.values())

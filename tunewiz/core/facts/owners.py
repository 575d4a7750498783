"""What was learned about other tools that manage the settings of a machine."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact, MaybeFact
from tunewiz.core.values.record import dataclass

RivalKeeper = Literal["sysctl.d", "tmpfiles.d", "tuned"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rival:
    """A line in another tool's file that overrides, at every boot, the one that a bundle would write."""

    name: str
    """`vm.swappiness`, or a path under /sys."""
    value: str
    place: str
    """`/etc/sysctl.d/99-local.conf:3`."""
    keeper: RivalKeeper
    """What reads that file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Managed:
    """A file that a configuration management tool marks as its own."""

    path: str
    by: str
    """Ansible, cloud-init, Puppet, Chef, Salt."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Owners:
    """Other tools that manage settings of this machine."""

    tuned: MaybeFact[str] = NOT_LOOKED_FOR
    """The active profile; absent if tuned is not installed or is off."""
    tuned_latency: MaybeFact[str] = NOT_LOOKED_FOR
    """What its profile allows processors to take to wake up (force_latency); absent if it does not say."""
    irqbalance: MaybeFact[str] = NOT_LOOKED_FOR
    """`running`, or `at boot`; absent if it neither runs nor starts then."""
    numad: MaybeFact[str] = NOT_LOOKED_FOR
    """`running`, or `at boot`: it moves processes and their memory between nodes; absent if neither."""
    removes_ipc: MaybeFact[bool] = NOT_LOOKED_FOR
    """Whether systemd-logind removes an ordinary user's shared memory; absent where systemd does not run."""
    operator: MaybeFact[str] = NOT_LOOKED_FOR
    """The Kubernetes operator that manages the server's configuration."""
    rivals: Fact[tuple[Rival, ...]] = NOT_LOOKED_FOR
    managed: Fact[tuple[Managed, ...]] = NOT_LOOKED_FOR

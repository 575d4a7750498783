"""A fleet: its groups, the order in which its hosts are changed, and hosts that could not be planned."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.core.fleet.clusters import Order
from tunewiz.core.fleet.groups import HostGroup
from tunewiz.core.fleet.hosts import FailedHost
from tunewiz.core.fleet.violations import Violation
from tunewiz.core.fleet.waves import Waves
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Fleet:
    """Everything that was found."""

    groups: tuple[HostGroup, ...]
    """The largest first."""
    failed: tuple[FailedHost, ...]
    waves: Waves
    order: Order
    unused: tuple[str, ...]
    """A message for each file of answers that is for none of these hosts, and for each rule that is for none,
    is over, or is not obeyed."""
    violations: tuple[Violation, ...] = ()
    """The rules of the shop that are over, then those that some plan does not obey."""

    @property
    def is_whole(self) -> bool:
        """Whether every host was planned and every answer is for one."""
        return not self.failed and not self.unused

    @property
    def messages(self) -> tuple[str, ...]:
        """Those of `unused` that are about no violation."""
        violations = frozenset(violation.text for violation in self.violations)
        return tuple(text for text in self.unused if text not in violations)

    @property
    def troubles(self) -> Mapping[str, tuple[str, ...]]:
        """The hosts by each kind of trouble that no setting mends, what most hosts have first."""
        hosts = dict[str, list[str]]()
        for group in self.groups:
            for host in group.hosts:
                for kind in host.troubles:
                    hosts.setdefault(kind, []).append(host.host)
        ordered = sorted(hosts.items(), key=lambda entry: -len(entry[1]))
        return {kind: tuple(names) for kind, names in ordered}

    @property
    def count(self) -> int:
        """The hosts that were planned."""
        return sum(len(host_group.hosts) for host_group in self.groups)

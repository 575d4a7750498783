"""What is wrong with each host of a fleet, the worst first: the few to look at among thousands."""

from __future__ import annotations

from collections import defaultdict

from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import Drift, drift_in, outliers
from tunewiz.core.fleet.history import FIRST, HostValueChange, SinceLast
from tunewiz.core.fleet.hosts import HostPlan
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class HostConcerns:
    """One host."""

    plan: HostPlan
    group: str
    outlier: bool
    """Whether its group differs from a far larger one."""
    drift: tuple[Drift, ...]
    """Its values that most hosts of the group do not have."""
    changed: tuple[HostValueChange, ...]
    """Its values that have drifted since the last collection."""

    @property
    def weight(self) -> tuple[int, ...]:
        """The more, the worse: broken rules before drift, drift before trouble that no setting mends."""
        plan = self.plan
        return (
            len(plan.broken),
            len(plan.against),
            len(self.changed) + len(self.drift),
            len(plan.troubles),
            int(self.outlier),
        )


def concerns_of(fleet: Fleet, since: SinceLast = FIRST) -> tuple[HostConcerns, ...]:
    """Every host, the worst first; those of equal weight by name."""
    apart = outliers(fleet.groups)
    changed = defaultdict[str, list[HostValueChange]](list)
    for change in since.drifted:
        changed[change.host].append(change)
    result = list[HostConcerns]()
    for group in fleet.groups:
        drift = defaultdict[str, list[Drift]](list)
        for value in drift_in(group):
            drift[value.host].append(value)
        result += (
            HostConcerns(
                plan=host,
                group=group.name,
                outlier=group.name in apart,
                drift=tuple(drift[host.host]),
                changed=tuple(changed[host.host]),
            )
            for host in group.hosts
        )
    return tuple(sorted(result, key=_worst_first))


def _worst_first(concerns: HostConcerns) -> tuple[tuple[int, ...], str]:
    return tuple(-count for count in concerns.weight), concerns.plan.host


def worrying(fleet: Fleet, since: SinceLast = FIRST) -> tuple[HostConcerns, ...]:
    """The hosts with any concern, the worst first."""
    return tuple(concerns for concerns in concerns_of(fleet, since) if any(concerns.weight))

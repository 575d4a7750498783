"""A group of hosts at a glance: its decisions, what differs among its hosts, and whether it is an outlier."""

from __future__ import annotations

from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import Apart, Drift, HostGroup, drift_in, outliers
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NotApart:
    """A group that is not an outlier."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupSummary:
    """One group."""

    group: HostGroup
    changes: int
    advice: int
    differs: tuple[str, ...]
    """Names of the settings whose value is not the same on all hosts."""
    drift: tuple[Drift, ...]
    apart: Apart | NotApart
    restarts: int
    """Hosts on which PostgreSQL is restarted."""


def summaries(fleet: Fleet) -> tuple[GroupSummary, ...]:
    """Every group, in the order of the fleet."""
    apart = outliers(fleet.groups)
    return tuple(
        GroupSummary(
            group=group,
            changes=sum(decision.state == "change" for decision in group.decisions),
            advice=sum(decision.state == "advise" for decision in group.decisions),
            differs=tuple(decision.name for decision in group.differs),
            drift=tuple(drift_in(group)),
            apart=apart.get(group.name, NotApart()),
            restarts=sum(host.restart for host in group.hosts),
        )
        for group in fleet.groups
    )

"""A group of hosts at a glance: its decisions, what differs among its hosts, and whether it is an outlier."""

from __future__ import annotations

from dataclasses import dataclass

from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import Apart, Drift, Group, drift_in, outliers


@dataclass(frozen=True, kw_only=True, slots=True)
class NotApart:
    """A group that is not an outlier."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """One group."""

    group: Group
    changes: int
    advice: int
    differs: tuple[str, ...]
    """Names of the settings whose value is not the same on all hosts."""
    drift: tuple[Drift, ...]
    apart: Apart | NotApart
    restarts: int
    """Hosts on which PostgreSQL is restarted."""


def summaries(fleet: Fleet) -> tuple[Summary, ...]:
    """Every group, in the order of the fleet."""
    apart = outliers(fleet.groups)
    return tuple(
        Summary(
            group=group,
            changes=sum(each.state == "change" for each in group.decisions),
            advice=sum(each.state == "advise" for each in group.decisions),
            differs=tuple(each.name for each in group.differs),
            drift=tuple(drift_in(group)),
            apart=apart.get(group.name, NotApart()),
            restarts=sum(each.restart for each in group.hosts),
        )
        for group in fleet.groups
    )

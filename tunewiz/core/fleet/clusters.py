"""Hosts whose servers are one cluster, a primary and its standbys: what must be done first where.

A standby with less than its primary stops replaying, or does not start: see `core/server/standby.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from tunewiz.core.fleet.hosts import Bound, FailedHost, HostPlan
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """Which hosts must be finished before a host begins, and which are members of one cluster."""

    before: Mapping[str, frozenset[str]]
    cluster: Mapping[str, str]
    """By host, of those that share one."""


def clusters_of(plans: Iterable[HostPlan]) -> Mapping[str, tuple[HostPlan, ...]]:
    """Groups of two or more hosts, by their system identifier.

    Where all are primaries, they are copies of one template and not a cluster.
    """
    clusters = dict[str, list[HostPlan]]()
    for plan in plans:
        if plan.cluster:
            clusters.setdefault(plan.cluster, []).append(plan)
    return {name: tuple(members) for name, members in clusters.items() if _replicate(members)}


def _replicate(members: list[HostPlan]) -> bool:
    return len(members) > 1 and any(member.role != "primary" for member in members)


def order_of(plans: Iterable[HostPlan]) -> Order:
    """The order within every cluster; clusters without a safe order must be left out."""
    clusters = clusters_of(plans)
    before = dict[str, set[str]]()
    for members in clusters.values():
        for first, then in _edges(members):
            before.setdefault(then, set()).add(first)
    return Order(
        before={host: frozenset(others) for host, others in before.items()},
        cluster={member.host: name for name, members in clusters.items() for member in members},
    )


def misfits(plans: Iterable[HostPlan]) -> Iterator[FailedHost]:
    """Every host of a cluster that cannot be changed as planned, with the reason."""
    for members in clusters_of(plans).values():
        if why := _why_not(members):
            names = ", ".join(host.host for host in members)
            for member in members:
                yield FailedHost(host=member.host, source=member.source, why=f"the cluster of {names}: {why}")


def _why_not(members: tuple[HostPlan, ...]) -> str:
    majors = sorted({member.major for member in members})
    if len(majors) > 1:
        text = ", ".join(f"{member.host} has {member.major}" for member in members)
        return f"found several major versions ({text}), expected one: collect the facts again"
    if unknown := [member.host for member in members if not member.role and _moves(member)]:
        order = f"{_moved(members)} must be changed in order"
        return f"{order}, but it is unknown whether {unknown[0]} is the primary"
    return _why_too_low(members) or _why_no_order(members)


def _moves(host: HostPlan) -> bool:
    return any(bound.before != bound.after for bound in host.bound)


def _moved(members: tuple[HostPlan, ...]) -> str:
    return ", ".join(
        sorted({bound.name for host in members for bound in host.bound if bound.before != bound.after})
    )


def _pairs(members: tuple[HostPlan, ...]) -> Iterator[tuple[HostPlan, HostPlan, Bound, Bound]]:
    """Every standby beside every primary, setting by setting; the standby first."""
    for standby in (member for member in members if member.role == "standby"):
        for primary in (member for member in members if member.role == "primary"):
            for less, more in zip(standby.bound, primary.bound, strict=True):
                yield standby, primary, less, more


def _why_too_low(members: tuple[HostPlan, ...]) -> str:
    """With several primaries (copies that were promoted), it is unknown which standby follows which."""
    if sum(member.role == "primary" for member in members) != 1:
        return ""
    for standby, primary, less, more in _pairs(members):
        if less.after < more.after and less.before >= more.before:
            return (
                f"{less.name} would be {less.after} on the standby {standby.host} and {more.after} on its "
                f"primary {primary.host}; expected at least as much on the standby: set one value for "
                "both in the answers"
            )
    return ""


def _why_no_order(members: tuple[HostPlan, ...]) -> str:
    graph = TopologicalSorter[str]()
    for first, then in _edges(members):
        graph.add(then, first)
    try:
        graph.prepare()
    except CycleError:
        moved = _moved(members)
        return f"{moved}: some are raised and some lowered, so no order of hosts is safe: decline one of them"
    return ""


def _edges(members: tuple[HostPlan, ...]) -> set[tuple[str, str]]:
    """For every host, the hosts that must be finished before it."""
    edges = set[tuple[str, str]]()
    for standby, primary, less, more in _pairs(members):
        if more.after > more.before and less.before < more.after:
            edges.add((standby.host, primary.host))
        if less.after < less.before and less.after < more.before:
            edges.add((primary.host, standby.host))
    return edges

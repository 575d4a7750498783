"""A fleet in numbers over time, for whoever draws graphs of it and wakes people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, time

from tunewiz.core.fleet.concerns import HostConcerns, concerns_of
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.history import SinceLast
from tunewiz.core.fleet.policy import PolicyRule
from tunewiz.core.values.record import dataclass

NO_LABELS: Mapping[str, str] = {}


@dataclass(frozen=True, kw_only=True, slots=True)
class GaugeSample:
    """One number."""

    labels: Mapping[str, str]
    value: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Gauge:
    """A gauge with its samples."""

    name: str
    about: str
    samples: tuple[GaugeSample, ...]


def metrics_of(fleet: Fleet, since: SinceLast, rules: Iterable[PolicyRule]) -> tuple[Gauge, ...]:
    """All of them, in a fixed order; those of hosts by name."""
    hosts = sorted(concerns_of(fleet, since), key=lambda concerns: concerns.plan.host)
    return (
        _one("hosts", "Hosts that were planned.", fleet.count),
        _one("hosts_not_planned", "Hosts that could not be planned.", len(fleet.failed)),
        _one("groups", "Groups of hosts with the same decisions.", len(fleet.groups)),
        _one("hosts_gone", "Hosts of the last collection without facts in this one.", len(since.gone)),
        *_by_host(hosts),
        *_of_rules(fleet, rules),
        *_collected(since),
    )


def _one(name: str, about: str, value: int) -> Gauge:
    return Gauge(
        name=f"tunewiz_fleet_{name}", about=about, samples=(GaugeSample(labels=NO_LABELS, value=value),)
    )


def _by_host(hosts: Iterable[HostConcerns]) -> Iterator[Gauge]:
    rows = [(_labels(concerns), _numbers(concerns)) for concerns in hosts]
    for name, about in _OF_HOSTS.items():
        samples = tuple(GaugeSample(labels=labels, value=numbers[name]) for labels, numbers in rows)
        yield Gauge(name=f"tunewiz_fleet_host_{name}", about=about, samples=samples)


_OF_HOSTS = {
    "changes": "Values that the plan changes.",
    "changed_values": "Values that changed since the last collection and that no plan asked for.",
    "values_unlike_group": "Values that most hosts of the group do not have.",
    "policy_broken": "Rules of the shop that the plan does not obey.",
    "policy_not_kept": "Rules of the shop that the values in force do not keep.",
    "troubles": "Kinds of trouble that no setting mends.",
}


def _labels(concerns: HostConcerns) -> Mapping[str, str]:
    return {"host": concerns.plan.host, "major": concerns.plan.major}


def _numbers(concerns: HostConcerns) -> Mapping[str, int]:
    plan = concerns.plan
    return {
        "changes": len(plan.off_plan),
        "changed_values": len(concerns.changed),
        "values_unlike_group": len(concerns.drift),
        "policy_broken": len(plan.broken),
        "policy_not_kept": len(plan.against),
        "troubles": len(plan.troubles),
    }


def _of_rules(fleet: Fleet, rules: Iterable[PolicyRule]) -> Iterator[Gauge]:
    """Rules that differ in their hosts alone are one series: the first end, and the hosts of all."""
    hosts, ends = dict[tuple[str, str], int](), dict[tuple[str, str], int]()
    for rule in rules:
        key = rule.demands[0], rule.owner
        hosts[key] = hosts.get(key, 0)
        if rule.until is not None:
            end = int(datetime.combine(rule.until, time.max, UTC).timestamp()) + 1
            ends[key] = min(end, ends.get(key, end))
    for violation in fleet.violations:
        hosts[violation.rule.demands[0], violation.rule.owner] += len(violation.hosts)
    for name, about, values in (
        ("policy_rule_hosts_broken", "Hosts whose plans do not obey a rule of the shop.", hosts),
        ("policy_rule_end_seconds", "When a rule of the shop expires, in seconds since 1970.", ends),
    ):
        samples = (
            GaugeSample(labels={"rule": rule, "owner": owner}, value=value)
            for (rule, owner), value in sorted(values.items())
        )
        yield Gauge(name=f"tunewiz_fleet_{name}", about=about, samples=tuple(samples))


def _collected(since: SinceLast) -> Iterator[Gauge]:
    """When these facts were first seen; nothing without a history."""
    if since.trend:
        about = "When this collection was recorded, in seconds since 1970."
        yield _one("collection_timestamp_seconds", about, since.trend[-1].at)

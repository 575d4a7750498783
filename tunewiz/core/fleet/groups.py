"""Groups of hosts with the same decisions, to be reviewed once; their differences, drift and outliers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from tunewiz.core.fleet.hosts import HostDecision, HostPlan
from tunewiz.core.values.record import dataclass

MOST = Fraction(3, 4)
"""From this share of a group with the same value, any other value is drift."""
FEWEST_TO_DRIFT_FROM = 3
"""Fewest hosts for drift: with two, neither is the one that drifted."""
FEW = Fraction(1, 20)
"""The largest share of all hosts for an outlier (or a single host), next to a far larger group."""
FAR_LARGER = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Drift:
    """A value that is in force on a host, and not on most hosts of its group."""

    host: str
    name: str
    found: str
    most: str
    share: Fraction
    """Of the group, those that have it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Apart:
    """How a small group differs from a larger one."""

    nearest: str
    """The name of the larger one."""
    differences: tuple[str, ...]
    """A sentence for each decision that differs, without its full stop."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HostGroup:
    """Hosts of one major version with equal decisions."""

    name: str
    """`pg15-1`; the largest group of a major version first."""
    major: str
    hosts: tuple[HostPlan, ...]
    """In the order of their names."""

    @property
    def decisions(self) -> tuple[HostDecision, ...]:
        """The same for all hosts."""
        return self.hosts[0].decisions

    @property
    def differs(self) -> Mapping[HostDecision, tuple[str, ...]]:
        """The decisions whose value is not the same everywhere, with the values in the order of the hosts."""
        columns = zip(*(host.values for host in self.hosts), strict=True)
        result = zip(self.decisions, columns, strict=True)
        return {decision: column for decision, column in result if len({*column}) > 1}

    def values(self, decision: HostDecision) -> tuple[str, ...]:
        """What the hosts get, without repetitions."""
        index = self.decisions.index(decision)
        return tuple(dict.fromkeys(host.values[index] for host in self.hosts))

    def today(self, decision: HostDecision) -> tuple[str, ...]:
        """What the hosts have today, without repetitions."""
        index = self.decisions.index(decision)
        return tuple(dict.fromkeys(host.today[index] for host in self.hosts))


def grouped(plans: Iterable[HostPlan]) -> tuple[HostGroup, ...]:
    """All groups, the largest first; nothing depends on the order of the hosts."""
    result = dict[tuple[str, tuple[HostDecision, ...]], list[HostPlan]]()
    for plan in sorted(plans, key=lambda host: host.host):
        result.setdefault((plan.major, plan.decisions), []).append(plan)
    ordered = sorted(result.items(), key=lambda item: (-len(item[1]), item[1][0].host))
    counted, groups = Counter[str](), list[HostGroup]()
    for (major, _), hosts in ordered:
        counted[major] += 1
        groups.append(HostGroup(name=f"pg{major}-{counted[major]}", major=major, hosts=tuple(hosts)))
    return tuple(groups)


def drift_in(group: HostGroup) -> Iterator[Drift]:
    """Every value in force that is not what most hosts of the group have, host by host."""
    total = len(group.hosts)
    if total < FEWEST_TO_DRIFT_FROM:
        return
    result = defaultdict[str, Counter[str]](Counter)
    for host in group.hosts:
        for name, value in zip(host.read, host.now, strict=True):
            result[name][value] += 1
    usual = {name: values.most_common(1)[0] for name, values in result.items() if len(values) > 1}
    usual = {name: most for name, most in usual.items() if most[1] >= total * MOST}
    for host in group.hosts:
        for name, value in zip(host.read, host.now, strict=True):
            if name in usual and value != usual[name][0]:
                most, count = usual[name]
                yield Drift(host=host.host, name=name, found=value, most=most, share=Fraction(count, total))


def outliers(groups: Sequence[HostGroup]) -> Mapping[str, Apart]:
    """The small groups by name, each with the larger one that it is most like."""
    total = sum(len(host_group.hosts) for host_group in groups)
    result = dict[str, Apart]()
    for group in groups:
        size = len(group.hosts)
        larger = [host_group for host_group in groups if len(host_group.hosts) >= FAR_LARGER * size]
        if larger and size <= max(Fraction(1), total * FEW):
            results = {host_group.name: tuple(differences(group, host_group)) for host_group in larger}
            nearest = min(larger, key=lambda host_group: len(results[host_group.name])).name
            result[group.name] = Apart(nearest=nearest, differences=results[nearest])
    return result


def differences(group: HostGroup, other: HostGroup) -> Iterator[str]:
    """What is decided in one group and not, or not so, in the other."""
    if group.major != other.major:
        yield f"PostgreSQL {group.major}, not {other.major}"
    here = {decision.id: decision for decision in group.decisions}
    there = {decision.id: decision for decision in other.decisions}
    for name in sorted({*here, *there}):
        match here.get(name), there.get(name):
            case HostDecision() as one, None:
                yield f"{one.name}: {_brief(one)}, left as it is there"
            case None, HostDecision() as one:
                yield f"{one.name}: left as it is, there {_brief(one)}"
            case HostDecision() as one, HostDecision() as two if one != two:
                yield f"{one.name}: {_brief(one)}, there {_brief(two)}"
            case _:
                pass


def _brief(decision: HostDecision) -> str:
    value = decision.value or "a size that differs by host"
    text = value if decision.state == "change" else f"advice ({value})"
    return f"{text}, {decision.decided}" if decision.decided else text

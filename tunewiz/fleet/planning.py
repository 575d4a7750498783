"""A fleet from the files of its facts: planned, grouped and ordered, with the hosts that failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from tunewiz.core.fleet.clusters import misfits, order_of
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import grouped
from tunewiz.core.fleet.hosts import FailedHost, HostPlan, HostResult
from tunewiz.core.fleet.policy import PolicyRule
from tunewiz.core.fleet.violations import Violation
from tunewiz.core.fleet.waves import waves_of
from tunewiz.core.values.plural import how_many
from tunewiz.fleet.answers import FleetAnswers
from tunewiz.fleet.one_host import plan_host
from tunewiz.fleet.workers import for_each

Progress: TypeAlias = Callable[[int], None]
"""Called with the number of hosts that are done."""


def plan_fleet(files: Sequence[str], answers: FleetAnswers, progress: Progress) -> Fleet:
    """Read and plan every host, one file each; a host that cannot be planned does not stop the others."""
    return fleet_of(plan_hosts(files, answers, progress), answers)


def plan_hosts(files: Sequence[str], answers: FleetAnswers, progress: Progress) -> tuple[HostResult, ...]:
    """Each host by itself, in the order of the files."""
    result = list[HostResult]()
    for count, host in enumerate(_each(files, answers), start=1):
        progress(count)
        result.append(host)
    return tuple(result)


def fleet_of(results: Iterable[HostResult], answers: FleetAnswers) -> Fleet:
    """The groups of these hosts, their order, and what contradicts each other."""
    planned, failed = list[HostPlan](), list[FailedHost]()
    for result in results:
        if isinstance(result, FailedHost):
            failed.append(result)
        else:
            planned.append(result)
    known = {host.host: host.role for host in planned}
    for check in (_twice, misfits):
        refused = tuple(check(planned))
        sources = {failure.source for failure in refused}
        planned = [host for host in planned if host.source not in sources]
        failed += refused
    groups, order = grouped(planned), order_of(planned)
    broken = tuple(_broken(planned, answers))
    expired = () if answers.policy is None else tuple(answers.policy.expirations())
    return Fleet(
        groups=groups,
        failed=tuple(sorted(failed, key=lambda failure: (failure.host, failure.source))),
        waves=waves_of((host_group.hosts for host_group in groups), order),
        order=order,
        unused=(*answers.unused(known), *(violation.text for violation in broken)),
        violations=(*expired, *broken),
    )


def _each(files: Sequence[str], answers: FleetAnswers) -> Iterator[HostResult]:
    """Equal parts of many hosts become one object: tens of thousands of hosts fit into memory."""
    shared = dict[object, Any]()
    texts = dict[str, str]()
    for host in for_each(partial(plan_host, answers=answers), files):
        if isinstance(host, FailedHost):
            yield host
            continue
        yield replace(
            host,
            decisions=shared.setdefault(host.decisions, host.decisions),
            read=shared.setdefault(host.read, host.read),
            bound=shared.setdefault(host.bound, host.bound),
            values=tuple(texts.setdefault(value, value) for value in host.values),
            today=tuple(texts.setdefault(value, value) for value in host.today),
            now=tuple(texts.setdefault(value, value) for value in host.now),
        )


def _broken(planned: Iterable[HostPlan], answers: FleetAnswers) -> Iterator[Violation]:
    """The rules of the shop that some plan does not obey."""
    if (policy := answers.policy) is None:
        return
    hosts = defaultdict[PolicyRule, list[tuple[str, str]]](list)
    for host in sorted(planned, key=lambda plan: plan.host):
        rules = {rule.demands[0]: rule for rule in answers.rules(host.host, host.role)}
        for demand, why in host.broken:
            hosts[rules[demand]].append((host.host, why))
    for rule, broken in hosts.items():
        (first, why), count = broken[0], how_many(len(broken), "host")
        yield Violation(
            kind="broken",
            rule=rule,
            file=policy.where,
            line=policy.line_of(rule),
            hosts=tuple(name for name, _ in broken),
            text=f"{policy.where}: {rule.demands[0]} does not hold on {count}: on {first} {why}",
        )


def _twice(planned: Iterable[HostPlan]) -> Iterator[FailedHost]:
    """Hosts with the name or machine id of another: it is unknown which facts are right."""
    same = defaultdict[tuple[str, str], list[HostPlan]](list)
    for host in planned:
        same["machine id", host.identity or host.source].append(host)
        same["name", host.host.casefold()].append(host)
    result = set[str]()
    for (what, _), hosts in sorted(same.items()):
        for host, other in zip(hosts, [*hosts[1:], hosts[0]], strict=True):
            if host is not other and host.source not in result:
                result.add(host.source)
                why = (
                    f"{host.source} and {other.source} have the same {what}, expected one file for each host"
                )
                yield FailedHost(host=host.host, source=host.source, why=why)

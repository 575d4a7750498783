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
from tunewiz.core.fleet.waves import waves_of
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
    found = list[HostResult]()
    for count, each in enumerate(_each(files, answers), start=1):
        progress(count)
        found.append(each)
    return tuple(found)


def fleet_of(results: Iterable[HostResult], answers: FleetAnswers) -> Fleet:
    """The groups of these hosts, their order, and what contradicts each other."""
    planned, failed = list[HostPlan](), list[FailedHost]()
    for each in results:
        if isinstance(each, FailedHost):
            failed.append(each)
        else:
            planned.append(each)
    known = {each.host for each in planned}
    for check in (_twice, misfits):
        refused = tuple(check(planned))
        sources = {each.source for each in refused}
        planned = [each for each in planned if each.source not in sources]
        failed += refused
    groups, order = grouped(planned), order_of(planned)
    return Fleet(
        groups=groups,
        failed=tuple(sorted(failed, key=lambda each: (each.host, each.source))),
        waves=waves_of((each.hosts for each in groups), order),
        order=order,
        unused=tuple(answers.unused(known)),
    )


def _each(files: Sequence[str], answers: FleetAnswers) -> Iterator[HostResult]:
    """Equal parts of many hosts become one object: tens of thousands of hosts fit into memory."""
    shared = dict[object, Any]()
    texts = dict[str, str]()
    for each in for_each(partial(plan_host, answers=answers), files):
        if isinstance(each, FailedHost):
            yield each
            continue
        yield replace(
            each,
            decisions=shared.setdefault(each.decisions, each.decisions),
            read=shared.setdefault(each.read, each.read),
            bound=shared.setdefault(each.bound, each.bound),
            values=tuple(texts.setdefault(value, value) for value in each.values),
            now=tuple(texts.setdefault(value, value) for value in each.now),
        )


def _twice(planned: Iterable[HostPlan]) -> Iterator[FailedHost]:
    """Hosts with the name or machine id of another: it is unknown which facts are right."""
    same = defaultdict[tuple[str, str], list[HostPlan]](list)
    for each in planned:
        same["machine id", each.identity or each.source].append(each)
        same["name", each.host.casefold()].append(each)
    told = set[str]()
    for (what, _), hosts in sorted(same.items()):
        for each, other in zip(hosts, [*hosts[1:], hosts[0]], strict=True):
            if each is not other and each.source not in told:
                told.add(each.source)
                why = (
                    f"{each.source} and {other.source} have the same {what}, expected one file for each host"
                )
                yield FailedHost(host=each.host, source=each.source, why=why)

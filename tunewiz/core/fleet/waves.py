"""The waves in which a fleet is changed: one host, a tenth, the rest; one member of a cluster at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import ceil
from typing import TypeAlias

from tunewiz.core.fleet.clusters import Order
from tunewiz.core.fleet.hosts import HostPlan

Waves: TypeAlias = tuple[tuple[str, ...], ...]

SECOND = Fraction(1, 10)
"""The second wave as a share of all hosts: large enough to show what one host does not."""


def waves_of(groups: Iterable[Sequence[HostPlan]], order: Order) -> Waves:
    """Hosts by wave, each once.

    Every group has a host in an early wave. No host depends on one in its own or a later wave, and no
    wave has two servers of a cluster, so that one of them always answers.
    """
    waiting = list(_alternating(groups))
    sizes = _sizes(len(waiting))
    done, waves = set[str](), list[tuple[str, ...]]()
    while waiting:
        wave = _next(waiting, next(sizes), done, order)
        waves.append(wave)
        done |= {*wave}
        waiting = [text for text in waiting if text not in done]
    return tuple(waves)


def _sizes(total: int) -> Iterator[int]:
    yield 1
    yield ceil(total * SECOND)
    while True:
        yield total


def _next(waiting: list[str], size: int, done: set[str], order: Order) -> tuple[str, ...]:
    wave, clusters = list[str](), set[str]()
    for host in waiting:
        cluster = order.cluster.get(host, "")
        if len(wave) < size and cluster not in clusters and order.before.get(host, frozenset()) <= done:
            wave.append(host)
            clusters |= {cluster} - {""}
    return tuple(wave)


def _alternating(groups: Iterable[Sequence[HostPlan]]) -> Iterator[str]:
    """A host of each group, the largest group first, then the next of each; primaries last."""
    ordered = sorted(groups, key=lambda results: -len(results))
    columns = (sorted(row, key=lambda host: (host.role == "primary", host.host)) for row in ordered)
    for row in zip_longest(*columns):
        yield from (entry.host for entry in row if entry is not None)

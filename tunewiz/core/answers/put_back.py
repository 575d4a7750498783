"""Takes back a correction by hand: one fact is again as it was read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from types import MappingProxyType

from tunewiz.core.facts.facts import Facts


def put_back(key: str, facts: Facts, read: Facts) -> Facts:
    """The facts with the correctable fact of that key as it was read."""
    return _AS_READ[key](facts, read)


def _cores(facts: Facts, read: Facts) -> Facts:
    cpu = dataclasses.replace(facts.cpu, cores=read.cpu.cores)
    return dataclasses.replace(facts, cpu=cpu)


def _memory(facts: Facts, read: Facts) -> Facts:
    total, available = read.memory.total, read.memory.available
    memory = dataclasses.replace(facts.memory, total=total, available=available)
    return dataclasses.replace(facts, memory=memory)


def _swap(facts: Facts, read: Facts) -> Facts:
    memory = dataclasses.replace(facts.memory, swap_total=read.memory.swap_total)
    return dataclasses.replace(facts, memory=memory)


def _huge_page(facts: Facts, read: Facts) -> Facts:
    memory = dataclasses.replace(facts.memory, huge_page_size=read.memory.huge_page_size)
    return dataclasses.replace(facts, memory=memory)


def _hypervisor(facts: Facts, read: Facts) -> Facts:
    virtualization = dataclasses.replace(facts.virtualization, hypervisor=read.virtualization.hypervisor)
    return dataclasses.replace(facts, virtualization=virtualization)


def _container(facts: Facts, read: Facts) -> Facts:
    virtualization = dataclasses.replace(facts.virtualization, container=read.virtualization.container)
    return dataclasses.replace(facts, virtualization=virtualization)


def _memory_limit(facts: Facts, read: Facts) -> Facts:
    limits = dataclasses.replace(facts.limits, memory=read.limits.memory)
    return dataclasses.replace(facts, limits=limits)


def _memory_high(facts: Facts, read: Facts) -> Facts:
    limits = dataclasses.replace(facts.limits, memory_high=read.limits.memory_high)
    return dataclasses.replace(facts, limits=limits)


def _cpu_limit(facts: Facts, read: Facts) -> Facts:
    limits = dataclasses.replace(facts.limits, cpus=read.limits.cpus)
    return dataclasses.replace(facts, limits=limits)


_AS_READ: Mapping[str, Callable[[Facts, Facts], Facts]] = MappingProxyType(
    {
        "cpu.cores": _cores,
        "memory.total": _memory,
        "memory.swap_total": _swap,
        "memory.huge_page_size": _huge_page,
        "virtualization.hypervisor": _hypervisor,
        "virtualization.container": _container,
        "limits.memory": _memory_limit,
        "limits.memory_high": _memory_high,
        "limits.cpus": _cpu_limit,
    }
)

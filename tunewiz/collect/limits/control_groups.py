"""What the control groups allow: the smallest limit over a group and all its ancestors that can be seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from tunewiz.collect import file_values
from tunewiz.collect.limits.cgroup_paths import ControlGroup, Controller, find_group, read_membership
from tunewiz.collect.limits.cpusets import cores_of, count_of, read_allowed
from tunewiz.collect.limits.size_limits import UNLIMITED_V1, huge_pages_reader, size_limit
from tunewiz.collect.storage.mounts import Mount
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import Limits
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown
from tunewiz.core.values.units import Bytes

T = TypeVar("T", Bytes, float)

_HIERARCHICAL = re.compile(r"^hierarchical_memory_limit ([0-9]{1,20})$", re.MULTILINE)
_CPU_MAX = re.compile(r"([0-9]{1,15}|max) ([1-9][0-9]{0,14})")


def read_limits(
    system: System,
    mounts: Fact[tuple[Mount, ...]],
    processes: tuple[str, ...],
    online: Fact[frozenset[int]],
    huge_page: MaybeFact[Bytes],
) -> Limits:
    """The limits of the first of the processes whose group can be read.

    Args:
        system: The machine.
        mounts: Its mounted file systems.
        processes: Their numbers, or `self`.
        online: Its processors.
        huge_page: The usual size of huge pages.
    """
    table = mounts.value if isinstance(mounts, Known) else ()
    result = [_of_process(system, table, process, online) for process in processes]
    result = [
        replace(limits, huge_pages=_huge_pages(system, table, process, huge_page))
        for limits, process in zip(result, processes, strict=True)
    ]
    readable = (limits for limits in result if not isinstance(limits.memory, Unknown))
    return next(readable, result[0])


def _of_process(
    system: System, table: tuple[Mount, ...], process: str, online: Fact[frozenset[int]]
) -> Limits:
    path = f"/proc/{process}/cgroup"
    membership = read_membership(system, process)
    if not isinstance(membership, Known):
        return Limits(
            cgroup_version=membership,
            memory=membership,
            memory_high=membership,
            cpus=membership,
            cpuset=membership,
            cpuset_cores=membership,
        )
    memory = find_group(system, membership.value, table, "memory")
    cpu = find_group(system, membership.value, table, "cpu")
    allowed = read_allowed(system, path, find_group(system, membership.value, table, "cpuset"), online)
    return Limits(
        cgroup_version=_version(path, memory, cpu),
        memory=_smallest(system, path, "memory", memory, _memory),
        memory_high=_smallest(system, path, "memory", memory, _memory_high),
        cpus=_smallest(system, path, "cpu", cpu, _cpus),
        cpuset=count_of(allowed),
        cpuset_cores=cores_of(system, allowed),
    )


def _huge_pages(
    system: System, table: tuple[Mount, ...], process: str, size: MaybeFact[Bytes]
) -> MaybeFact[Bytes]:
    membership = read_membership(system, process)
    if not isinstance(membership, Known):
        return membership
    if not isinstance(size, Known):
        return size
    group = find_group(system, membership.value, table, "hugetlb")
    return _smallest(system, f"/proc/{process}/cgroup", "hugetlb", group, huge_pages_reader(size.value))


def _version(path: str, *groups: ControlGroup | None) -> MaybeFact[int]:
    versions = [group.version for group in groups if group]
    return Known(min(versions), path) if versions else Absent(f"no memory or cpu controller: {path}")


def _smallest(
    system: System,
    path: str,
    controller: Controller,
    group: ControlGroup | None,
    limit: Callable[[System, str, int], MaybeFact[T]],
) -> MaybeFact[T]:
    """The smallest known limit; unknown where there is none and a level could not be read."""
    if group is None:
        return Absent(f"no {controller} controller: {path}")
    levels = [
        _level(system, controller, group, folder, limit(system, folder, group.version))
        for folder in group.folders
    ]
    known = [level for level in levels if isinstance(level, Known)]
    if known:
        return min(known, key=lambda level: level.value)
    unknown = [level for level in levels if isinstance(level, Unknown)]
    return unknown[0] if unknown else Absent(f"no {controller} limit up to {group.folders[0]}")


def _level(
    system: System, controller: Controller, group: ControlGroup, folder: str, fact: MaybeFact[T]
) -> MaybeFact[T]:
    """Version 2: no file means no limit at the root, and where the controller is not switched on."""
    if group.version == 1 or not isinstance(fact, Unknown):
        return fact
    controllers = file_values.text(system, f"{folder}/cgroup.controllers")
    is_root = group.whole and folder == group.folders[0]
    off = isinstance(controllers, Known) and controller not in controllers.value.split()
    return Absent(f"no {controller} limit at {folder}") if is_root or off else fact


def _memory(system: System, folder: str, version: int) -> MaybeFact[Bytes]:
    name = "memory.limit_in_bytes" if version == 1 else "memory.max"
    content = file_values.text(system, f"{folder}/{name}")
    if content == Known("max", f"{folder}/{name}"):
        return Absent(f"max: {folder}/{name}")
    fact = file_values.converted(content, file_values.as_integer, "bytes")
    hidden = _hidden_limit(system, folder) if version == 1 else fact
    candidates = [one for one in (fact, hidden) if isinstance(one, Known) and one.value >= 0]
    if not candidates:
        return (
            fact if isinstance(fact, Unknown) else Unknown(f"expected bytes, found {fact.value}: {fact.how}")
        )
    least = min(candidates, key=lambda one: one.value)
    if least.value >= UNLIMITED_V1:
        return Absent(f"unlimited: {least.how}")
    return Known(Bytes(least.value), least.how)


def _memory_high(system: System, folder: str, version: int) -> MaybeFact[Bytes]:
    """Above it the kernel takes memory back and makes the group wait; only version 2 has it."""
    if version == 1:
        return Absent(f"version 1 has no memory.high: {folder}")
    return size_limit(system, f"{folder}/memory.high")


def _hidden_limit(system: System, folder: str) -> Fact[int]:
    """Version 1 tells the smallest limit of ancestors that a container cannot see."""
    content = file_values.text(system, f"{folder}/memory.stat")
    matched = _HIERARCHICAL.search(content.value) if isinstance(content, Known) else None
    if matched is None:
        return Unknown(f"no hierarchical_memory_limit: {folder}/memory.stat")
    return Known(int(matched[1]), f"{folder}/memory.stat: hierarchical_memory_limit")


def _cpus(system: System, folder: str, version: int) -> MaybeFact[float]:
    if version == 1:
        return _cpus_v1(system, folder)
    content = file_values.text(system, f"{folder}/cpu.max")
    matched = _CPU_MAX.fullmatch(content.value) if isinstance(content, Known) else None
    match content, matched:
        case Known(_, how), re.Match() as pair:
            return Absent(f"max: {how}") if pair[1] == "max" else Known(int(pair[1]) / int(pair[2]), how)
        case Known(name, how), _:
            return Unknown(f"expected a quota and a period, found {name[:40]!r}: {how}")
        case Unknown(), _:
            return content


def _cpus_v1(system: System, folder: str) -> MaybeFact[float]:
    quota = file_values.number(system, f"{folder}/cpu.cfs_quota_us")
    period = file_values.number(system, f"{folder}/cpu.cfs_period_us")
    match quota, period:
        case Known(-1, how), _:
            return Absent(f"-1: {how}")
        case Known(time, how), Known(of) if time > 0 and of > 0:
            return Known(time / of, how)
        case Unknown(), _:
            return quota
        case _, Unknown():
            return period
        case _:
            return Unknown(f"expected a quota and a period above 0: {folder}/cpu.cfs_quota_us")

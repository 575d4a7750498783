"""Cores and sockets as far as /proc/cpuinfo alone shows them, for captures without sysfs."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.collect import file_values
from tunewiz.collect.cpu.core_ids import checked_cores
from tunewiz.collect.cpu.cpuinfo import PATH, CpuInfo
from tunewiz.collect.cpu.topology import MAX_THREADS, Topology
from tunewiz.core.values.known import Fact, Known, Unknown

_SOCKET = ("drawer id", "book id", "physical id")


def listed_topology(info: CpuInfo, online: frozenset[int]) -> Fact[Topology]:
    """Group the online processors by the ids in their stanzas."""
    stanzas = {cpu: info.processors.get(cpu, {}) for cpu in online}
    if not info.whole:
        return Unknown(f"some processors are cut off: {PATH}")
    cores = _by_ids(info, stanzas) or _alone(info, stanzas) or _by_threads(info, sorted(online))
    if not cores:
        return Unknown(f"the processors have no core id: {PATH}")
    return Known(
        Topology(
            cores=tuple(cores),
            sockets=_distinct(stanzas, _SOCKET),
            books=_distinct(stanzas, _SOCKET[:2]),
            drawers=_distinct(stanzas, _SOCKET[:1]),
        ),
        PATH,
    )


def _place(fields: Mapping[str, str], keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(fields.get(key, "") for key in keys)


def _by_ids(info: CpuInfo, stanzas: Mapping[int, Mapping[str, str]]) -> list[frozenset[int]]:
    cores = dict[tuple[str, ...], set[int]]()
    for cpu, fields in stanzas.items():
        if "core id" not in fields:
            return []
        cores.setdefault(_place(fields, (*_SOCKET, "core id")), set()).add(cpu)
    return list(checked_cores(info, [frozenset(core) for core in cores.values()]))


def _alone(info: CpuInfo, stanzas: Mapping[int, Mapping[str, str]]) -> list[frozenset[int]]:
    """Each processor is a core: x86 prints no ids for a single thread (arch/x86/kernel/cpu/proc.c)."""
    single_x86 = bool(info.first("flags")) and not info.first("siblings", "core id")
    return [frozenset({cpu}) for cpu in stanzas] if single_x86 or len(stanzas) == 1 else []


def _by_threads(info: CpuInfo, online: list[int]) -> list[frozenset[int]]:
    """s390x: `max thread id : 1` says two threads a core, numbered one after the other."""
    if info.first("vendor_id") != "IBM/S390":
        return []
    last = file_values.as_integer(info.first("max thread id")) or 0
    threads = last + 1 if 0 < last < MAX_THREADS else 1
    cores = dict[int, set[int]]()
    for cpu in online:
        cores.setdefault(cpu // threads, set()).add(cpu)
    return [frozenset(core) for core in cores.values()]


def _distinct(stanzas: Mapping[int, Mapping[str, str]], keys: tuple[str, ...]) -> Fact[int]:
    places = {_place(fields, keys) for fields in stanzas.values() if keys[-1] in fields}
    if not places or len(places) > len(stanzas):
        return Unknown(f"the processors have no {keys[-1]}: {PATH}")
    return Known(len(places), PATH)

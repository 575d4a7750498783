"""More about processors: which are offline, of which kinds, how a hypervisor dispatches them."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.cpu.model import S390_VENDOR, part_of
from tunewiz.collect.cpu.online import FOLDER, read_present
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import CoreKind
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

_INTEL = ("core", "atom", "lowpower")
"""Kinds whose counters the kernel keeps apart, each with a list: /sys/devices/cpu_core/cpus."""
_MODES: Mapping[str, str] = {"0": "horizontal", "1": "vertical"}
"""What `dispatching` says (kernel: arch/s390/kernel/topology.c)."""
_RATED = f"{FOLDER}/cpu{{}}/acpi_cppc/nominal_perf"
_ALIKE = f"no different kinds: /sys/devices/cpu_*, {FOLDER}"
_ALIKE_EVER = (S390_VENDOR, "POWER")
"""No such machine has cores of several kinds."""
_STEAL = 7
"""Place of stolen time in /proc/stat, after user, nice, system, idle, iowait, irq and softirq."""


def read_offline(system: System, online: Fact[frozenset[int]]) -> Fact[int]:
    """How many processors are present and not online; POWER has folders of some that are not there."""
    if not isinstance(online, Known):
        return online
    match read_present(system, online.value):
        case Known(numbers, how):
            return Known(len(numbers - online.value), how)
        case Unknown() as unknown:
            return unknown


def read_kinds(
    system: System, online: Fact[frozenset[int]], cpuinfo: Fact[CpuInfo]
) -> MaybeFact[tuple[CoreKind, ...]]:
    """The kinds of cores with their processors, the first kind first."""
    if not isinstance(online, Known):
        return online
    if isinstance(cpuinfo, Unknown) and not system.complete:
        return cpuinfo
    for kinds, how in (_of_intel(system, online.value), _of_arm(cpuinfo, online.value)):
        if len(kinds) > 1:
            return Known(tuple(CoreKind(name=name, online=count) for name, count in kinds.items()), how)
    if isinstance(cpuinfo, Unknown) and not system.exists(FOLDER):
        return cpuinfo
    fact = _of_performance(system, online.value)
    never = isinstance(cpuinfo, Known) and cpuinfo.value.first("vendor_id", "cpu").startswith(_ALIKE_EVER)
    if isinstance(fact, Absent) and not never:
        return file_values.absent(system, "/sys/devices/cpu_*", fact.how)
    return fact


def _of_performance(system: System, online: frozenset[int]) -> MaybeFact[tuple[CoreKind, ...]]:
    """Cores that firmware rates differently at their base speed, the fastest kind first (ACPI CPPC)."""
    if not any(system.exists(_RATED.format(cpu)) for cpu in sorted(online)[:2]):
        return Absent(_ALIKE)
    result = dict[int, int]()
    for cpu in online:
        rate = file_values.number(system, _RATED.format(cpu))
        if not isinstance(rate, Known):
            return rate
        result[rate.value] = result.get(rate.value, 0) + 1
    if len(result) == 1:
        return Absent(_ALIKE)
    kinds = (
        CoreKind(name=f"performance {rate}", online=result[rate]) for rate in sorted(result, reverse=True)
    )
    return Known(tuple(kinds), _RATED.format("*"))


def _of_intel(system: System, online: frozenset[int]) -> tuple[Mapping[str, int], str]:
    result = dict[str, int]()
    for name in _INTEL:
        listed = file_values.processors(system, f"/sys/devices/cpu_{name}/cpus")
        if isinstance(listed, Known) and listed.value & online:
            result[name] = len(listed.value & online)
    return result, "/sys/devices/cpu_*/cpus"


def _of_arm(cpuinfo: Fact[CpuInfo], online: frozenset[int]) -> tuple[Mapping[str, int], str]:
    if not isinstance(cpuinfo, Known):
        return {}, ""
    result = dict[str, int]()
    for cpu in sorted(online):
        name = part_of(cpuinfo.value.processors.get(cpu, {}))
        if not name:
            return {}, ""
        result[name] = result.get(name, 0) + 1
    return result, f"{cpuinfo.how}: CPU part"


def read_dispatching(system: System, s390: Fact[bool]) -> MaybeFact[str]:
    """Only s390x lets its hypervisor choose between few full processors and many shared ones."""
    match s390:
        case Unknown():
            return s390
        case Known(value=True):
            content = file_values.text(system, f"{FOLDER}/dispatching")
            return file_values.converted(content, _MODES.get, "0 or 1")
        case Known():
            return Absent("only s390x machines are dispatched in one of two ways")


def read_steal(system: System) -> Fact[float]:
    """The stolen share of all time, over all processors since the start."""
    return file_values.converted(
        file_values.text(system, "/proc/stat"), _stolen, "a line `cpu` with its times"
    )


def _stolen(content: str) -> float | None:
    line = content.partition("\n")[0].split()
    times = [file_values.as_integer(field) for field in line[1:]]
    whole = [time for time in times if time is not None and time >= 0]
    # More must follow: the last number of a truncated line may lack digits.
    if line[:1] != ["cpu"] or len(whole) != len(times) or len(whole) < _STEAL + 2:
        return None
    total = sum(whole[: _STEAL + 1])
    return round(whole[_STEAL] / total, 4) if total else 0.0

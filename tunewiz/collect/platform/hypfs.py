"""What PR/SM counted for this partition's processors: the files of hypfs, where somebody mounted it.

They keep what they said when hypfs was mounted or last updated (kernel: arch/s390/hypfs); nothing is written
here, so they are not brought up to date. The partition's own directory bears its name, which is not kept.
"""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.platform.sysinfo import Sysinfo
from tunewiz.collect.system import System
from tunewiz.core.facts.partition import ProcessorTime
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

HYPFS = "/sys/hypervisor/s390"
"""Where it is mounted by convention."""
_OF_PARTITIONS = "LPAR Hypervisor"
_NAME = re.compile(r"[A-Z0-9$#@_-]{1,8}")
_HOW = f"{HYPFS}/systems/*/cpus"


def read_firmware_time(
    system: System, sysinfo: Fact[Sysinfo], hypervisor: Fact[str]
) -> MaybeFact[ProcessorTime]:
    """The time of all cores of this partition; absent where no firmware counts it, or nobody mounted it."""
    match hypervisor:
        case Unknown():
            return Unknown("it depends on the hypervisor, which is not known")
        case Known(value="lpar") if isinstance(sysinfo, Known):
            return _of_partition(system, sysinfo.value.get("LPAR Name", ""))
        case Known(value=name):
            return Absent(f"only the firmware of IBM Z counts it for its partitions: {name}")


def _of_partition(system: System, name: str) -> MaybeFact[ProcessorTime]:
    if not system.exists(f"{HYPFS}/hyp"):
        return file_values.absent(system, HYPFS, f"nobody mounted it: {HYPFS}")
    kind = file_values.text(system, f"{HYPFS}/hyp/type")
    if isinstance(kind, Unknown):
        return kind
    if kind.value != _OF_PARTITIONS or not _NAME.fullmatch(name):
        return Unknown(f"expected {_OF_PARTITIONS}, and a name of this partition: {kind.how}")
    cores = file_values.names(system, f"{HYPFS}/systems/{name}/cpus")
    if isinstance(cores, Unknown):
        return Unknown(f"this partition is not among those of {HYPFS}/systems")
    return _summed(system, tuple(f"{HYPFS}/systems/{name}/cpus/{core}" for core in cores.value))


def _summed(system: System, cores: tuple[str, ...]) -> Fact[ProcessorTime]:
    used, managed, online = (_sum(system, cores, name) for name in ("cputime", "mgmtime", "onlinetime"))
    if used is None or managed is None or not cores:
        return Unknown(f"expected cputime and mgmtime of each core: {_HOW}")
    return Known(ProcessorTime(used=used, managed=managed, online=online), _HOW)


def _sum(system: System, cores: tuple[str, ...], name: str) -> int | None:
    """None if one of them does not tell: older machines count no time online."""
    facts = [file_values.number(system, f"{core}/{name}") for core in cores]
    values = [fact.value for fact in facts if isinstance(fact, Known) and fact.value >= 0]
    return sum(values) if len(values) == len(facts) else None

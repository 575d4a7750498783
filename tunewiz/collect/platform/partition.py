"""What a logical partition was given: /proc/sysinfo on IBM Z, lparcfg under PowerVM.

Z: the kernel prints `Dedicated`, `Shared` and `Limited` (capped) as the firmware has them
(arch/s390/kernel/sysinfo.c). Power: lparcfg(5) describes the keys; a partition with dedicated processors is
marked as capped too.
"""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.collect import file_values
from tunewiz.collect.platform.sysinfo import Sysinfo
from tunewiz.collect.system import System
from tunewiz.core.facts.partition import Partition
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

PARTITIONS = ("/proc/ppc64/lparcfg", "/proc/powerpc/lparcfg")
_HUNDREDTHS = 100
"""lparcfg states capacity in percent of a processor."""


def read_partition(system: System, sysinfo: Fact[Sysinfo], hypervisor: Fact[str]) -> MaybeFact[Partition]:
    """The partition that this system runs in, or that the z/VM under it runs in."""
    if isinstance(sysinfo, Known):
        return _of_z(sysinfo.value, sysinfo.how)
    match hypervisor:
        case Known(value="powervm"):
            return _of_power(system)
        case Known(value=name):
            return Absent(f"{name} is no logical partition of IBM Z or Power")
        case Unknown():
            return Unknown("it depends on the hypervisor, which is not known")


def _of_z(info: Sysinfo, how: str) -> MaybeFact[Partition]:
    """QEMU makes up a partition with the number 0."""
    if info.get("LPAR Number", "0") == "0":
        return Absent(f"no logical partition: {how}")
    kinds = info.get("LPAR Characteristics", "").split()
    processors = file_values.as_integer(info.get("LPAR CPUs Configured", ""))
    if not {"Shared", "Dedicated"} & set(kinds) or processors is None or processors < 1:
        return Unknown(f"expected LPAR Characteristics and LPAR CPUs Configured: {how}")
    partition = Partition(
        shared="Shared" in kinds,
        capped="Limited" in kinds,
        processors=processors,
        entitled=None,
        weight=None,
        potential=file_values.as_integer(info.get("LPAR CPUs Total", "")),
    )
    return Known(partition, f"{how}: LPAR Characteristics")


def _of_power(system: System) -> MaybeFact[Partition]:
    content = file_values.first(file_values.text(system, path) for path in PARTITIONS)
    if isinstance(content, Unknown):
        return content
    lines = (line.partition("=") for line in content.value.splitlines())
    entries = {key.strip(): value.strip() for key, sign, value in lines if sign}
    return file_values.converted(
        Known("lparcfg", content.how),
        lambda _: _described(entries),
        "shared_processor_mode, capped, partition_active_processors and partition_entitled_capacity",
    )


def _described(entries: Mapping[str, str]) -> Partition | None:
    names = ("shared_processor_mode", "capped", "partition_active_processors", "partition_entitled_capacity")
    shared, capped, processors, capacity = (file_values.as_integer(entries.get(name, "")) for name in names)
    if shared not in {0, 1} or capped not in {0, 1} or not processors or not capacity:
        return None
    if processors < 1 or capacity < 1:
        return None
    return Partition(
        shared=shared == 1,
        capped=shared == 1 and capped == 1,
        processors=processors,
        entitled=capacity / _HUNDREDTHS,
        weight=file_values.as_integer(entries.get("capacity_weight", "")) if shared else None,
        potential=file_values.as_integer(entries.get("partition_potential_processors", "")),
        pool=file_values.as_integer(entries.get("pool_num_procs", "")) if shared else None,
    )

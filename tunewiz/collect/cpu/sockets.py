"""How many sockets there are if the kernel's packages are not sockets.

A device tree had no word for a socket: before Linux 6.0 the kernel gave each cluster of cores of such an Arm
machine a package of its own (drivers/base/arch_topology.c). With ACPI firmware says what a package is.
"""

from __future__ import annotations

import re

from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact, Known, Unknown

_ACPI = ("/sys/firmware/acpi", *(f"/sys/devices/system/node/node0/access{number}" for number in (0, 1)))
"""Signs of ACPI: its tables, and what one of them says of a node's memory (HMAT)."""
_TELLS_CLUSTERS_APART = (6, 0)
_RELEASE = re.compile(r"([0-9]{1,3})\.([0-9]{1,3})")


def read_sockets(system: System, cpuinfo: Fact[CpuInfo], packages: Fact[int]) -> Fact[int]:
    """The packages, unless they may be clusters."""
    if not isinstance(packages, Known) or packages.value == 1 or not _may_be_arm(system, cpuinfo):
        return packages
    if any(map(system.exists, _ACPI)) or _is_new(system):
        return packages
    return Unknown(
        f"{packages.value} packages may be clusters of cores, as on Arm machines without {_ACPI[0]}: "
        f"{packages.how}"
    )


def _may_be_arm(system: System, cpuinfo: Fact[CpuInfo]) -> bool:
    """By /proc/cpuinfo, else by the kernel's word, else nobody knows."""
    if isinstance(cpuinfo, Known):
        return bool(cpuinfo.value.first("CPU implementer", "CPU architecture", "Processor"))
    machine = system.uname().machine
    return not isinstance(machine, Known) or machine.value.startswith(("arm", "aarch64"))


def _is_new(system: System) -> bool:
    release = system.uname().release
    matched = _RELEASE.match(release.value) if isinstance(release, Known) else None
    return matched is not None and (int(matched[1]), int(matched[2])) >= _TELLS_CLUSTERS_APART

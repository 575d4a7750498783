"""The architecture as `uname -m` prints it, also for captures that lack the kernel's own word for it."""

from __future__ import annotations

from types import MappingProxyType

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import PATH, CpuInfo
from tunewiz.collect.platform.sysinfo import Sysinfo
from tunewiz.collect.system import System, Uname
from tunewiz.core.values.known import Fact, Known, Unknown

_IN_RELEASE = MappingProxyType(
    {
        "amd64": "x86_64",
        "arm64": "aarch64",
        "powerpc64le": "ppc64le",
        "x86_64": "x86_64",
        "aarch64": "aarch64",
        "ppc64le": "ppc64le",
        "s390x": "s390x",
    }
)
"""How Debian, Red Hat and SUSE end the names of their kernels: `6.1.0-50-arm64`, `5.14.0-427.el9.s390x`."""


def read_architecture(
    system: System, uname: Uname, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo]
) -> Fact[str]:
    """From the kernel's own report, its release name, or the form of /proc/cpuinfo."""
    return file_values.first(
        (uname.machine, _from_release(uname.release), _from_cpuinfo(system, cpuinfo, sysinfo))
    )


def _from_release(release: Fact[str]) -> Fact[str]:
    if not isinstance(release, Known):
        return release
    for part in reversed(release.value.replace("-", ".").split(".")):
        if part in _IN_RELEASE:
            return Known(_IN_RELEASE[part], f"{release.how}: {release.value}")
    return Unknown(f"the kernel's name {release.value} ends with no architecture: {release.how}")


def _from_cpuinfo(system: System, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo]) -> Fact[str]:
    """The kernel's width, not the processor's: only a 32-bit kernel lists fdiv_bug, or no asimd on Arm."""
    if isinstance(sysinfo, Known):
        return Known("s390x", f"{sysinfo.how} exists only there")
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    info, how = cpuinfo.value, cpuinfo.how
    if info.first("vendor_id") == "IBM/S390":
        return Known("s390x", f"{how}: vendor_id")
    if flags := info.first("flags").split():
        wide = "lm" in flags and not info.first("fdiv_bug")
        return Known("x86_64" if wide else "i686", f"{how}: flags")
    if "asimd" in info.first("Features").split():
        return Known("aarch64", f"{how}: Features")
    return _power(system, info)


def _power(system: System, info: CpuInfo) -> Fact[str]:
    """POWER runs in both byte orders, which /proc/cpuinfo does not tell."""
    order = file_values.word(system, "/sys/kernel/cpu_byteorder")
    if not info.first("cpu").startswith("POWER"):
        return Unknown(f"no line tells the architecture: {PATH}")
    return (
        Known("ppc64le" if order.value == "little" else "ppc64", order.how)
        if isinstance(order, Known)
        else order
    )

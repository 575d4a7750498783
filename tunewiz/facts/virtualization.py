"""What the machine runs in: the hypervisor under it and the container around it."""

from __future__ import annotations

from tunewiz.core.facts import Virtualization
from tunewiz.core.known import Fact, Known, Unknown
from tunewiz.facts import reading
from tunewiz.facts.container import read_container
from tunewiz.facts.cpuinfo import PATH, CpuInfo
from tunewiz.facts.firmware import read_device_tree, read_dmi
from tunewiz.facts.mounts import Mount
from tunewiz.facts.sysinfo import Sysinfo
from tunewiz.system import System

_CLOCKS = "/sys/devices/system/clocksource/clocksource0/available_clocksource"
_OF_CLOCK = (("kvm-clock", "kvm"), ("hyperv_clocksource", "hyperv"), ("xen", "xen"))
"""Clock sources that only a guest of that hypervisor has."""

_OF_MODEL = (
    ("QEMU TCG", "qemu"),
    ("QEMU Virtual", "qemu"),
    ("Common KVM", "kvm"),
    ("Common 32-bit KVM", "kvm"),
)
_PLAIN_QEMU = frozenset({"qemu"})


def read_virtualization(
    system: System, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo], mounts: Fact[tuple[Mount, ...]]
) -> Virtualization:
    """The hypervisor, `none` on bare metal; the container or none."""
    return Virtualization(
        hypervisor=read_hypervisor(system, cpuinfo, sysinfo),
        container=read_container(system, mounts),
    )


def read_hypervisor(system: System, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo]) -> Fact[str]:
    """The first source that tells; the clock source says more than firmware that only names QEMU."""
    if isinstance(sysinfo, Known):
        return _sysinfo(sysinfo.value, sysinfo.how)
    found = reading.first(
        (
            _xen(system),
            _wsl(system),
            _power(system, cpuinfo),
            read_dmi(system),
            read_device_tree(system),
            _clock(system),
            _listed(cpuinfo),
        )
    )
    clock = _clock(system)
    return (
        clock
        if isinstance(clock, Known) and isinstance(found, Known) and found.value in _PLAIN_QEMU
        else found
    )


def _sysinfo(info: Sysinfo, how: str) -> Fact[str]:
    """s390x: VM00 is the hypervisor right under this system, whatever runs below it."""
    program = info.get("VM00 Control Program")
    if program is None:
        where = "LPAR Number" in info or "LPAR Name" in info
        return Known("lpar", f"{how}: LPAR Number") if where else Known("none", f"{how}: no LPAR")
    name = "zvm" if program.startswith("z/VM") else "kvm" if program.startswith("KVM") else "other"
    return Known(name, f"{how}: VM00 Control Program: {program}")


def _xen(system: System) -> Fact[str]:
    path = "/sys/hypervisor/type"
    found = reading.word(system, path)
    if isinstance(found, Known):
        return found
    return Known("xen", "/proc/xen") if system.exists("/proc/xen") else found


def _wsl(system: System) -> Fact[str]:
    """Windows Subsystem for Linux 2 is a Hyper-V guest with Microsoft's kernel."""
    release = system.uname().release
    if isinstance(release, Known) and "microsoft" in release.value.lower():
        return Known("hyperv", f"{release.how}: {release.value}")
    return Unknown("not Microsoft's kernel")


def _power(system: System, cpuinfo: Fact[CpuInfo]) -> Fact[str]:
    """POWER: PowerNV is bare metal, pSeries a partition of PowerVM or a guest of QEMU or KVM."""
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    info = cpuinfo.value
    platform, model = info.first("platform"), info.first("machine", "model")
    if platform == "PowerNV":
        return Known("none", f"{PATH}: platform PowerNV")
    if platform != "pSeries":
        return Unknown(f"no line platform: {PATH}")
    inside = read_device_tree(system)
    if isinstance(inside, Known):
        return inside
    if "qemu" in model.lower():
        return Known("qemu", f"{PATH}: {model}")
    return Known("powervm", f"{PATH}: platform pSeries, {model}")


def _clock(system: System) -> Fact[str]:
    available = reading.word(system, _CLOCKS)
    if isinstance(available, Unknown):
        return available
    for clock, name in _OF_CLOCK:
        if any(word.startswith(clock) for word in available.value.split()):
            return Known(name, f"{available.how}: {clock}")
    return Unknown(f"no hypervisor's clock: {available.how}")


def _listed(cpuinfo: Fact[CpuInfo]) -> Fact[str]:
    """x86: a guest has the flag `hypervisor`, which names none (since Linux 2.6.30)."""
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    model, flags = cpuinfo.value.first("model name"), cpuinfo.value.first("flags").split()
    for beginning, name in _OF_MODEL:
        if model.startswith(beginning):
            return Known(name, f"{PATH}: {model}")
    if cpuinfo.value.first("vendor_id") == "User Mode Linux":
        return Known("uml", f"{PATH}: vendor_id")
    if not flags:
        return Unknown(f"no line flags: {PATH}")
    return (
        Known("other", f"{PATH}: flag hypervisor")
        if "hypervisor" in flags
        else Known("none", f"{PATH}: flags")
    )

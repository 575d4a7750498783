"""What the machine runs in: the hypervisor under it and the container around it."""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import PATH, CpuInfo
from tunewiz.collect.platform.container import read_container
from tunewiz.collect.platform.firmware import DMI, TREE, read_device_tree, read_dmi, read_guest_firmware
from tunewiz.collect.platform.hypfs import read_firmware_time
from tunewiz.collect.platform.partition import PARTITIONS, read_partition
from tunewiz.collect.platform.smbios import read_virtual_bit
from tunewiz.collect.platform.sysinfo import Sysinfo
from tunewiz.collect.storage.mounts import Mount
from tunewiz.collect.system import ReadError, System
from tunewiz.core.facts.machine import Virtualization
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown, known_or

_CLOCKS = "/sys/devices/system/clocksource/clocksource0/available_clocksource"
_OF_CLOCK = (("kvm-clock", "kvm"), ("hyperv_clocksource", "hyperv"), ("xen", "xen"))
"""Clock sources that only a guest of that hypervisor has."""

_OF_MODEL = (
    ("QEMU TCG", "qemu"),
    ("QEMU Virtual", "qemu"),
    ("Common KVM", "kvm"),
    ("Common 32-bit KVM", "kvm"),
)
_VMBUS = "/sys/bus/vmbus/devices"
_FIRMWARE = (f"{DMI}/product_name", f"{TREE}/model")
_RELEASE = re.compile(r"([0-9]{1,3})\.([0-9]{1,3})(?:\.([0-9]{1,3}))?")
_TELLS_GUESTS = (2, 6, 30)
"""The first kernel that shows the flag `hypervisor`."""
_MOST_LEVELS = 8
"""Virtual machines that the instruction behind the file can tell of, one in another (STSI 3.2.2)."""
_PLAIN_QEMU = frozenset({"qemu"})


def read_virtualization(
    system: System, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo], mounts: Fact[tuple[Mount, ...]]
) -> Virtualization:
    """The hypervisor, `none` on bare metal; the container or none."""
    hypervisor = read_hypervisor(system, cpuinfo, sysinfo)
    return Virtualization(
        hypervisor=hypervisor,
        container=read_container(system, mounts),
        levels=_levels(cpuinfo, sysinfo),
        partition=read_partition(system, sysinfo, hypervisor),
        firmware_time=read_firmware_time(system, sysinfo, hypervisor),
    )


def read_hypervisor(system: System, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo]) -> Fact[str]:
    """The first source that knows; the clock source says more than firmware that only names QEMU."""
    if isinstance(sysinfo, Known):
        return _sysinfo(sysinfo.value, sysinfo.how)
    metal = shows_no_guest(system, cpuinfo)
    fact = file_values.first(
        (
            _xen(system),
            _windows(system),
            _power(system, cpuinfo),
            read_dmi(system, metal=metal.value if isinstance(metal, Known) else False),
            read_device_tree(system),
            _clock(system),
            _guessed(system, cpuinfo, metal),
        )
    )
    clock = _clock(system)
    return (
        clock if isinstance(clock, Known) and isinstance(fact, Known) and fact.value in _PLAIN_QEMU else fact
    )


def _sysinfo(info: Sysinfo, how: str) -> Fact[str]:
    """s390x: VM00 is the hypervisor right under this system, whatever runs below it."""
    program = info.get("VM00 Control Program")
    if program is None:
        where = "LPAR Number" in info or "LPAR Name" in info
        return Known("lpar", f"{how}: LPAR Number") if where else Known("none", f"{how}: no LPAR")
    return Known(_program(program), f"{how}: VM00 Control Program: {program}")


def _program(name: str) -> str:
    return "zvm" if name.startswith("z/VM") else "kvm" if name.startswith("KVM") else "other"


def _levels(cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo]) -> MaybeFact[tuple[str, ...]]:
    """VM00 runs on VM01, and so on down to the partition; QEMU's made-up partition has the number 0."""
    if not isinstance(sysinfo, Known):
        other = isinstance(cpuinfo, Known) and cpuinfo.value.first("vendor_id") != "IBM/S390"
        return Absent("only s390x tells all levels") if other else sysinfo
    info = sysinfo.value
    programs = (info.get(f"VM{level:02} Control Program") for level in range(_MOST_LEVELS))
    levels = [_program(program) for program in programs if program]
    partition = ["lpar"] if info.get("LPAR Number", "0") != "0" else []
    return Known((*levels, *partition), sysinfo.how)


def _xen(system: System) -> Fact[str]:
    path = "/sys/hypervisor/type"
    kernel_name = file_values.kernel_name(system, path)
    if isinstance(kernel_name, Known):
        return kernel_name
    return Known("xen", "/proc/xen") if system.exists("/proc/xen") else kernel_name


def _windows(system: System) -> Fact[str]:
    """Hyper-V shows its bus; Windows Subsystem for Linux 2 is a guest of it with Microsoft's kernel."""
    release = system.uname().release
    if isinstance(release, Known) and "microsoft" in release.value.lower():
        return Known("hyperv", f"{release.how}: {release.value}")
    devices = file_values.names(system, _VMBUS)
    return Known("hyperv", _VMBUS) if isinstance(devices, Known) and devices.value else Unknown("no VMBus")


def _power(system: System, cpuinfo: Fact[CpuInfo]) -> Fact[str]:
    """POWER: PowerNV is bare metal, pSeries a partition of PowerVM or a guest of QEMU or KVM."""
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    info = cpuinfo.value
    platform, model = info.first("platform"), info.first("machine", "model")
    if platform == "PowerNV":
        emulated = "qemu" in f"{model} {info.first('model')}".lower()
        inside = read_device_tree(system)
        if isinstance(inside, Known) and inside.value != "none":
            return inside
        return Known("qemu" if emulated else "none", f"{PATH}: platform PowerNV, {model}")
    if platform != "pSeries":
        return _partition(system)
    inside = read_device_tree(system)
    if isinstance(inside, Known):
        return inside
    return Known("qemu" if "qemu" in model.lower() else "powervm", f"{PATH}: platform pSeries, {model}")


def _partition(system: System) -> Fact[str]:
    """Partitions and guests have this file; bare metal has none."""
    fact = file_values.first(file_values.text(system, path) for path in PARTITIONS)
    if isinstance(fact, Unknown):
        return fact
    return Known("qemu" if "qemu" in fact.value else "powervm", fact.how)


def _clock(system: System) -> Fact[str]:
    available = file_values.word(system, _CLOCKS)
    if isinstance(available, Unknown):
        return available
    for clock, name in _OF_CLOCK:
        if any(word.startswith(clock) for word in available.value.split()):
            return Known(name, f"{available.how}: {clock}")
    return Unknown(f"no hypervisor's clock: {available.how}")


def _guessed(system: System, cpuinfo: Fact[CpuInfo], metal: Fact[bool]) -> Fact[str]:
    """Not where firmware lost one of its two main files: it may have named there what is guessed here."""
    result = [_main_name(system, f"{DMI}/{name}") for name in ("sys_vendor", "product_name")]
    lost = [fact for fact in result if isinstance(fact, Unknown)]
    if len(lost) == 1:
        return lost[0]
    model = _by_model(cpuinfo)
    if isinstance(model, Known) or (lost and not system.complete and _has_flags(cpuinfo)):
        return model
    return file_values.first((read_guest_firmware(system), _listed(cpuinfo), _bare(system, cpuinfo, metal)))


def _main_name(system: System, path: str) -> Fact[str]:
    """A name that the board's vendor left blank is returned anyway."""
    fact = file_values.word(system, path)
    try:
        blank = system.read_text(path).isspace()
    except ReadError:
        return fact
    return Known("", path) if blank else fact


def _has_flags(cpuinfo: Fact[CpuInfo]) -> bool:
    return isinstance(cpuinfo, Known) and bool(cpuinfo.value.first("flags"))


def _by_model(cpuinfo: Fact[CpuInfo]) -> Fact[str]:
    """Processors that only a hypervisor calls so, and the kernel that is a program."""
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    model = cpuinfo.value.first("model name")
    for beginning, name in _OF_MODEL:
        if model.startswith(beginning):
            return Known(name, f"{PATH}: {model}")
    if cpuinfo.value.first("vendor_id") == "User Mode Linux":
        return Known("uml", f"{PATH}: vendor_id")
    return Unknown(f"which hypervisor it is, {DMI} tells, and it was not captured: {PATH}")


def _listed(cpuinfo: Fact[CpuInfo]) -> Fact[str]:
    """x86: a guest has the flag `hypervisor`, which does not say which (since Linux 2.6.30)."""
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    guest = "hypervisor" in cpuinfo.value.first("flags").split()
    return Known("other", f"{PATH}: flag hypervisor") if guest else Unknown(f"no flag: {PATH}")


def shows_no_guest(system: System, cpuinfo: Fact[CpuInfo]) -> Fact[bool]:
    """Whether the processor itself shows that no hypervisor is under it; unknown where it has no way to.

    On x86 the flag `hypervisor` is lacking (since Linux 2.6.30; the line `bugs` is newer). Firmware on Arm
    sets a bit for a guest.
    """
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    if flags := cpuinfo.value.first("flags").split():
        if "hypervisor" in flags or not (cpuinfo.value.first("bugs") or _is_new(system)):
            return Known(value=False, how=cpuinfo.how)
        return Known(value=True, how=f"{cpuinfo.how}: no flag hypervisor")
    if not cpuinfo.value.first("CPU implementer"):
        return Unknown(f"only x86 and Arm show it: {cpuinfo.how}")
    bit = read_virtual_bit(system)
    return Known(not bit.value, bit.how) if isinstance(bit, Known) else bit


def _is_new(system: System) -> bool:
    release = system.uname().release
    matched = _RELEASE.match(release.value) if isinstance(release, Known) else None
    return matched is not None and tuple(int(matched[part] or 0) for part in (1, 2, 3)) >= _TELLS_GUESTS


def _bare(system: System, cpuinfo: Fact[CpuInfo], metal: Fact[bool]) -> Fact[str]:
    """Firmware that can be read and names no hypervisor; on Arm only a bit in it says that there is none."""
    product, model = (file_values.word(system, path) for path in _FIRMWARE)
    if isinstance(cpuinfo, Unknown):
        if isinstance(model, Known) and not isinstance(product, Known) and system.complete:
            return Known("none", f"{model.how}: {model.value}")
        return cpuinfo
    if isinstance(product, Known) and not _has_flags(cpuinfo) and not known_or(metal, otherwise=False):
        why = metal.why if isinstance(metal, Unknown) else metal.how
        return Unknown(f"firmware that names no hypervisor may be a guest's: {why}")
    fact = file_values.first((product, model))
    return Known("none", f"{fact.how}: {fact.value}") if isinstance(fact, Known) else fact

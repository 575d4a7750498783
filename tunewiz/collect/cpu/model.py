"""The vendor and the model of the processor, on every architecture."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import PATH, CpuInfo
from tunewiz.collect.cpu.part_names import IMPLEMENTERS, PARTS, S390_MACHINES
from tunewiz.collect.platform.sysinfo import Sysinfo
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact, Known, Unknown

_MODEL_KEYS = ("model name", "cpu", "cpu model", "uarch", "Processor", "isa")
"""Where x86, POWER and SPARC, MIPS, RISC-V, old ARM kernels and RISC-V without a name write it."""
_BEFORE_THE_PART = "Processor"
"""Old ARM kernels begin with it and end with the part, which is more exact: a cut file lacks that one."""

S390_VENDOR = "IBM/S390"
"""What /proc/cpuinfo says on every s390x machine."""

_MIDR = "/sys/devices/system/cpu/cpu{}/regs/identification/midr_el1"


def read_vendor(cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo]) -> Fact[str]:
    """The vendor as the kernel names it; Arm's implementers by number."""
    return file_values.first((_listed_vendor(cpuinfo), _sysinfo_vendor(sysinfo)))


def read_model(
    system: System, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo], online: Fact[frozenset[int]]
) -> Fact[str]:
    """The model as the kernel names it; several in hybrid machines are joined by ` + `."""
    return file_values.first((_listed_model(cpuinfo), _machine_type(sysinfo), _midrs(system, online)))


def _listed_vendor(cpuinfo: Fact[CpuInfo]) -> Fact[str]:
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    info = cpuinfo.value
    if vendor := info.first("vendor_id", "mvendorid"):
        return Known(vendor, PATH)
    if number := _hexadecimal(info.first("CPU implementer")):
        return Known(IMPLEMENTERS.get(number, f"0x{number:02x}"), f"{PATH}: CPU implementer")
    if info.first("cpu").startswith(("POWER", "PPC970")):
        return Known("IBM", f"{PATH}: cpu")
    return Unknown(f"no line names the vendor: {PATH}")


def _sysinfo_vendor(sysinfo: Fact[Sysinfo]) -> Fact[str]:
    """The kernel's constant: the file itself names the maker of the machine, QEMU for one."""
    return Known(S390_VENDOR, f"{sysinfo.how} exists only there") if isinstance(sysinfo, Known) else sysinfo


def _listed_model(cpuinfo: Fact[CpuInfo]) -> Fact[str]:
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    info = cpuinfo.value
    if machine := info.first("machine") if info.first("vendor_id") == S390_VENDOR else "":
        return Known(_named(machine), PATH)
    parts = arm_part(info)
    if isinstance(parts, Known):
        return Known(" + ".join(parts.value), parts.how)
    for key in _MODEL_KEYS:
        if key == _BEFORE_THE_PART and not info.whole:
            continue
        if values := info.values(key):
            return Known(" + ".join(dict.fromkeys(" ".join(value.split()) for value in values)), PATH)
    return Unknown(f"no line names the model: {PATH}")


def _machine_type(sysinfo: Fact[Sysinfo]) -> Fact[str]:
    match sysinfo:
        case Known(info, how) if kind := info.get("Type"):
            return Known(_named(kind), how)
        case Known(_, how):
            return Unknown(f"no line Type: {how}")
        case Unknown():
            return sysinfo


def _named(machine: str) -> str:
    return f"{S390_MACHINES[machine]} ({machine})" if machine in S390_MACHINES else machine


def arm_part(info: CpuInfo) -> Fact[tuple[str, ...]]:
    """The names of Arm's parts, in order of appearance; unknown where a number has no name."""
    result = dict[str, None]()
    for fields in (*info.processors.values(), info.machine):
        implementer, part = (
            _hexadecimal(fields.get("CPU implementer", "")),
            _hexadecimal(fields.get("CPU part", "")),
        )
        if implementer and part is not None:
            if (implementer, part) not in PARTS:
                return Unknown(f"implementer 0x{implementer:02x}, part 0x{part:03x} has no name here: {PATH}")
            result[PARTS[implementer, part]] = None
    return Known(tuple(result), f"{PATH}: CPU part") if result else Unknown(f"no line CPU part: {PATH}")


def part_of(fields: Mapping[str, str]) -> str:
    """The name of one processor's part, or its number; empty where it is none of Arm's."""
    implementer, part = (_hexadecimal(fields.get(key, "")) for key in ("CPU implementer", "CPU part"))
    if implementer is None or part is None:
        return ""
    return PARTS.get((implementer, part), f"0x{part:03x}")


def _midrs(system: System, online: Fact[frozenset[int]]) -> Fact[str]:
    """The different models of all processors that are online."""
    if not isinstance(online, Known):
        return online
    midrs = [_midr(system, cpu) for cpu in sorted(online.value)]
    unknown = [fact for fact in midrs if isinstance(fact, Unknown)]
    if unknown:
        return unknown[0]
    names = dict.fromkeys(fact.value for fact in midrs if isinstance(fact, Known))
    return Known(" + ".join(names), _MIDR.format("*"))


def _midr(system: System, cpu: int) -> Fact[str]:
    """The same numbers from the register that 64-bit Arm kernels show in sysfs."""
    path = _MIDR.format(cpu)
    fact = file_values.converted(file_values.text(system, path), _hexadecimal, "a hexadecimal number")
    if not isinstance(fact, Known):
        return fact
    implementer, part = fact.value >> 24 & 0xFF, fact.value >> 4 & 0xFFF
    name = PARTS.get((implementer, part))
    return Known(name, path) if name else Unknown(f"part 0x{part:03x} has no name here: {path}")


def _hexadecimal(content: str) -> int | None:
    digits = content.removeprefix("0x")
    is_number = digits.isascii() and digits.isalnum() and len(digits) <= len("0000000000000000")
    try:
        return int(digits, 16) if is_number else None
    except ValueError:
        return None

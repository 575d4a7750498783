"""What only some architectures have: instructions of s390x, the compression and prefetching of POWER.

s390x lists in /proc/cpuinfo what its instructions can do: `msa` ciphers and hashes (CPACF), `dflt` deflate
(kernel: arch/s390/kernel/processor.c). On POWER9 and newer the device nx-gzip leads to units that compress
(Documentation/arch/powerpc/vas-api.rst), and the register DSCR has a default under /sys/devices/system/cpu
(dscr.rst).
"""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.cpu.online import FOLDER
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

NX_GZIP = "/dev/crypto/nx-gzip"
_HEXADECIMAL = re.compile(r"[0-9a-f]{1,16}")


def read_features(system: System, cpuinfo: Fact[CpuInfo], s390: Fact[bool]) -> MaybeFact[tuple[str, ...]]:
    """The names on the line `features`, in the kernel's order; of POWER whether it can compress."""
    if not isinstance(s390, Known):
        return s390
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    if not s390.value:
        return _compressing(system) if is_power(cpuinfo.value) else Absent("neither s390x nor POWER")
    names = file_values.as_names(cpuinfo.value.first("features"))
    return Known(names, f"{cpuinfo.how}: features") if names else Unknown(f"no line features: {cpuinfo.how}")


def _compressing(system: System) -> MaybeFact[tuple[str, ...]]:
    if system.exists(NX_GZIP):
        return Known((NX_GZIP.rpartition("/")[2],), NX_GZIP)
    return file_values.absent(system, NX_GZIP, f"no {NX_GZIP}")


def is_power(info: CpuInfo) -> bool:
    """Whether the processor is a POWER."""
    return info.first("cpu").startswith("POWER")


def read_dscr(system: System, cpuinfo: Fact[CpuInfo]) -> MaybeFact[int]:
    """The default of all processors."""
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    if not is_power(cpuinfo.value):
        return Absent("only POWER has a register DSCR")
    content = file_values.text(system, f"{FOLDER}/dscr_default")
    return file_values.converted(content, _as_hexadecimal, "a number in hexadecimal digits")


def _as_hexadecimal(content: str) -> int | None:
    return int(content, 16) if _HEXADECIMAL.fullmatch(content) else None

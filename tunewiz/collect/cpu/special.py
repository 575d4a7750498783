"""What only some architectures have: instructions of s390x, and the prefetching of POWER.

s390x lists in /proc/cpuinfo what its instructions can do: `msa` ciphers and hashes (CPACF), `dflt` deflate
(kernel: arch/s390/kernel/processor.c). POWER has the register DSCR, whose default the kernel keeps under
/sys/devices/system/cpu (Documentation/arch/powerpc/dscr.rst).
"""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.cpu.online import FOLDER
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

_HEXADECIMAL = re.compile(r"[0-9a-f]{1,16}")


def read_features(cpuinfo: Fact[CpuInfo], s390: Fact[bool]) -> MaybeFact[tuple[str, ...]]:
    """The names on the line `features`, in the kernel's order."""
    if not isinstance(s390, Known):
        return s390
    if not s390.value:
        return Absent("only s390x names its features so")
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    names = file_values.as_names(cpuinfo.value.first("features"))
    return Known(names, f"{cpuinfo.how}: features") if names else Unknown(f"no line features: {cpuinfo.how}")


def read_dscr(system: System, cpuinfo: Fact[CpuInfo]) -> MaybeFact[int]:
    """The default of all processors."""
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    if not cpuinfo.value.first("cpu").startswith("POWER"):
        return Absent("only POWER has a register DSCR")
    content = file_values.text(system, f"{FOLDER}/dscr_default")
    return file_values.converted(content, _as_hexadecimal, "a number in hexadecimal digits")


def _as_hexadecimal(content: str) -> int | None:
    return int(content, 16) if _HEXADECIMAL.fullmatch(content) else None

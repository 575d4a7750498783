"""Memory, swap, page size and what the kernel offers as huge pages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.memory import huge_pages
from tunewiz.collect.memory.edat import with_the_reason
from tunewiz.collect.memory.nodes import read_memory_nodes
from tunewiz.collect.memory.page_size import read_page_size
from tunewiz.collect.memory.strain import read_strain
from tunewiz.collect.memory.translation import read_translation
from tunewiz.collect.memory.zfs_cache import read_zfs_cache
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import Memory
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown
from tunewiz.core.values.units import KIB, Bytes

PATH = "/proc/meminfo"

_LINE = re.compile(r"(\S+):\s+([0-9]{1,18})(?: kB)?")


def read_memory(system: System, cpuinfo: Fact[CpuInfo], online: Fact[frozenset[int]]) -> Memory:
    """Read /proc/meminfo once, and the huge-page sizes and modes from sysfs.

    Args:
        system: The machine.
        cpuinfo: What /proc/cpuinfo says.
        online: The numbers of the processors that are online.
    """
    meminfo = _read_meminfo(system)
    default = _as_bytes(with_the_reason(_huge(system, meminfo, "Hugepagesize"), cpuinfo))
    sizes = huge_pages.read_sizes(system, default)
    return Memory(
        total=_bytes(meminfo, "MemTotal"),
        available=_bytes(meminfo, "MemAvailable"),
        swap_total=_bytes(meminfo, "SwapTotal"),
        page_size=read_page_size(system, meminfo),
        huge_page_size=default,
        huge_page_sizes=sizes,
        huge_pages_total=with_the_reason(_huge(system, meminfo, "HugePages_Total"), cpuinfo),
        huge_pages_free=with_the_reason(_huge(system, meminfo, "HugePages_Free"), cpuinfo),
        transparent_huge_pages=with_the_reason(huge_pages.read_transparent(system), cpuinfo),
        nodes=read_memory_nodes(system, online),
        strain=read_strain(system),
        translation=read_translation(cpuinfo, sizes),
        zfs_cache=read_zfs_cache(system),
    )


def _read_meminfo(system: System) -> Fact[Mapping[str, int]]:
    content = file_values.lines(system, PATH)
    if not isinstance(content, Known):
        return content
    matches = (_LINE.fullmatch(line.strip()) for line in content.value.splitlines())
    fields = {matched[1]: int(matched[2]) for matched in matches if matched}
    return (
        Known(fields, content.how)
        if fields
        else Unknown(f"expected lines `Name: value kB`, found none: {PATH}")
    )


def _field(meminfo: Fact[Mapping[str, int]], name: str) -> Fact[int]:
    match meminfo:
        case Known(fields, how) if name in fields:
            return Known(fields[name], f"{how}: {name}")
        case Known(_, how):
            return Unknown(f"no line {name}: {how}")
        case Unknown():
            return meminfo


def _bytes(meminfo: Fact[Mapping[str, int]], name: str) -> Fact[Bytes]:
    field = _field(meminfo, name)
    return Known(Bytes(field.value * KIB), field.how) if isinstance(field, Known) else field


def _huge(system: System, meminfo: Fact[Mapping[str, int]], name: str) -> MaybeFact[int]:
    """A line that a kernel without huge pages leaves out, as on s390x guests without EDAT."""
    field = _field(meminfo, name)
    if isinstance(field, Known) or not isinstance(meminfo, Known):
        return field
    whole = {"MemTotal", "SwapTotal"} <= meminfo.value.keys()
    others = any(line.startswith("HugePages_") or line == "Hugepagesize" for line in meminfo.value)
    # In a capture only a line that the kernel writes after these shows that they were not cut off.
    ended = system.complete or any(line.startswith("DirectMap") for line in meminfo.value)
    if not whole or others or not ended or system.exists(huge_pages.FOLDER):
        return field
    return Absent(f"no line {name} in {PATH}: this kernel has no huge pages")


def _as_bytes(fact: MaybeFact[int]) -> MaybeFact[Bytes]:
    return Known(Bytes(fact.value * KIB), fact.how) if isinstance(fact, Known) else fact

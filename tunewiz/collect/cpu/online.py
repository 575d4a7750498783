"""Which processors are online.

sysfs wins: in containers and after a hot unplug /proc/cpuinfo may still list processors that are gone.
Kernels without hot-plug and captures lack the list; then each processor's own file or folder shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact, Known, Unknown

FOLDER = "/sys/devices/system/cpu"

_PROCESSOR = re.compile(r"cpu([0-9]{1,5})")
_COUNTED = re.compile(r"^cpu([0-9]{1,5}) ", re.MULTILINE)


def read_online(system: System, cpuinfo: Fact[CpuInfo]) -> Fact[frozenset[int]]:
    """The numbers of the processors that are online; a list that is damaged is not replaced by counting."""
    path = f"{FOLDER}/online"
    listed = _not_empty(file_values.processors(system, path))
    if isinstance(listed, Known) or system.exists(path):
        return listed
    return file_values.first((listed, *map(_not_empty, _candidates(system, cpuinfo))))


def _candidates(system: System, cpuinfo: Fact[CpuInfo]) -> Iterator[Fact[frozenset[int]]]:
    """The best source first."""
    if system.complete:
        yield _folders(system)
    else:
        witnessed = _witnessed(system, cpuinfo)
        yield witnessed
        if system.exists(FOLDER) and isinstance(witnessed, Unknown):
            return
    yield _counted(system)
    yield _listed(cpuinfo)


def read_present(system: System, online: frozenset[int]) -> Fact[frozenset[int]]:
    """The numbers of the processors that are present, online or not."""
    processors = file_values.processors(system, f"{FOLDER}/present")
    if isinstance(processors, Known) and not online <= processors.value:
        return Unknown(f"expected all that are online among those present: {processors.how}")
    return processors


def _not_empty(fact: Fact[frozenset[int]]) -> Fact[frozenset[int]]:
    if isinstance(fact, Known) and not fact.value:
        return Unknown(f"expected processors, found none: {fact.how}")
    return fact


def _folders(system: System) -> Fact[frozenset[int]]:
    """Processors with a folder that neither says offline nor lacks what only online ones have."""
    names = file_values.names(system, FOLDER)
    if not isinstance(names, Known):
        return names
    numbers = [int(matched[1]) for name in names.value if (matched := _PROCESSOR.fullmatch(name))]
    up = {number for number in numbers if _may_be_up(system, number)}
    placed = {number for number in up if system.exists(f"{FOLDER}/cpu{number}/topology")}
    return Known(frozenset(placed or up), f"{FOLDER}/cpu*/online")


def _witnessed(system: System, cpuinfo: Fact[CpuInfo]) -> Fact[frozenset[int]]:
    """Folders of a capture, of which some may be lacking: believed where the kernel's accounts agree."""
    folders = _folders(system)
    if not isinstance(folders, Known) or not folders.value:
        return folders
    accounts = file_values.first((_counted(system), _listed(cpuinfo)))
    if not isinstance(accounts, Known):
        return Unknown(f"not in the capture: {FOLDER}/online")
    more = {number for number in accounts.value - folders.value if _may_be_up(system, number)}
    if more:
        return Unknown(f"processor {min(more)} stands in {accounts.how}, not in the capture: {FOLDER}")
    return folders


def _may_be_up(system: System, number: int) -> bool:
    return file_values.text(system, f"{FOLDER}/cpu{number}/online") != Known(
        "0", f"{FOLDER}/cpu{number}/online"
    )


def _counted(system: System) -> Fact[frozenset[int]]:
    """The kernel accounts time only for processors that are online."""
    text = file_values.text(system, "/proc/stat")
    return file_values.converted(
        text,
        lambda content: frozenset(int(number) for number in _COUNTED.findall(content)),
        "lines `cpuN …`",
    )


def _listed(cpuinfo: Fact[CpuInfo]) -> Fact[frozenset[int]]:
    match cpuinfo:
        case Known(info, how) if info.whole:
            return Known(frozenset(info.processors), how)
        case Known(_, how):
            return Unknown(f"how many processors there are is cut off: {how}")
        case Unknown():
            return cpuinfo

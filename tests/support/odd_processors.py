"""Processors for tests, as the files under sys and proc tell of them."""

from collections.abc import Iterable, Mapping

from recorded_machines import machine
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import Cpu
from tunewiz.core.values.known import Absent, Known, Unknown

CPU = "sys/devices/system/cpu"
X86 = {"proc/cpuinfo": "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: lm\n\n"}
S390 = "vendor_id       : IBM/S390\n"


def topology(cpu: int, **files: object) -> dict[str, str]:
    """What one processor tells of its place."""
    return {f"{CPU}/cpu{cpu}/topology/{name}": f"{content}\n" for name, content in files.items()}


def cache(cpu: int, index: int, **files: object) -> dict[str, str]:
    """One cache of a processor."""
    return {f"{CPU}/cpu{cpu}/cache/index{index}/{name}": f"{content}\n" for name, content in files.items()}


def cpu_of(*parts: Mapping[str, str]) -> Cpu:
    """The processors that are read from all these files."""
    files = {path: content for part in parts for path, content in part.items()}
    return read_machine(machine(files)).cpu


def online(listed: str) -> dict[str, str]:
    """The list of those that are online."""
    return {f"{CPU}/online": f"{listed}\n"}


def paired(cpus: Iterable[int]) -> dict[str, str]:
    """Cores of two threads each, 0-1, 2-3 and so on, on one socket."""
    files = dict[str, str]()
    for cpu in cpus:
        files |= topology(
            cpu,
            thread_siblings_list=f"{cpu // 2 * 2}-{cpu // 2 * 2 + 1}",
            physical_package_id=0,
            core_id=cpu // 2,
        )
    return files


def counted(fact: Known[int] | Absent | Unknown) -> int | None:
    """The number, where it is known."""
    return fact.value if isinstance(fact, Known) else None

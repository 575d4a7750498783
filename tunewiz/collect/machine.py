"""Reads one machine from end to end; what cannot be read becomes unknown with the reason."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from tunewiz.collect.cpu.cpuinfo import read_cpuinfo
from tunewiz.collect.cpu.online import read_online
from tunewiz.collect.cpu.processors import read_cpu
from tunewiz.collect.kernel.settings import read_kernel
from tunewiz.collect.limits.control_groups import read_limits
from tunewiz.collect.limits.shared_memory_size import read_shared_memory
from tunewiz.collect.memory.memory import read_memory
from tunewiz.collect.platform.host import read_host
from tunewiz.collect.platform.sysinfo import read_sysinfo
from tunewiz.collect.platform.virtualization import read_virtualization
from tunewiz.collect.storage.file_systems import Directories, read_storage
from tunewiz.collect.storage.mounts import read_mounts
from tunewiz.collect.system import System
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import DiskRole

NO_DIRECTORIES: Mapping[DiskRole, tuple[str, ...]] = MappingProxyType({})

_LIVE = ("self",)
_CAPTURED = ("1", "self")
"""Processes whose control group is read: in a capture `self` was the one that captured."""


def _silent(what: str) -> None:
    """Report no progress."""


def read_machine(
    system: System,
    directories: Directories = NO_DIRECTORIES,
    progress: Callable[[str], None] = _silent,
    *,
    servers: Sequence[int] = (),
) -> Facts:
    """Everything but the servers.

    Args:
        system: The machine.
        directories: What PostgreSQL keeps where: `{"data": [...], "wal": [...], "tablespace": [...]}`.
        progress: Called with what is read next, in words for a person.
        servers: Process numbers of running servers: their control group limits them, not the caller's.
    """
    progress("processors")
    cpuinfo, sysinfo = read_cpuinfo(system), read_sysinfo(system)
    online = read_online(system, cpuinfo)
    cpu = read_cpu(system, cpuinfo, sysinfo, online)
    progress("memory")
    memory = read_memory(system, cpuinfo, online)
    progress("hypervisor and limits")
    mounts = read_mounts(system)
    virtualization = read_virtualization(system, cpuinfo, sysinfo, mounts)
    processes = (*map(str, servers), *(_LIVE if system.live else _CAPTURED))
    limits = read_limits(system, mounts, processes, online, memory.huge_page_size)
    limits = dataclasses.replace(limits, shared_memory=read_shared_memory(mounts))
    progress("kernel settings")
    kernel = read_kernel(system, mounts)
    progress("storage")
    storage = read_storage(system, mounts, directories)
    return Facts(
        host=read_host(system, cpuinfo, sysinfo),
        cpu=cpu,
        memory=memory,
        virtualization=virtualization,
        limits=limits,
        kernel=kernel,
        storage=storage,
    )

"""Reads one machine from end to end; what cannot be read becomes unknown with the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from tunewiz.core.facts import Facts
from tunewiz.core.facts_machine import DiskRole
from tunewiz.facts.cpu import read_cpu
from tunewiz.facts.cpuinfo import read_cpuinfo
from tunewiz.facts.host import read_host
from tunewiz.facts.kernel import read_kernel
from tunewiz.facts.limits import read_limits
from tunewiz.facts.memory import read_memory
from tunewiz.facts.mounts import read_mounts
from tunewiz.facts.online import read_online
from tunewiz.facts.storage import Directories, read_storage
from tunewiz.facts.sysinfo import read_sysinfo
from tunewiz.facts.virtualization import read_virtualization
from tunewiz.system import System

NO_DIRECTORIES: Mapping[DiskRole, tuple[str, ...]] = MappingProxyType({})

_LIVE = ("self",)
_CAPTURED = ("1", "self")
"""Processes whose control group is read: in a capture `self` was the one that captured."""


def _silent(what: str) -> None:
    """Nobody watches."""


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
        progress: Told what is read next, in words for a person.
        servers: Process numbers of running servers: their control group limits them, not the caller's.
    """
    progress("processors")
    cpuinfo, sysinfo = read_cpuinfo(system), read_sysinfo(system)
    online = read_online(system, cpuinfo)
    cpu = read_cpu(system, cpuinfo, sysinfo, online)
    progress("memory")
    memory = read_memory(system, online)
    progress("hypervisor and limits")
    mounts = read_mounts(system)
    virtualization = read_virtualization(system, cpuinfo, sysinfo, mounts)
    limits = read_limits(system, mounts, (*map(str, servers), *(_LIVE if system.live else _CAPTURED)), online)
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

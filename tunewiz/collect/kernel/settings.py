"""Kernel settings that a plan uses: a setting exists if it can be read, whatever the version."""

from __future__ import annotations

from tunewiz.collect import file_values
from tunewiz.collect.kernel.boot_loader import read_loader
from tunewiz.collect.kernel.scheduler import read_loaded_scheduler, read_scheduler
from tunewiz.collect.memory.huge_pages import transparent_folder
from tunewiz.collect.storage.mounts import Mount, covering
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import Kernel
from tunewiz.core.values.known import Fact, Known, MaybeFact, Unknown

CLOCKS = "/sys/devices/system/clocksource/clocksource0"
LOCKDOWN = "/sys/kernel/security/lockdown"
SYSCTLS = "/proc/sys"
SYSFS = "/sys/kernel/mm"
"""Where settings other than sysctls are: /sys itself may be writable even if this is not."""

_EVERYWHERE = (
    "vm.dirty_bytes",
    "vm.dirty_ratio",
    "vm.dirty_background_bytes",
    "vm.dirty_background_ratio",
    "vm.dirty_expire_centisecs",
    "vm.dirty_writeback_centisecs",
    "vm.overcommit_memory",
    "vm.overcommit_ratio",
    "vm.swappiness",
    "vm.min_free_kbytes",
    "fs.file-max",
)
"""Every kernel has these: a missing file was not captured."""

_WHERE_BUILT_IN = (
    "vm.overcommit_kbytes",
    "vm.nr_hugepages",
    "vm.nr_overcommit_hugepages",
    "vm.zone_reclaim_mode",
    "vm.cmm_pages",
    "vm.cmm_timed_pages",
    "kernel.numa_balancing",
    "kernel.sched_autogroup_enabled",
    "kernel.io_uring_disabled",
    "net.core.somaxconn",
    "net.ipv4.tcp_keepalive_time",
)

_TRANSPARENT = ("enabled", "defrag", "shmem_enabled")

_WHOLE_MAP = ["0", "0", "4294967295"]
"""/proc/self/uid_map outside of user namespaces (user_namespaces(7))."""


def read_kernel(system: System, mounts: Fact[tuple[Mount, ...]]) -> Kernel:
    """Clock sources, lockdown, and every setting that this kernel has."""
    return Kernel(
        clocksource=file_values.kernel_name(system, f"{CLOCKS}/current_clocksource"),
        clocksources=file_values.kernel_names(system, f"{CLOCKS}/available_clocksource"),
        lockdown=_lockdown(system),
        settings=_sysctls(system)
        | read_scheduler(system)
        | read_loaded_scheduler(system)
        | _transparent(system),
        writable=_writable(system, mounts, SYSCTLS, "proc"),
        sysfs_writable=_writable(system, mounts, SYSFS, "sysfs"),
        loader=read_loader(system),
    )


def _lockdown(system: System) -> MaybeFact[str]:
    fact = file_values.active(system, LOCKDOWN)
    others = file_values.names(system, LOCKDOWN.rpartition("/")[0])
    mounted = others.value if isinstance(others, Known) else ()
    if isinstance(fact, Unknown) and mounted and "lockdown" not in mounted:
        return file_values.absent(system, LOCKDOWN, f"no {LOCKDOWN}: this kernel has no lockdown")
    return fact


def _path(name: str) -> str:
    return f"{SYSCTLS}/{name.replace('.', '/')}"


def _sysctls(system: System) -> dict[str, Fact[int | str]]:
    settings = dict[str, Fact[int | str]]()
    for name in _EVERYWHERE:
        settings[name] = file_values.number(system, _path(name))
    for name in _WHERE_BUILT_IN:
        if _could_be(system, _path(name)):
            settings[name] = file_values.number(system, _path(name))
    return settings


def _transparent(system: System) -> dict[str, Fact[int | str]]:
    folder = transparent_folder(system)
    present = (name for name in _TRANSPARENT if _could_be(system, f"{folder}/{name}"))
    return {f"thp.{name}": file_values.active(system, f"{folder}/{name}") for name in present}


def _could_be(system: System, path: str) -> bool:
    """Whether the file is there, or nobody can say: its folder cannot be listed, or it was not captured."""
    if not system.complete:
        return True
    folder, _, name = path.rpartition("/")
    siblings = file_values.names(system, folder)
    return name in siblings.value if isinstance(siblings, Known) else True


def _writable(system: System, mounts: Fact[tuple[Mount, ...]], folder: str, kind: str) -> Fact[bool]:
    """Read-only in most containers; a user namespace may not change the host's settings either."""
    users = file_values.text(system, "/proc/self/uid_map")
    if isinstance(users, Known) and users.value and users.value.split() != _WHOLE_MAP:
        return Known(False, f"{users.how}: a user namespace")  # noqa: FBT003 - the value of the fact
    if not isinstance(mounts, Known):
        return mounts
    mount = covering(mounts.value, folder)
    if mount is None or mount.filesystem != kind:
        return Unknown(f"nothing is mounted at or above {folder}: {mounts.how}")
    return Known("rw" in mount.options, f"{mounts.how}: {mount.point}")

"""What a bundle can do to a machine; each kind knows nothing of why.

Rendering, applying, verifying and reverting belong to the kind (tunewiz/bundle), never to a recommendation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, kw_only=True, slots=True)
class PgSetting:
    """A server setting in a configuration file."""

    name: str
    value: str
    """As a person writes it, without quotes: `16GB`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sysctl:
    """A kernel setting under /proc/sys, kept by a file under /etc/sysctl.d."""

    name: str
    """With dots: `vm.dirty_bytes`."""
    value: int
    twin: str = ""
    """The setting that the kernel zeroes when this one is written: `vm.dirty_ratio`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SysfsValue:
    """One word of a choice under /sys, kept by a file under /etc/tmpfiles.d."""

    path: str
    """Absolute: `/sys/kernel/mm/transparent_hugepage/enabled`."""
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueValue:
    """A value of a disk's request queue, kept by a udev rule that knows the disk by what does not change."""

    device: str
    """Its name now: `sda`."""
    stable: str
    """A name that stays: `/dev/disk/by-id/nvme-eui.0025385b71b0a1c2`."""
    name: Literal["scheduler", "read_ahead_kb", "nr_requests"]
    value: str
    before: str


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitDropIn:
    """Lines for the [Service] section of a systemd unit, in a file of their own beside it."""

    unit: str
    """`postgresql@15-main.service`."""
    lines: tuple[tuple[str, str], ...]
    """`OOMScoreAdjust` and `-900`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MountOption:
    """One word of a file system's mount options, in /etc/fstab and in force."""

    mount: str
    instead_of: str
    option: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SwapFile:
    """A file for swapping, made, switched on and listed in /etc/fstab."""

    path: str
    mebibytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class VacuumSchedule:
    """A vacuum of all databases every day, by a timer of systemd's or by cron."""

    by: Literal["systemd", "cron"]
    hour: int
    minute: int
    os_user: str
    port: int
    socket_directory: str
    """Empty for the client's own default."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KernelArgument:
    """A boot entry beside the default one, whose kernel gets arguments more; the default stays."""

    arguments: tuple[str, ...]
    """Those that belong together, in their order: `hugepagesz=1G` and `hugepages=17`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveWal:
    """The write-ahead log on another file system, a link in its old place; the server is stopped for it."""

    data_directory: str
    name: Literal["pg_wal", "pg_xlog"]
    """Its directory there; the latter before PostgreSQL 10."""
    target: str
    """Absolute; absent, or an empty directory of the server's owner."""


HostAction: TypeAlias = (
    QueueValue | UnitDropIn | MountOption | SwapFile | VacuumSchedule | KernelArgument | MoveWal
)
"""What changes the machine beside single values of the kernel's."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ByHand:
    """Something that a person carries out; the bundle only tells it."""

    subject: str
    steps: tuple[str, ...]
    """Commands or deeds, in order."""
    undo: tuple[str, ...]


Action: TypeAlias = PgSetting | Sysctl | SysfsValue | HostAction | ByHand

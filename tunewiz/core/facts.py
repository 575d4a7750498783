"""What was learned about a machine and its PostgreSQL servers.

The outside form is JSON (`docs/formats.md`): values as they are, `null` with the reason under
`unknown`, and where a value was learned under `learned`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from tunewiz.core.known import Fact, Known, MaybeFact, Unknown
from tunewiz.core.units import Bytes

SCHEMA = 1

_NOT_LOOKED_FOR = Unknown("it was not looked for")

DiskRole = Literal["data", "wal", "tablespace"]
ServerOwner = Literal["debian", "rpm", "patroni", "container", "source"]
ServerRole = Literal["primary", "standby"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Host:
    """Which machine this is."""

    name: Fact[str]
    architecture: Fact[str]
    """As `uname -m` prints it."""
    kernel: Fact[str]
    """As `uname -r` prints it."""
    distribution: Fact[str]
    identity: Fact[str]
    """SHA-256 of `tunewiz:` and the machine id: a bundle knows its host, the id stays private."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Cache:
    """One kind of processor cache."""

    level: int
    type: Literal["data", "instruction", "unified"]
    size: Bytes | None
    """Of one instance, the largest in hybrid machines; None where the kernel does not tell."""
    instances: int | None
    shared_by: int | None
    """Processors (threads) that share one instance."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CoreKind:
    """One kind of core in a machine that has several."""

    name: str
    """`core` and `atom` as Intel's drivers have it, the part on Arm, else what firmware rates it at."""
    online: int
    """Processors (threads) of this kind."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Cpu:
    """Processors that are online; counts are distinct things, not numbers."""

    vendor: Fact[str]
    model: Fact[str]
    online: Fact[int]
    cores: Fact[int]
    threads_per_core: Fact[int]
    """The most that are online on one core; on POWER with SMT off what a core has."""
    sockets: Fact[int]
    """Unknown where a hypervisor makes the topology up."""
    books: MaybeFact[int]
    drawers: MaybeFact[int]
    numa_nodes: Fact[int]
    caches: Fact[tuple[Cache, ...]]
    smt: Fact[str]
    offline: Fact[int] = _NOT_LOOKED_FOR
    """Processors that are there and switched off."""
    kinds: MaybeFact[tuple[CoreKind, ...]] = _NOT_LOOKED_FOR
    """Absent where all cores are alike."""
    dispatching: MaybeFact[str] = _NOT_LOOKED_FOR
    """How the hypervisor of s390x gives its processors: horizontal (evenly) or vertical (few, fully)."""
    steal: Fact[float] = _NOT_LOOKED_FOR
    """Share of the time since the start of the machine that its hypervisor gave to others: 0.02 is 2 %."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HugePool:
    """Huge pages of one size that are reserved on one node."""

    size: Bytes
    pages: int


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryNode:
    """One NUMA node with memory or processors."""

    node: int
    total: Bytes
    """0 on a node of processors alone."""
    online: int
    """Processors; 0 on a node of memory alone."""
    huge_pages: tuple[HugePool, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """Physical memory, swap and huge pages."""

    total: Fact[Bytes]
    available: Fact[Bytes]
    swap_total: Fact[Bytes]
    page_size: Fact[Bytes]
    huge_page_size: MaybeFact[Bytes]
    """The kernel's default size; absent where the kernel has no huge pages."""
    huge_page_sizes: MaybeFact[tuple[Bytes, ...]]
    huge_pages_total: MaybeFact[int]
    huge_pages_free: MaybeFact[int]
    transparent_huge_pages: MaybeFact[str]
    """The active word: always, madvise or never."""
    nodes: MaybeFact[tuple[MemoryNode, ...]] = _NOT_LOOKED_FOR
    """Absent where the kernel knows no nodes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Virtualization:
    """What the machine runs in."""

    hypervisor: Fact[str]
    """`none` on bare metal."""
    container: MaybeFact[str]
    levels: MaybeFact[tuple[str, ...]] = _NOT_LOOKED_FOR
    """All hypervisors, the nearest first, which only s390x tells: kvm, zvm, lpar."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Control-group limits: the smallest over all ancestors that can be seen; absent where unlimited."""

    cgroup_version: MaybeFact[int]
    memory: MaybeFact[Bytes]
    cpus: MaybeFact[float]
    cpuset: MaybeFact[int] = _NOT_LOOKED_FOR
    """Processors that the group may run on; absent where it may use all."""
    cpuset_cores: MaybeFact[int] = _NOT_LOOKED_FOR
    """The physical cores among them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kernel:
    """Kernel settings that a plan may look at.

    `settings` is keyed by sysctl name (`vm.dirty_bytes`), scheduler knobs by `sched.<name>`,
    and sysfs files by what they are (`thp.enabled`, `thp.defrag`).
    """

    clocksource: Fact[str]
    clocksources: Fact[tuple[str, ...]]
    lockdown: MaybeFact[str]
    settings: Mapping[str, Fact[int | str]]
    writable: Fact[bool]
    """Whether `/proc/sys` is mounted for writing: read-only in most containers."""
    sysfs_writable: Fact[bool] = _NOT_LOOKED_FOR
    """The same of `/sys`, where transparent huge pages and the schedulers of disks are set."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Disk:
    """A physical or virtual disk under a file system."""

    name: str
    rotational: Fact[bool]
    scheduler: MaybeFact[str]
    read_ahead_kb: Fact[int]
    transport: MaybeFact[str]
    """nvme, virtio, sas, fc, dasd, zfcp, xen, loop …"""
    stable: MaybeFact[str] = _NOT_LOOKED_FOR
    """A name under /dev/disk that stays when others change, as sda and sdb may after a reboot."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Storage:
    """One file system that PostgreSQL uses, down to its disks."""

    mount: str
    device: Fact[str]
    filesystem: Fact[str]
    options: Fact[str]
    disks: Fact[tuple[Disk, ...]]
    roles: tuple[DiskRole, ...]
    total: Fact[Bytes]
    free: Fact[Bytes]


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """One PostgreSQL setting as pg_settings or a configuration file has it."""

    value: str
    """In `unit` where there is one: `2048` with unit `8kB` is 16 MB."""
    unit: str | None = None
    source: str = "default"
    """As pg_settings names it: default, configuration file, command line, …"""
    sourcefile: str | None = None
    """With the line where that is known: `/etc/postgresql/15/main/postgresql.conf:241`."""
    pending_restart: bool = False


_NOT_WATCHED = Unknown("the server was not watched at work")


@dataclass(frozen=True, kw_only=True, slots=True)
class Activity:
    """The server's own statistics since they were last reset."""

    since: Fact[str]
    commits: Fact[int]
    rollbacks: Fact[int]
    rows_read: Fact[int]
    """tup_returned + tup_fetched over all databases."""
    rows_written: Fact[int]
    """tup_inserted + tup_updated + tup_deleted over all databases."""
    blocks_hit: Fact[int]
    blocks_read: Fact[int]
    temp_bytes: Fact[int]
    checkpoints_timed: Fact[int]
    checkpoints_requested: Fact[int]
    connections: Fact[int]
    databases_size: Fact[Bytes]
    temp_files: Fact[int] = _NOT_LOOKED_FOR
    live_rows: Fact[int] = _NOT_LOOKED_FOR
    """In the tables of all databases that could be entered."""
    dead_rows: Fact[int] = _NOT_LOOKED_FOR
    transaction_age: Fact[int] = _NOT_LOOKED_FOR
    """Transactions since the oldest one that some database still needs: at 2 thousand million it stops."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """What the server did while it was watched: differences between the first look and the last."""

    seconds: int
    samples: int
    """Looks at the server; the peak of connections is the highest of them."""
    commits: Fact[int]
    rollbacks: Fact[int]
    rows_read: Fact[int]
    rows_written: Fact[int]
    blocks_hit: Fact[int]
    blocks_read: Fact[int]
    temp_files: Fact[int]
    temp_bytes: Fact[int]
    checkpoints_timed: Fact[int]
    checkpoints_requested: Fact[int]
    wal_bytes: Fact[int]
    """Written; on a standby replayed."""
    connections_peak: Fact[int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Override:
    """A value of ALTER ROLE or ALTER DATABASE: for these sessions it wins over every file."""

    database: str
    """Empty for all."""
    role: str
    """Empty for all."""
    name: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FileError:
    """A line of the configuration that the server could not use when it was asked (pg_file_settings)."""

    place: str
    name: str
    error: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PostgresServer:
    """One PostgreSQL cluster, running or stopped."""

    version: Fact[str]
    major: Fact[str]
    data_directory: Fact[str]
    config_file: Fact[str]
    port: Fact[int]
    running: bool
    owner: ServerOwner
    os_user: Fact[str]
    role: Fact[ServerRole]
    system_identifier: Fact[str]
    socket_directory: MaybeFact[str]
    include_directory: MaybeFact[str]
    """A directory that the configuration includes, in which a drop-in file is read."""
    shared_memory_pages: MaybeFact[int]
    """Huge pages that the server says it needs as it runs now (15 and newer)."""
    settings: Fact[Mapping[str, Setting]]
    activity: Fact[Activity]
    unit: MaybeFact[str] = _NOT_LOOKED_FOR
    """The systemd unit that runs it: `postgresql@15-main.service`; absent where none does."""
    window: Fact[Window] = _NOT_WATCHED
    overrides: Fact[tuple[Override, ...]] = _NOT_LOOKED_FOR
    file_errors: Fact[tuple[FileError, ...]] = _NOT_LOOKED_FOR
    choices: Fact[Mapping[str, tuple[str, ...]]] = _NOT_LOOKED_FOR
    """What this build offers where that hangs on the build: `{"wal_compression": ("pglz", "lz4")}`."""

    @property
    def release(self) -> Fact[str]:
        """`15.18`, without the packager's words; the major version where only the files could be asked."""
        match self.version:
            case Known(value=version, how=how):
                return Known(version.partition(" (")[0], how)
            case Unknown():
                return self.major


RivalKeeper = Literal["sysctl.d", "tmpfiles.d", "tuned"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rival:
    """A line in someone else's file that wins, at every boot, over the one that a bundle would write."""

    name: str
    """`vm.swappiness`, or a path under /sys."""
    value: str
    place: str
    """`/etc/sysctl.d/99-local.conf:3`."""
    keeper: RivalKeeper
    """Who reads that file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Managed:
    """A file that a tool for managing many hosts says is its own."""

    path: str
    by: str
    """Ansible, cloud-init, Puppet, Chef, Salt."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Owners:
    """Who else looks after settings of this machine."""

    tuned: MaybeFact[str] = _NOT_LOOKED_FOR
    """The active profile; absent where tuned is not there or is off."""
    operator: MaybeFact[str] = _NOT_LOOKED_FOR
    """The Kubernetes operator that keeps the server's configuration."""
    rivals: Fact[tuple[Rival, ...]] = _NOT_LOOKED_FOR
    managed: Fact[tuple[Managed, ...]] = _NOT_LOOKED_FOR


def _no_servers() -> tuple[PostgresServer, ...]:
    return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """Everything that was learned about one machine."""

    host: Host
    cpu: Cpu
    memory: Memory
    virtualization: Virtualization
    limits: Limits
    kernel: Kernel
    storage: tuple[Storage, ...] = ()
    postgres: tuple[PostgresServer, ...] = field(default_factory=_no_servers)
    owners: Owners = field(default_factory=Owners)


NO_SETTINGS: Mapping[str, Setting] = MappingProxyType({})

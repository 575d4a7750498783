"""What was learned about a machine: host, processors, memory, limits, kernel, storage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from tunewiz.core.facts.dasd import ChannelPaths, Dasd
from tunewiz.core.facts.partition import Partition, Polarization, ProcessorTime
from tunewiz.core.facts.strain import Strain
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact, MaybeFact
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes

DiskRole = Literal["data", "wal", "tablespace"]
LayerKind = Literal["lvm", "multipath", "crypt", "raid", "other"]
"""A logical volume, several paths to one disk, an encrypted device, a Linux RAID."""
NO_STRAIN = Strain()
StorageKind = Literal["hdd", "ssd", "nvme", "san"]
Translation = Literal["radix", "hash"]


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
    """SHA-256 of `tunewiz:` and the machine id: a bundle recognizes its host, the id stays private."""
    program: Fact[str] = NOT_LOOKED_FOR
    """The file that starts tunewiz, if only root can change it, so that a service may run it."""
    read_at: Fact[str] = NOT_LOOKED_FOR
    """When these facts were read, UTC: 2026-11-24T14:00:00Z."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Cache:
    """One kind of processor cache."""

    level: int
    type: Literal["data", "instruction", "unified"]
    size: Bytes | None
    """Of one instance, the largest in hybrid machines; None if the kernel does not report it."""
    instances: int | None
    shared_by: int | None
    """Processors (threads) that share one instance."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CoreKind:
    """One kind of core in a machine that has several."""

    name: str
    """`core` and `atom` as Intel's drivers name them, the part on Arm, otherwise the firmware's rating."""
    online: int
    """Processors (threads) of this kind."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IdleState:
    """A sleeping state that the first processor may enter when it has nothing to do (cpuidle)."""

    name: str
    """As the driver names it: `C6`, `Winkle`."""
    wakes_after: int
    """Microseconds from an interrupt to the first instruction."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Interrupts:
    """Interrupts of devices since boot, without timers and those that processors send each other."""

    total: int
    busiest: int
    """The number of the processor that served most of them."""
    share: float
    """What it served of all: 0.9 is 90 %."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Cpu:
    """Processors that are online; counts are of distinct ids."""

    vendor: Fact[str]
    model: Fact[str]
    online: Fact[int]
    cores: Fact[int]
    threads_per_core: Fact[int]
    """The most that are online on one core; on POWER with SMT off, those that a core has."""
    sockets: Fact[int]
    """Unknown if a hypervisor invents the topology."""
    books: MaybeFact[int]
    drawers: MaybeFact[int]
    numa_nodes: Fact[int]
    caches: Fact[tuple[Cache, ...]]
    smt: Fact[str]
    offline: Fact[int] = NOT_LOOKED_FOR
    """Processors that are present and offline."""
    kinds: MaybeFact[tuple[CoreKind, ...]] = NOT_LOOKED_FOR
    """Absent if all cores are alike."""
    dispatching: MaybeFact[str] = NOT_LOOKED_FOR
    """How the s390x hypervisor dispatches processors: horizontal (evenly) or vertical (few, fully)."""
    polarization: MaybeFact[Polarization] = NOT_LOOKED_FOR
    """Absent unless the processors are dispatched vertically."""
    features: MaybeFact[tuple[str, ...]] = NOT_LOOKED_FOR
    """What s390x and POWER offer beside computing, as the kernel names it: msa, dflt, nx-gzip …"""
    dscr: MaybeFact[int] = NOT_LOOKED_FOR
    """Of POWER: the default of the register that steers its prefetching; 0 as delivered."""
    steal: Fact[float] = NOT_LOOKED_FOR
    """Share of the time since boot that the hypervisor gave to other guests: 0.02 is 2 %."""
    governor: MaybeFact[str] = NOT_LOOKED_FOR
    """Who chooses the frequency: performance, powersave, schedutil …; absent where the kernel does not."""
    frequency_driver: MaybeFact[str] = NOT_LOOKED_FOR
    """What carries it out: intel_pstate, amd-pstate-epp, acpi-cpufreq …"""
    idle_driver: MaybeFact[str] = NOT_LOOKED_FOR
    """Who puts idle processors to sleep: intel_idle, acpi_idle, …; absent where the hypervisor does."""
    deepest_idle: MaybeFact[IdleState] = NOT_LOOKED_FOR
    """The state that takes longest to leave, of those that are not switched off."""
    interrupts: MaybeFact[Interrupts] = NOT_LOOKED_FOR
    """Absent where the kernel numbers no interrupts of devices."""


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
    """0 on a node without memory."""
    online: int
    """Processors; 0 on a node without processors."""
    huge_pages: tuple[HugePool, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ZfsCache:
    """What ZFS caches (ARC), and the bounds between which it grows and shrinks (c_min, c_max)."""

    size: Bytes
    least: Bytes
    most: Bytes


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
    nodes: MaybeFact[tuple[MemoryNode, ...]] = NOT_LOOKED_FOR
    """Absent if the kernel does not support nodes."""
    strain: Strain = NO_STRAIN
    """Since the machine was booted."""
    translation: MaybeFact[Translation] = NOT_LOOKED_FOR
    """How POWER finds the page of an address; absent on other architectures, which have one way only."""
    zfs_cache: MaybeFact[ZfsCache] = NOT_LOOKED_FOR
    """Of the whole machine, in a container too; absent where the kernel has no ZFS."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Virtualization:
    """What the machine runs in."""

    hypervisor: Fact[str]
    """`none` on bare metal."""
    container: MaybeFact[str]
    levels: MaybeFact[tuple[str, ...]] = NOT_LOOKED_FOR
    """All hypervisors, the innermost first, which only s390x reports: kvm, zvm, lpar."""
    partition: MaybeFact[Partition] = NOT_LOOKED_FOR
    """Of IBM Z and Power; under z/VM it is the partition that z/VM runs in."""
    firmware_time: MaybeFact[ProcessorTime] = NOT_LOOKED_FOR
    """Of a partition of IBM Z, where hypfs is mounted; as it was then, or when it was last updated."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Control-group limits: the smallest over all visible ancestors; absent if unlimited."""

    cgroup_version: MaybeFact[int]
    memory: MaybeFact[Bytes]
    cpus: MaybeFact[float]
    memory_high: MaybeFact[Bytes] = NOT_LOOKED_FOR
    """Above it the group is throttled, not killed: systemd's MemoryHigh, Kubernetes' MemoryQoS."""
    cpuset: MaybeFact[int] = NOT_LOOKED_FOR
    """Processors that the group may run on; absent if it may use all."""
    cpuset_cores: MaybeFact[int] = NOT_LOOKED_FOR
    """The physical cores among them."""
    shared_memory: MaybeFact[Bytes] = NOT_LOOKED_FOR
    """The size that was set for /dev/shm, where parallel queries share memory; absent if half of memory."""
    huge_pages: MaybeFact[Bytes] = NOT_LOOKED_FOR
    """What the group may use of huge pages of the usual size; a process that touches more is killed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kernel:
    """Settings by sysctl name (`vm.dirty_bytes`), `sched.<name>`, or a word for sysfs (`thp.defrag`)."""

    clocksource: Fact[str]
    clocksources: Fact[tuple[str, ...]]
    lockdown: MaybeFact[str]
    settings: Mapping[str, Fact[int | str]]
    writable: Fact[bool]
    """Whether `/proc/sys` is mounted for writing: read-only in most containers."""
    sysfs_writable: Fact[bool] = NOT_LOOKED_FOR
    """The same for `/sys`, where transparent huge pages and disk schedulers are set."""
    loader: MaybeFact[str] = NOT_LOOKED_FOR
    """The boot loader that allows a second entry beside its default: grub, systemd-boot or zipl."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DiskPath:
    """One of the ways to a disk."""

    name: str
    state: str
    """live, connecting …"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Disk:
    """A physical or virtual disk under a file system."""

    name: str
    rotational: Fact[bool]
    scheduler: MaybeFact[str]
    read_ahead_kb: Fact[int]
    transport: MaybeFact[str]
    """nvme, virtio, sas, fc, dasd, zfcp, xen, loop …"""
    stable: MaybeFact[str] = NOT_LOOKED_FOR
    """A persistent name under /dev/disk: sda may be sdb after a reboot."""
    nr_requests: MaybeFact[int] = NOT_LOOKED_FOR
    """Requests that may wait in the kernel for each direction."""
    wbt_lat_usec: MaybeFact[int] = NOT_LOOKED_FOR
    """Microseconds that reads may take before writing is throttled; 0 if it never is."""
    paths: MaybeFact[tuple[DiskPath, ...]] = NOT_LOOKED_FOR
    """Of an NVMe disk that the kernel itself reaches by several; absent for one of a single path."""
    path_policy: MaybeFact[str] = NOT_LOOKED_FOR
    """How the kernel chooses among them: numa, round-robin or queue-depth."""
    state: MaybeFact[str] = NOT_LOOKED_FOR
    """Of a SCSI disk: running, offline, transport-offline, blocked …"""
    queue_depth: MaybeFact[int] = NOT_LOOKED_FOR
    """Of a SCSI disk: requests that the kernel sends before it waits for an answer."""
    dasd: MaybeFact[Dasd] = NOT_LOOKED_FOR
    """Absent for other disks."""
    block_size: Fact[int] = NOT_LOOKED_FOR
    """Bytes that the disk was formatted into; the smallest request."""
    hpf: MaybeFact[bool] = NOT_LOOKED_FOR
    """Whether High Performance FICON (zHPF) carries the requests of an ECKD disk; absent for others."""
    channel_paths: MaybeFact[ChannelPaths] = NOT_LOOKED_FOR
    """Of an ECKD disk; absent for others."""
    adapter: MaybeFact[str] = NOT_LOOKED_FOR
    """Of a SCSI disk over Fibre Channel: the device that reaches it (0.0.3c00, 0000:3b:00.0)."""
    port_type: MaybeFact[str] = NOT_LOOKED_FOR
    """That adapter's port, as the kernel calls it: `NPIV VPORT`, or another without a name of its own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Layer:
    """A device on other devices, between a file system and its disks."""

    name: str
    """The kernel's: `dm-3`, `md0`."""
    label: str
    """Its name under /dev/mapper, otherwise the same as `name`."""
    kind: LayerKind
    below: tuple[str, ...]
    """The devices that it is directly on."""
    chunk: Bytes
    """Smallest piece of a stripe (minimum_io_size); 0 if it could not be read."""
    stripe: Bytes
    """All pieces of a stripe (optimal_io_size); 0 if there are none."""
    read_ahead_kb: Fact[int]


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
    layers: Fact[tuple[Layer, ...]] = NOT_LOOKED_FOR
    """From the device of the file system down; none if it is on its disks themselves."""
    inodes: MaybeFact[int] = NOT_LOOKED_FOR
    """Absent where the file system makes them as it needs them, as btrfs does."""
    inodes_free: MaybeFact[int] = NOT_LOOKED_FOR

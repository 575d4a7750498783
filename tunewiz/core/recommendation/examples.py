"""Small situations for worked examples: a healthy server, and what differs on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from tunewiz.core.answers.answers import Answers, Posture, Risk, ServerAnswers, Workload, WorkloadKind
from tunewiz.core.facts.counters import Statements
from tunewiz.core.facts.machine import Disk, IdleState, Interrupts, Layer, Translation
from tunewiz.core.facts.partition import Partition
from tunewiz.core.facts.replication import Replication
from tunewiz.core.facts.server import Override, ServerOwner, ServerRole
from tunewiz.core.facts.slru import SlruCache
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes, Duration

DEFAULT_KERNEL: Mapping[str, int | str] = MappingProxyType(
    {
        "vm.dirty_bytes": 0,
        "vm.dirty_ratio": 20,
        "vm.dirty_background_bytes": 0,
        "vm.dirty_background_ratio": 10,
        "vm.nr_hugepages": 0,
        "vm.overcommit_memory": 0,
        "vm.swappiness": 60,
        "thp.defrag": "madvise",
        "thp.enabled": "always",
    }
)
"""As the kernel has them (Documentation/admin-guide/sysctl/vm.rst)."""

NOTHING: Mapping[str, int | str] = MappingProxyType({})
NO_VALUES: Mapping[str, str] = MappingProxyType({})
NO_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """What an example says; everything else is a plain server with default settings."""

    memory: str = "64GB"
    available: str = "60GB"
    swap: str = "4GB"
    cores: int = 4
    threads_per_core: int = 1
    sockets: int = 1
    """Each is a NUMA node of its own."""
    architecture: str = "x86_64"
    kernel_release: str = "6.1.0"
    distribution: str = ""
    """Empty if it could not be read."""
    loader: str = ""
    """The boot loader that allows a second entry; empty if it allows none."""
    hypervisor: str = "none"
    partition: Partition | None = None
    """None if nobody looked."""
    processor: str = ""
    """The model; empty if it is not known."""
    container: str = ""
    memory_limit: str = ""
    cpu_limit: float = 0.0
    shared_memory: str = ""
    """The size of /dev/shm; empty if none was set."""
    huge_page_size: str = "2MB"
    """The kernel's default; empty if the kernel has no huge pages."""
    more_huge_page_sizes: tuple[str, ...] = ()
    transparent: bool = True
    """Whether the kernel has transparent huge pages."""
    translation: Translation | None = None
    """None on other architectures than POWER."""
    kernel: Mapping[str, int | str] = field(default_factory=lambda: NOTHING)
    """Kernel settings that differ from the kernel's defaults."""
    proc_sys_writable: bool = True
    clocksource: str = "tsc"
    more_clocksources: tuple[str, ...] = ()
    filesystem: str = "ext4"
    disk: StorageKind = "ssd"
    disk_unknown: bool = False
    """The disk says that it rotates, but it is a virtual one."""
    scheduler: str = "none"
    read_ahead_kb: int = 128
    stable_name: str = ""
    """The disk's name under /dev/disk/by-id; empty if none is known."""
    unit: str = ""
    """The systemd unit that runs the server; empty if none does."""
    sampled_by: str = ""
    """The systemd unit that records its counters; empty if none does."""
    program: str = ""
    """The path of tunewiz on the machine; empty if it is not installed, or not only root can change it."""
    mount_options: str = "rw,relatime"
    free_space: str = "500GB"
    """Empty if it could not be read."""
    nr_requests: int | None = None
    wbt_lat_usec: int | None = None
    disks: tuple[Disk, ...] = ()
    """Those under the data, in the place of the one that the fields above describe."""
    layers: tuple[Layer, ...] | None = ()
    """What lies between; None if nobody looked."""
    wal_apart: bool = False
    wal_unknown: bool = False
    running: bool = True
    major: str = "15"
    role: ServerRole = "primary"
    settings: Mapping[str, str] = field(default_factory=lambda: NO_VALUES)
    """PostgreSQL settings that differ from the major's defaults, as a person writes them."""
    built_with: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: NO_CHOICES)
    """What the server offers if that depends on its build; empty if it was not queried."""
    governor: str = ""
    """Of the processors' frequency; empty if nobody looked."""
    frequency_driver: str = ""
    deepest_idle: IdleState | None = None
    """Of idle processors; None if nobody looked."""
    interrupts: Interrupts | None = None
    features: tuple[str, ...] | None = None
    """Of an s390x processor; None if nobody looked."""
    dscr: int | None = None
    """Of POWER; None if nobody looked."""
    numad: str = ""
    """Empty if it is not at work."""
    irqbalance: str = ""
    """Empty if it is not at work."""
    tuned: str = ""
    """The active profile; empty if tuned is not at work."""
    tuned_latency: str = ""
    removes_ipc: bool | None = None
    """Whether systemd-logind does; None if nobody looked."""
    os_uid: int | None = None
    open_files: int | None = None
    """The limit of each process; None if nobody looked."""
    owner: ServerOwner = "source"
    extensions: tuple[str, ...] = ()
    """Those that are installed; empty if the server was not asked."""
    replication: Fact[Replication] = NOT_LOOKED_FOR
    slru: Fact[tuple[SlruCache, ...]] = NOT_LOOKED_FOR
    overrides: Fact[tuple[Override, ...]] = NOT_LOOKED_FOR
    """Settings of roles and databases."""
    statements: Fact[Statements] = NOT_LOOKED_FOR
    """What pg_stat_statements counted."""
    workload: WorkloadKind = "oltp"
    connections: int = 200
    replicas: int = 0
    database_size: str = "256GB"
    posture: Posture = "balanced"
    restart: bool = True
    reboot: bool = False
    may_change_kernel: bool = True
    recovery_time: str = "5min"
    memory_unknown: bool = False
    cores_unknown: bool = False


def answers_of(given: Given) -> Answers:
    """The answers of an example."""
    return Answers(
        workload=Workload(
            kind=given.workload,
            connections=given.connections,
            database_size=Bytes.parse(given.database_size),
        ),
        server=ServerAnswers(storage=None if given.disk_unknown else given.disk, replicas=given.replicas),
        risk=Risk(
            posture=given.posture,
            restart=given.restart,
            reboot=given.reboot,
            kernel=given.may_change_kernel,
            recovery_time=Duration.parse(given.recovery_time),
        ),
    )

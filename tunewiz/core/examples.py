"""Small situations for worked examples: a sound server, and what differs on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tunewiz.core.answers import Answers, Posture, Risk, ServerAnswers, StorageKind, Workload, WorkloadKind
from tunewiz.core.facts import Facts
from tunewiz.core.facts_machine import (
    Cpu,
    Disk,
    DiskRole,
    Host,
    Kernel,
    Limits,
    Memory,
    Storage,
    Virtualization,
)
from tunewiz.core.facts_server import PostgresServer, ServerRole, Setting
from tunewiz.core.known import Absent, Fact, Known, Unknown
from tunewiz.core.units import Bytes, Duration

_HOW = "example"
_NOT_GIVEN = Unknown("not part of the example")

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
    """Each a NUMA node of its own."""
    architecture: str = "x86_64"
    kernel_release: str = "6.1.0"
    distribution: str = ""
    """Empty where it could not be read."""
    loader: str = ""
    """The boot loader that takes a second entry; empty where it takes none."""
    hypervisor: str = "none"
    container: str = ""
    memory_limit: str = ""
    cpu_limit: float = 0.0
    huge_page_size: str = "2MB"
    """The kernel's default; empty where the kernel has no huge pages."""
    more_huge_page_sizes: tuple[str, ...] = ()
    kernel: Mapping[str, int | str] = field(default_factory=lambda: NOTHING)
    """Kernel settings that differ from the kernel's defaults."""
    proc_sys_writable: bool = True
    clocksource: str = "tsc"
    more_clocksources: tuple[str, ...] = ()
    filesystem: str = "ext4"
    disk: StorageKind = "ssd"
    scheduler: str = "none"
    read_ahead_kb: int = 128
    stable_name: str = ""
    """The disk's name under /dev/disk/by-id; empty where none is known."""
    unit: str = ""
    """The systemd unit that runs the server; empty where none does."""
    mount_options: str = "rw,relatime"
    free_space: str = "500GB"
    """Empty where it could not be read."""
    wal_apart: bool = False
    wal_unknown: bool = False
    running: bool = True
    major: str = "15"
    role: ServerRole = "primary"
    settings: Mapping[str, str] = field(default_factory=lambda: NO_VALUES)
    """PostgreSQL settings that differ from the major's defaults, as a person writes them."""
    built_with: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: NO_CHOICES)
    """What the server says it offers where that hangs on its build; empty where it was not asked."""
    workload: WorkloadKind = "oltp"
    connections: int = 200
    database_size: str = "256GB"
    posture: Posture = "balanced"
    restart: bool = True
    reboot: bool = False
    may_change_kernel: bool = True
    recovery_time: str = "5min"
    memory_unknown: bool = False
    cores_unknown: bool = False


def facts_of(given: Given, settings: Mapping[str, Setting]) -> Facts:
    """The machine of an example; the settings are the server's, already complete."""
    return Facts(
        host=_host(given),
        cpu=_cpu(given),
        memory=_memory(given),
        virtualization=Virtualization(
            hypervisor=Known(given.hypervisor, _HOW),
            container=Known(given.container, _HOW) if given.container else Absent(_HOW),
        ),
        limits=Limits(
            cgroup_version=Known(2, _HOW),
            memory=Known(Bytes.parse(given.memory_limit), _HOW) if given.memory_limit else Absent(_HOW),
            cpus=Known(given.cpu_limit, _HOW) if given.cpu_limit else Absent(_HOW),
        ),
        kernel=_kernel(given),
        storage=_storage(given),
        postgres=(_server(given, settings),),
    )


def answers_of(given: Given) -> Answers:
    """The answers of an example."""
    return Answers(
        workload=Workload(
            kind=given.workload,
            connections=given.connections,
            database_size=Bytes.parse(given.database_size),
        ),
        server=ServerAnswers(storage=given.disk),
        risk=Risk(
            posture=given.posture,
            restart=given.restart,
            reboot=given.reboot,
            kernel=given.may_change_kernel,
            recovery_time=Duration.parse(given.recovery_time),
        ),
    )


def _host(given: Given) -> Host:
    return Host(
        name=Known("example", _HOW),
        architecture=Known(given.architecture, _HOW),
        kernel=Known(given.kernel_release, _HOW),
        distribution=Known(given.distribution, _HOW) if given.distribution else _NOT_GIVEN,
        identity=_NOT_GIVEN,
    )


def _cpu(given: Given) -> Cpu:
    cores: Fact[int] = _NOT_GIVEN if given.cores_unknown else Known(given.cores, _HOW)
    return Cpu(
        vendor=_NOT_GIVEN,
        model=_NOT_GIVEN,
        online=Known(given.cores * given.threads_per_core, _HOW),
        cores=cores,
        threads_per_core=Known(given.threads_per_core, _HOW),
        sockets=Known(given.sockets, _HOW),
        books=Absent(_HOW),
        drawers=Absent(_HOW),
        numa_nodes=Known(given.sockets, _HOW),
        caches=_NOT_GIVEN,
        smt=Known("on" if given.threads_per_core > 1 else "off", _HOW),
    )


def _memory(given: Given) -> Memory:
    total: Fact[Bytes] = _NOT_GIVEN if given.memory_unknown else Known(Bytes.parse(given.memory), _HOW)
    pages = bool(given.huge_page_size)
    size = Bytes.parse(given.huge_page_size) if pages else Bytes(0)
    return Memory(
        total=total,
        available=Known(Bytes.parse(given.available), _HOW),
        swap_total=Known(Bytes.parse(given.swap), _HOW),
        page_size=Known(Bytes(4096), _HOW),
        huge_page_size=Known(size, _HOW) if pages else Absent(_HOW),
        huge_page_sizes=Known((size, *map(Bytes.parse, given.more_huge_page_sizes)), _HOW)
        if pages
        else Absent(_HOW),
        huge_pages_total=Known(int(given.kernel.get("vm.nr_hugepages", 0)), _HOW) if pages else Absent(_HOW),
        huge_pages_free=Known(int(given.kernel.get("vm.nr_hugepages", 0)), _HOW) if pages else Absent(_HOW),
        transparent_huge_pages=Known(str(given.kernel.get("thp.enabled", "always")), _HOW),
    )


def _kernel(given: Given) -> Kernel:
    settings = {**DEFAULT_KERNEL, **given.kernel}
    if not given.huge_page_size:
        del settings["vm.nr_hugepages"]
    return Kernel(
        clocksource=Known(given.clocksource, _HOW),
        clocksources=Known((given.clocksource, *given.more_clocksources), _HOW),
        lockdown=Absent(_HOW),
        settings=MappingProxyType({name: Known(value, _HOW) for name, value in settings.items()}),
        writable=Known(given.proc_sys_writable, _HOW),
        loader=Known(given.loader, _HOW) if given.loader else Absent(_HOW),
    )


def _storage(given: Given) -> tuple[Storage, ...]:
    apart = given.wal_apart or given.wal_unknown
    data = _file_system(given, "disk0", "/var/lib/postgresql", ("data",) if apart else ("data", "wal"))
    return (data, _file_system(given, "disk1", "/wal", ("wal",))) if given.wal_apart else (data,)


def _file_system(given: Given, device: str, mount: str, roles: tuple[DiskRole, ...]) -> Storage:
    disk = Disk(
        name=device,
        rotational=Known(given.disk == "hdd", _HOW),
        scheduler=Known(given.scheduler, _HOW),
        read_ahead_kb=Known(given.read_ahead_kb, _HOW),
        transport=Known("nvme", _HOW) if given.disk == "nvme" else _NOT_GIVEN,
        stable=Known(f"/dev/disk/by-id/{given.stable_name}", _HOW) if given.stable_name else Absent(_HOW),
    )
    space: Fact[Bytes] = Known(Bytes.parse(given.free_space), _HOW) if given.free_space else _NOT_GIVEN
    return Storage(
        mount=mount,
        device=Known(f"/dev/{device}", _HOW),
        filesystem=Known(given.filesystem, _HOW),
        options=Known(given.mount_options, _HOW),
        disks=Known((disk,), _HOW),
        roles=roles,
        total=space,
        free=space,
    )


def _server(given: Given, settings: Mapping[str, Setting]) -> PostgresServer:
    return PostgresServer(
        version=Known(given.major, _HOW),
        major=Known(given.major, _HOW),
        data_directory=Known("/var/lib/postgresql/data", _HOW),
        config_file=Known("/var/lib/postgresql/data/postgresql.conf", _HOW),
        port=Known(5432, _HOW),
        running=given.running,
        owner="source",
        os_user=Known("postgres", _HOW),
        role=Known(given.role, _HOW),
        system_identifier=_NOT_GIVEN,
        socket_directory=_NOT_GIVEN,
        include_directory=Absent(_HOW),
        shared_memory_pages=_NOT_GIVEN,
        settings=Known(settings, _HOW),
        activity=_NOT_GIVEN,
        unit=Known(given.unit, _HOW) if given.unit else Absent(_HOW),
        choices=Known(given.built_with, _HOW) if given.built_with else _NOT_GIVEN,
    )

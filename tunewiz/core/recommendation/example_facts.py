"""The facts of a worked example: what it states, on an otherwise plain and healthy server."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import (
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
from tunewiz.core.facts.owners import Owners
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.recommendation.examples import DEFAULT_KERNEL, Given
from tunewiz.core.values.known import Absent, Fact, Known, Unknown
from tunewiz.core.values.units import Bytes

T = TypeVar("T")

_HOW = "example"
_NOT_GIVEN = Unknown("not part of the example")


def facts_of(given: Given, settings: Mapping[str, Setting]) -> Facts:
    """The machine of an example; the settings are the server's, already complete."""
    return Facts(
        host=_host(given),
        cpu=_cpu(given),
        memory=_memory(given),
        virtualization=Virtualization(
            hypervisor=Known(given.hypervisor, _HOW),
            container=Known(given.container, _HOW) if given.container else Absent(_HOW),
            partition=_given(given.partition),
        ),
        limits=Limits(
            cgroup_version=Known(2, _HOW),
            memory=Known(Bytes.parse(given.memory_limit), _HOW) if given.memory_limit else Absent(_HOW),
            cpus=Known(given.cpu_limit, _HOW) if given.cpu_limit else Absent(_HOW),
            shared_memory=Known(Bytes.parse(given.shared_memory), _HOW)
            if given.shared_memory
            else Absent(_HOW),
        ),
        kernel=_kernel(given),
        storage=_storage(given),
        postgres=(_server(given, settings),),
        owners=_owners(given),
    )


def _given(value: T | None) -> Fact[T]:
    return _NOT_GIVEN if value is None else Known(value, _HOW)


def _owners(given: Given) -> Owners:
    return Owners(
        tuned=Known(given.tuned, _HOW) if given.tuned else Absent(_HOW),
        tuned_latency=Known(given.tuned_latency, _HOW) if given.tuned_latency else Absent(_HOW),
        numad=Known(given.numad, _HOW) if given.numad else Absent(_HOW),
        irqbalance=Known(given.irqbalance, _HOW) if given.irqbalance else Absent(_HOW),
        removes_ipc=_given(given.removes_ipc),
    )


def _host(given: Given) -> Host:
    return Host(
        name=Known("example", _HOW),
        architecture=Known(given.architecture, _HOW),
        kernel=Known(given.kernel_release, _HOW),
        distribution=Known(given.distribution, _HOW) if given.distribution else _NOT_GIVEN,
        identity=_NOT_GIVEN,
        program=Known(given.program, _HOW) if given.program else _NOT_GIVEN,
    )


def _cpu(given: Given) -> Cpu:
    cores: Fact[int] = _NOT_GIVEN if given.cores_unknown else Known(given.cores, _HOW)
    return Cpu(
        vendor=_NOT_GIVEN,
        model=Known(given.processor, _HOW) if given.processor else _NOT_GIVEN,
        online=Known(given.cores * given.threads_per_core, _HOW),
        cores=cores,
        threads_per_core=Known(given.threads_per_core, _HOW),
        sockets=Known(given.sockets, _HOW),
        books=Absent(_HOW),
        drawers=Absent(_HOW),
        numa_nodes=Known(given.sockets, _HOW),
        caches=_NOT_GIVEN,
        smt=Known("on" if given.threads_per_core > 1 else "off", _HOW),
        governor=Known(given.governor, _HOW) if given.governor else _NOT_GIVEN,
        frequency_driver=Known(given.frequency_driver, _HOW) if given.frequency_driver else _NOT_GIVEN,
        deepest_idle=_given(given.deepest_idle),
        interrupts=_given(given.interrupts),
        features=_given(given.features),
        dscr=_given(given.dscr),
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
        transparent_huge_pages=Known(str(given.kernel.get("thp.enabled", "always")), _HOW)
        if given.transparent
        else Absent(_HOW),
        translation=Known(given.translation, _HOW) if given.translation else Absent(_HOW),
    )


def _kernel(given: Given) -> Kernel:
    settings = {**DEFAULT_KERNEL, **given.kernel}
    if not given.huge_page_size:
        del settings["vm.nr_hugepages"]
    if not given.transparent:
        settings = {name: value for name, value in settings.items() if not name.startswith("thp.")}
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
        rotational=_NOT_GIVEN if given.disk_unknown else Known(given.disk == "hdd", _HOW),
        scheduler=Known(given.scheduler, _HOW),
        read_ahead_kb=Known(given.read_ahead_kb, _HOW),
        transport=Known("nvme", _HOW) if given.disk == "nvme" and not given.disk_unknown else _NOT_GIVEN,
        stable=Known(f"/dev/disk/by-id/{given.stable_name}", _HOW) if given.stable_name else Absent(_HOW),
        nr_requests=_given(given.nr_requests),
        wbt_lat_usec=_given(given.wbt_lat_usec),
    )
    space: Fact[Bytes] = Known(Bytes.parse(given.free_space), _HOW) if given.free_space else _NOT_GIVEN
    return Storage(
        mount=mount,
        device=Known(f"/dev/{device}", _HOW),
        filesystem=Known(given.filesystem, _HOW),
        options=Known(given.mount_options, _HOW),
        disks=Known(given.disks or (disk,), _HOW),
        roles=roles,
        total=space,
        free=space,
        layers=_given(given.layers),
    )


def _server(given: Given, settings: Mapping[str, Setting]) -> PostgresServer:
    return PostgresServer(
        version=Known(given.major, _HOW),
        major=Known(given.major, _HOW),
        data_directory=Known("/var/lib/postgresql/data", _HOW),
        config_file=Known("/var/lib/postgresql/data/postgresql.conf", _HOW),
        port=Known(5432, _HOW),
        running=given.running,
        owner=given.owner,
        os_user=Known("postgres", _HOW),
        role=Known(given.role, _HOW),
        system_identifier=_NOT_GIVEN,
        socket_directory=_NOT_GIVEN,
        include_directory=Absent(_HOW),
        shared_memory_pages=_NOT_GIVEN,
        settings=Known(settings, _HOW),
        activity=_NOT_GIVEN,
        unit=Known(given.unit, _HOW) if given.unit else Absent(_HOW),
        sampled_by=Known(given.sampled_by, _HOW) if given.sampled_by else Absent(_HOW),
        choices=Known(given.built_with, _HOW) if given.built_with else _NOT_GIVEN,
        os_uid=_given(given.os_uid),
        open_files=_given(given.open_files),
        extensions=Known(given.extensions, _HOW) if given.extensions else _NOT_GIVEN,
        replication=given.replication,
        slru=given.slru,
        overrides=given.overrides,
        statements=given.statements,
    )

"""Processors: how many are online and how they are grouped in cores, sockets, books, drawers and nodes."""

from __future__ import annotations

import math
from types import MappingProxyType

from tunewiz.collect import file_values
from tunewiz.collect.cpu.caches import read_caches
from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.cpu.frequency import read_frequency_driver, read_governor
from tunewiz.collect.cpu.idle import read_deepest_idle, read_idle_driver
from tunewiz.collect.cpu.interrupts import read_interrupts
from tunewiz.collect.cpu.listed_topology import listed_topology
from tunewiz.collect.cpu.model import read_model, read_vendor
from tunewiz.collect.cpu.numa_nodes import read_nodes
from tunewiz.collect.cpu.online import FOLDER, read_present
from tunewiz.collect.cpu.polarization import read_polarization
from tunewiz.collect.cpu.sockets import read_sockets
from tunewiz.collect.cpu.special import read_dscr, read_features
from tunewiz.collect.cpu.state import read_dispatching, read_kinds, read_offline, read_steal
from tunewiz.collect.cpu.topology import MAX_THREADS, Topology, read_topology
from tunewiz.collect.platform.sysinfo import Sysinfo
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import Cache, Cpu
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown, known_or

_SMT_WORDS = MappingProxyType(
    {
        "on": "on",
        "off": "off",
        "forceoff": "off",
        "notsupported": "unsupported",
        "notimplemented": "",
        **{str(threads): "on" for threads in range(2, MAX_THREADS + 1)},
    }
)
"""What smt/control says (kernel: ABI/testing/sysfs-devices-system-cpu); POWER writes how many are on."""


def read_cpu(
    system: System, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo], online: Fact[frozenset[int]]
) -> Cpu:
    """Everything about the processors; from sysfs, or from /proc/cpuinfo if sysfs is missing."""
    nodes = read_nodes(system, online, cpuinfo)
    topology = _topology(system, cpuinfo, online, nodes)
    threads = _threads(system, cpuinfo, online, topology)
    up = online.value if isinstance(online, Known) else frozenset[int]()
    cores = len(topology.value.cores) if isinstance(topology, Known) else 0
    s390 = _is_s390(system, cpuinfo, sysinfo, topology)
    idle_driver = read_idle_driver(system)
    made_up = isinstance(s390, Known) and s390.value and _is_made_up(topology, sysinfo)
    return Cpu(
        vendor=read_vendor(cpuinfo, sysinfo),
        model=read_model(system, cpuinfo, sysinfo, online),
        online=_count(online),
        cores=Known(cores, topology.how) if isinstance(topology, Known) else topology,
        threads_per_core=threads,
        sockets=_MADE_UP if made_up else read_sockets(system, cpuinfo, _of(topology, "sockets")),
        books=_containers(s390, made_up, _of(topology, "books")),
        drawers=_containers(s390, made_up, _of(topology, "drawers")),
        numa_nodes=_count(nodes),
        caches=_caches(system, up, cores, cpuinfo, s390),
        smt=_smt(system, threads, topology),
        offline=read_offline(system, online),
        kinds=read_kinds(system, online, cpuinfo),
        dispatching=read_dispatching(system, s390),
        polarization=read_polarization(system, up, s390),
        features=read_features(system, cpuinfo, s390),
        dscr=read_dscr(system, cpuinfo),
        steal=read_steal(system),
        governor=read_governor(system),
        frequency_driver=read_frequency_driver(system),
        idle_driver=idle_driver,
        deepest_idle=read_deepest_idle(system, idle_driver),
        interrupts=read_interrupts(system),
    )


_MADE_UP = Unknown("this guest's hypervisor shows each processor as a socket and book of its own")


def _count(fact: Fact[frozenset[int]] | Fact[dict[str, frozenset[int]]]) -> Fact[int]:
    return Known(len(fact.value), fact.how) if isinstance(fact, Known) else fact


def _topology(
    system: System,
    cpuinfo: Fact[CpuInfo],
    online: Fact[frozenset[int]],
    nodes: Fact[dict[str, frozenset[int]]],
) -> Fact[Topology]:
    if not isinstance(online, Known):
        return online
    places = nodes.value if isinstance(nodes, Known) else {}
    topology = read_topology(system, online.value, places, cpuinfo)
    if (
        isinstance(topology, Unknown)
        and isinstance(cpuinfo, Known)
        and not _has_topology(system, online.value)
    ):
        topology = file_values.first((topology, listed_topology(cpuinfo.value, online.value)))
    if isinstance(topology, Unknown) and len(online.value) == 1:
        one = Known(1, "one processor is online")
        alone = Topology(cores=(online.value,), sockets=one, books=one, drawers=one)
        return Known(alone, one.how)
    return topology


def _has_topology(system: System, online: frozenset[int]) -> bool:
    """Whether sysfs was to tell: a damaged answer is not replaced by a guess from /proc/cpuinfo."""
    return any(system.exists(f"{FOLDER}/cpu{cpu}/topology") for cpu in online)


def _of(topology: Fact[Topology], what: str) -> Fact[int]:
    match topology:
        case Known(value):
            return {"sockets": value.sockets, "books": value.books, "drawers": value.drawers}[what]
        case Unknown():
            return topology


def _is_s390(
    system: System, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo], topology: Fact[Topology]
) -> Fact[bool]:
    """Only s390x has /proc/sysinfo and books; else the vendor tells, or what the kernel calls the machine."""
    books = _of(topology, "books")
    if isinstance(sysinfo, Known) or (isinstance(books, Known) and books.how.endswith("/book_id")):
        return Known(value=True, how="/proc/sysinfo or books")
    if isinstance(cpuinfo, Known):
        return Known(value=cpuinfo.value.first("vendor_id") == "IBM/S390", how=cpuinfo.how)
    machine = system.uname().machine
    return Known(machine.value == "s390x", machine.how) if isinstance(machine, Known) else cpuinfo


def _caches(
    system: System, online: frozenset[int], cores: int, cpuinfo: Fact[CpuInfo], s390: Fact[bool]
) -> Fact[tuple[Cache, ...]]:
    """On s390x only /proc/cpuinfo has all of them: without it sysfs alone would show too few."""
    if isinstance(cpuinfo, Unknown) and isinstance(s390, Known) and s390.value:
        return cpuinfo
    return read_caches(system, online, cores, cpuinfo)


def _is_made_up(topology: Fact[Topology], sysinfo: Fact[Sysinfo]) -> bool:
    """Without the topology facility the kernel gives each processor a socket and a book of its own."""
    if not isinstance(topology, Known):
        return False
    actual, cores = topology.value, len(topology.value.cores)
    guest = not isinstance(sysinfo, Known) or "VM00 Control Program" in sysinfo.value
    sockets = known_or(actual.sockets, cores)
    return sockets == cores and (guest or (cores > 1 and known_or(actual.books, cores) == cores))


def _containers(s390: Fact[bool], made_up: bool, fact: Fact[int]) -> MaybeFact[int]:  # noqa: FBT001 - private
    match s390:
        case Unknown():
            return s390
        case Known(value=True):
            return _MADE_UP if made_up else fact
        case Known():
            return Absent("only s390x machines have books and drawers")


def _threads(
    system: System, cpuinfo: Fact[CpuInfo], online: Fact[frozenset[int]], topology: Fact[Topology]
) -> Fact[int]:
    """Threads that a core has: the most that are online on one, or more where POWER shows them offline."""
    if not isinstance(topology, Known):
        return topology
    if not isinstance(online, Known):
        return online
    most = max(map(len, topology.value.cores))
    step = math.gcd(*online.value, MAX_THREADS)
    if most > 1 or step == 1 or len(online.value) == 1:
        return Known(most, topology.how)
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    if not cpuinfo.value.first("cpu").startswith("POWER"):
        return Known(most, topology.how)
    return _power_threads(system, online.value, step)


def _power_threads(system: System, online: frozenset[int], step: int) -> Fact[int]:
    """POWER numbers threads core by core: with SMT off only the first number of each core is online."""
    present = read_present(system, online)
    if not isinstance(present, Known):
        return present
    whole = all(first + thread in present.value for first in online for thread in range(step))
    return Known(step if whole else 1, f"{FOLDER}/present: all but each core's first thread are offline")


def _smt(system: System, threads: Fact[int], topology: Fact[Topology]) -> Fact[str]:
    """The kernel's own word; if it has none, what the online threads show."""
    control = file_values.converted(
        file_values.text(system, f"{FOLDER}/smt/control"),
        _SMT_WORDS.get,
        "a word such as on, off, notsupported",
    )
    match control, threads, topology:
        case Known(word), _, _ if word:
            return control
        case _, Known(count, how), Known(value) if count > 1:
            return Known("on" if max(map(len, value.cores)) > 1 else "off", how)
        case Known(_, how), Known(), _:
            return Known("unsupported", how)
        case Known(_, how), _, _:
            return Unknown(f"the kernel does not report it: {how}")
        case _:
            return control

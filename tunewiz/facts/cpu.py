"""Processors: how many are online and how they sit in cores, sockets, books, drawers and nodes."""

from __future__ import annotations

import math

from tunewiz.core.facts import Cpu
from tunewiz.core.known import Absent, Fact, Known, MaybeFact, Unknown, known_or
from tunewiz.facts import reading
from tunewiz.facts.caches import read_caches
from tunewiz.facts.cpuinfo import CpuInfo
from tunewiz.facts.listed_topology import listed_topology
from tunewiz.facts.model import read_model, read_vendor
from tunewiz.facts.numa import read_nodes
from tunewiz.facts.online import FOLDER, read_online
from tunewiz.facts.sysinfo import Sysinfo
from tunewiz.facts.topology import MOST_THREADS, Topology, read_topology
from tunewiz.system import System

_SMT_WORDS = {"notsupported": "unsupported", "forceoff": "off"}


def read_cpu(system: System, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo]) -> Cpu:
    """Everything about the processors; sysfs first, /proc/cpuinfo where sysfs is missing."""
    online = read_online(system, cpuinfo)
    nodes = read_nodes(system, online)
    topology = _topology(system, cpuinfo, online, nodes)
    threads = _threads(system, cpuinfo, online, topology)
    up = online.value if isinstance(online, Known) else frozenset[int]()
    cores = len(topology.value.cores) if isinstance(topology, Known) else 0
    s390 = _is_s390(cpuinfo, sysinfo)
    made_up = s390 and _is_made_up(topology, sysinfo)
    return Cpu(
        vendor=read_vendor(cpuinfo, sysinfo),
        model=read_model(system, cpuinfo, sysinfo),
        online=_count(online),
        cores=Known(cores, topology.how) if isinstance(topology, Known) else topology,
        threads_per_core=threads,
        sockets=_MADE_UP if made_up else _of(topology, "sockets"),
        books=_containers(s390, made_up, _of(topology, "books")),
        drawers=_containers(s390, made_up, _of(topology, "drawers")),
        numa_nodes=_count(nodes),
        caches=read_caches(system, up, cores, cpuinfo),
        smt=_smt(system, threads, topology),
    )


_MADE_UP = Unknown("this guest's hypervisor shows each processor as its own socket and book")


def _count(found: Fact[frozenset[int]] | Fact[dict[str, frozenset[int]]]) -> Fact[int]:
    return Known(len(found.value), found.how) if isinstance(found, Known) else found


def _topology(
    system: System,
    cpuinfo: Fact[CpuInfo],
    online: Fact[frozenset[int]],
    nodes: Fact[dict[str, frozenset[int]]],
) -> Fact[Topology]:
    if not isinstance(online, Known):
        return online
    places = nodes.value if isinstance(nodes, Known) else {}
    found = read_topology(system, online.value, places)
    if isinstance(found, Unknown) and isinstance(cpuinfo, Known):
        found = reading.first((found, listed_topology(cpuinfo.value, online.value)))
    if isinstance(found, Unknown) and len(online.value) == 1:
        one = Known(1, "one processor is online")
        alone = Topology(cores=(online.value,), sockets=one, books=one, drawers=one)
        return Known(alone, one.how)
    return found


def _of(topology: Fact[Topology], what: str) -> Fact[int]:
    match topology:
        case Known(found):
            return {"sockets": found.sockets, "books": found.books, "drawers": found.drawers}[what]
        case Unknown():
            return topology


def _is_s390(cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo]) -> bool:
    listed = isinstance(cpuinfo, Known) and cpuinfo.value.first("vendor_id") == "IBM/S390"
    return listed or isinstance(sysinfo, Known)


def _is_made_up(topology: Fact[Topology], sysinfo: Fact[Sysinfo]) -> bool:
    """Without the topology facility the kernel gives each processor a socket and a book of its own."""
    if not isinstance(topology, Known):
        return False
    found, cores = topology.value, len(topology.value.cores)
    guest = isinstance(sysinfo, Known) and "VM00 Control Program" in sysinfo.value
    sockets = known_or(found.sockets, cores)
    return sockets == cores and (guest or (cores > 1 and known_or(found.books, cores) == cores))


def _containers(s390: bool, made_up: bool, found: Fact[int]) -> MaybeFact[int]:  # noqa: FBT001 - private
    if not s390:
        return Absent("only s390x machines have books and drawers")
    return _MADE_UP if made_up else found


def _threads(
    system: System, cpuinfo: Fact[CpuInfo], online: Fact[frozenset[int]], topology: Fact[Topology]
) -> Fact[int]:
    """Threads that a core has: the most that are online on one, or more where POWER shows them offline."""
    if not isinstance(topology, Known):
        return topology
    most = max(map(len, topology.value.cores))
    power = isinstance(cpuinfo, Known) and cpuinfo.value.first("cpu").startswith("POWER")
    if most == 1 and power and isinstance(online, Known):
        built = _power_threads(system, online.value)
        if built > 1:
            return Known(built, f"{FOLDER}/present: all but each core's first thread are offline")
    return Known(most, topology.how)


def _power_threads(system: System, online: frozenset[int]) -> int:
    """POWER numbers threads core by core: with SMT off only the first number of each core is online."""
    present = reading.processors(system, f"{FOLDER}/present")
    step = math.gcd(*online, MOST_THREADS) if len(online) > 1 else 1
    if not isinstance(present, Known):
        return 1
    whole = all(first + thread in present.value for first in online for thread in range(step))
    return step if whole else 1


def _smt(system: System, threads: Fact[int], topology: Fact[Topology]) -> Fact[str]:
    """The kernel's word; where it has none, what the online threads show."""
    control = reading.word(system, f"{FOLDER}/smt/control")
    if isinstance(control, Known) and control.value != "notimplemented":
        return Known(_SMT_WORDS.get(control.value, control.value), control.how)
    if isinstance(threads, Known) and isinstance(topology, Known) and threads.value > 1:
        running = max(map(len, topology.value.cores))
        return Known("on" if running > 1 else "off", threads.how)
    if isinstance(control, Known):
        return Known("unsupported", control.how)
    return control

"""How online processors are grouped in cores, sockets, books and drawers.

The kernel's lists of siblings say it best. Where they are missing the ids do, with the node among them:
core ids repeat across sockets, books, Arm's clusters and, on some AMD machines, the nodes of one socket.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tunewiz.collect import file_values
from tunewiz.collect.cpu.core_ids import checked_cores
from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.cpu.online import FOLDER
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact, Known, Unknown

Place = tuple[int, ...]
"""The ids from the outermost container inwards: drawer, book, package."""

MAX_THREADS = 8
"""Threads of a POWER8, POWER9 or POWER10 core; no architecture has more."""

_SIBLINGS = ("core_cpus_list", "thread_siblings_list", "core_cpus", "thread_siblings")
_PACKAGE_SIBLINGS = ("package_cpus_list", "core_siblings_list", "package_cpus", "core_siblings")
_CONTAINERS = ("drawer_id", "book_id", "physical_package_id")
_WITHIN_PACKAGE = ("die_id", "cluster_id")
_NO_CLUSTER = 0xFFFF
"""What x86 writes where it knows no cluster (BAD_APICID as 16 bits); others write -1."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Topology:
    """Counts of distinct units among the online processors."""

    cores: tuple[frozenset[int], ...]
    sockets: Fact[int]
    books: Fact[int]
    drawers: Fact[int]


def read_topology(
    system: System,
    online: frozenset[int],
    nodes: Mapping[str, frozenset[int]],
    cpuinfo: Fact[CpuInfo],
) -> Fact[Topology]:
    """Group the online processors by what they share; unknown if sysfs lacks it for one of them.

    Args:
        system: The machine.
        online: The processors that are online.
        nodes: Those of each NUMA node, as far as that is known.
        cpuinfo: Where cores are grouped by ids, how many there are by this.
    """
    reader = _TopologyReader(system, online, nodes)
    cores = reader.cores(cpuinfo)
    if not isinstance(cores, Known):
        return cores
    leaders = [min(core) for core in cores.value]
    return Known(
        Topology(
            cores=cores.value,
            sockets=file_values.first((reader.distinct(leaders, _CONTAINERS), reader.packages(leaders))),
            books=reader.distinct(leaders, _CONTAINERS[:2]),
            drawers=reader.distinct(leaders, _CONTAINERS[:1]),
        ),
        cores.how,
    )


def _of_first_two(listings: Iterator[Fact[tuple[str, ...]]]) -> Fact[tuple[str, ...]]:
    """The names in the first two listings that can be had: one of them may lack a file."""
    one, other = file_values.first(listings), file_values.first(listings)
    if not isinstance(one, Known) or not isinstance(other, Known):
        return one
    return Known(tuple(dict.fromkeys((*one.value, *other.value))), one.how)


class _TopologyReader:
    """Reads each topology file at most once, and only files that one of the first processors has."""

    def __init__(self, system: System, online: frozenset[int], nodes: Mapping[str, frozenset[int]]) -> None:
        self._system = system
        self._online = online
        self._node = {cpu: place for place, cpus in enumerate(nodes.values()) for cpu in cpus}
        listings = (file_values.names(system, f"{FOLDER}/cpu{cpu}/topology") for cpu in sorted(online))
        self._names = _of_first_two(listings)

    def cores(self, cpuinfo: Fact[CpuInfo]) -> Fact[tuple[frozenset[int], ...]]:
        """By siblings where any processor tells them, else by ids; never partly one and partly the other."""
        if not isinstance(self._names, Known):
            return self._names
        fact = self._by_siblings()
        if not isinstance(fact, Known) or not fact.value:
            return self._checked(self._by_ids(), cpuinfo)
        without = self._online - frozenset[int]().union(*fact.value)
        return Unknown(f"no siblings: {FOLDER}/cpu{min(without)}/topology") if without else fact

    def _checked(
        self, fact: Fact[tuple[frozenset[int], ...]], cpuinfo: Fact[CpuInfo]
    ) -> Fact[tuple[frozenset[int], ...]]:
        if not isinstance(fact, Known):
            return fact
        if self._have_clusters(fact.value):
            return fact
        info = cpuinfo.value if isinstance(cpuinfo, Known) else CpuInfo(processors={}, machine={})
        cores = checked_cores(info, fact.value)
        if not cores:
            return Unknown(f"equal ids may be threads or other cores: {fact.how}")
        return Known(tuple(cores), fact.how)

    def _have_clusters(self, cores: tuple[frozenset[int], ...]) -> bool:
        """Within clusters that are numbered the kernel itself takes equal core ids for threads."""
        result = (self._ids(min(core), ("cluster_id",)) for core in cores)
        return "cluster_id" in self._present(("cluster_id",)) and all(
            isinstance(place, Known) and 0 <= place.value[0] < _NO_CLUSTER for place in result
        )

    def _present(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        present = self._names.value if isinstance(self._names, Known) else ()
        return tuple(name for name in wanted if name in present)

    def _group(self, cpu: int, files: tuple[str, ...]) -> Fact[frozenset[int]]:
        for name in files:
            path = f"{FOLDER}/cpu{cpu}/topology/{name}"
            convert = file_values.as_list if name.endswith("_list") else file_values.as_map
            fact = file_values.converted(file_values.text(self._system, path), convert, "processor numbers")
            if isinstance(fact, Known) and cpu in fact.value:
                return Known(fact.value & self._online, fact.how)
        return Unknown(f"no siblings: {FOLDER}/cpu{cpu}/topology")

    def _by_siblings(self) -> Fact[tuple[frozenset[int], ...]]:
        files = self._present(_SIBLINGS)
        if not files:
            return Unknown(f"no such file: {FOLDER}/cpu*/topology/{_SIBLINGS[1]}")
        cores, placed = list[frozenset[int]](), set[int]()
        for cpu in sorted(self._online):
            if cpu not in placed:
                fact = self._group(cpu, files)
                if isinstance(fact, Known):
                    cores.append(fact.value - placed)
                    placed |= fact.value
        return Known(tuple(cores), f"{FOLDER}/cpu*/topology/{files[0]}")

    def _ids(self, cpu: int, files: tuple[str, ...]) -> Fact[Place]:
        place = list[int]()
        for name in files:
            number = file_values.number(self._system, f"{FOLDER}/cpu{cpu}/topology/{name}")
            if isinstance(number, Unknown):
                return number
            place.append(number.value)
        return Known(tuple(place), f"{FOLDER}/cpu*/topology/{files[-1]}")

    def _by_ids(self) -> Fact[tuple[frozenset[int], ...]]:
        files = (*self._present((*_CONTAINERS, *_WITHIN_PACKAGE)), "core_id")
        cores = dict[Place, set[int]]()
        for cpu in sorted(self._online):
            ids = self._ids(cpu, files)
            if isinstance(ids, Unknown):
                return ids
            cores.setdefault((self._node.get(cpu, -1), *ids.value), set()).add(cpu)
        return Known(tuple(map(frozenset, cores.values())), f"{FOLDER}/cpu*/topology/core_id")

    def distinct(self, leaders: list[int], wanted: tuple[str, ...]) -> Fact[int]:
        """How many different places the cores are in; -1 is a place that the kernel does not know."""
        files = self._present(wanted)
        if wanted[-1] not in files:
            return Unknown(f"no such file: {FOLDER}/cpu*/topology/{wanted[-1]}")
        places = set[Place]()
        for cpu in leaders:
            ids = self._ids(cpu, files)
            if isinstance(ids, Unknown):
                return ids
            if ids.value[-1] < 0:
                return Unknown(f"the kernel gives no number: {FOLDER}/cpu{cpu}/topology/{wanted[-1]}")
            places.add(ids.value)
        return Known(len(places), f"{FOLDER}/cpu*/topology/{wanted[-1]}")

    def packages(self, leaders: list[int]) -> Fact[int]:
        """How many different groups of processors share a package."""
        files = self._present(_PACKAGE_SIBLINGS)
        groups = set[frozenset[int]]()
        for cpu in leaders:
            fact = self._group(cpu, files)
            if isinstance(fact, Unknown):
                return fact
            groups.add(fact.value)
        return Known(len(groups), f"{FOLDER}/cpu*/topology/{files[0]}")

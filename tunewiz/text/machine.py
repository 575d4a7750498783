"""Facts as rows: what was found, and the source of each."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from rich.text import Text

from tunewiz.core.answers.corrections import BY_HAND
from tunewiz.core.facts.dasd import ChannelPaths
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import Disk, Storage
from tunewiz.core.facts.server import PostgresServer, not_asked
from tunewiz.core.facts.storage_latency import NETWORKS
from tunewiz.core.server.disk_paths import NPIV
from tunewiz.core.server.partition import firmware_time_in_words, partition_in_words
from tunewiz.core.values.cut import cut
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes
from tunewiz.text.row import Row

LABEL = 15
MIN_SOURCE_WIDTH = 20
HYPERVISORS = {
    "none": "none (bare metal)",
    "lpar": "LPAR, a logical partition",
    "zvm": "z/VM",
    "kvm": "KVM",
    "powervm": "PowerVM",
    "vmware": "VMware",
}
"""Names used by their makers; others are shown as in the facts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FactLine:
    """One line about the machine."""

    key: str
    """The key that a correction names; unique also for facts that cannot be corrected here."""
    label: str
    value: str
    how: str
    known: bool = True
    concluded: bool = False
    """How it is known matters: it was not read but concluded, as from what is missing."""

    @property
    def origin(self) -> str:
        """How it is known, where that matters beside the value."""
        return self.how if self.concluded or self.how == BY_HAND else ""


def machine_rows(facts: Facts, width: int, widest: int) -> tuple[Row, ...]:
    """All facts at this width; a fact that is cut there may be as wide as `widest`."""
    return tuple(
        Row(key=fact_line.key, text=_text(fact_line, min(widest, max(width, _width_of(fact_line)))))
        for fact_line in fact_lines(facts)
    )


def _width_of(fact_line: FactLine) -> int:
    return LABEL + len(fact_line.value) + len(fact_line.origin) + 4


def fact_lines(facts: Facts) -> tuple[FactLine, ...]:
    """All facts in words, in the order of the page."""
    return (*_processor(facts), *_memory(facts), *_around(facts), *_storage(facts), *_servers(facts))


def _text(fact_line: FactLine, width: int) -> Text:
    how = shortened(fact_line.origin, max(MIN_SOURCE_WIDTH, width - LABEL - len(fact_line.value) - 4))
    room = width - LABEL - len(how) - 4
    value = cut(fact_line.value, room)
    text = Text.assemble(
        (fact_line.label.ljust(LABEL), "bold"),
        (value.ljust(max(0, room)), "" if fact_line.known else "italic"),
    )
    return Text.assemble(text, " ", (how, "bold" if fact_line.how == BY_HAND else "dim"))


def shortened(how: str, longest: int) -> str:
    """The end of a path says more than its beginning."""
    return how if len(how) <= longest else f"…{how[-longest + 1 :]}"


def _fact_line(
    key: str, label: str, fact: MaybeFact[object], shown: str | None = None, *, none: str = "none"
) -> FactLine:
    match fact:
        case Known(value, how):
            return FactLine(key=key, label=label, value=str(value) if shown is None else shown, how=how)
        case Absent(how):
            return FactLine(key=key, label=label, value=none, how=how, concluded=True)
        case Unknown(why):
            return FactLine(key=key, label=label, value=f"not known: {why}", how="", known=False)


def _size(fact: MaybeFact[Bytes]) -> str | None:
    return fact.value.human() if isinstance(fact, Known) else None


def _processor(facts: Facts) -> Iterator[FactLine]:
    cpu = facts.cpu
    yield _fact_line("cpu.model", "Processor", cpu.model)
    parts = [f"{how_many(known_or(cpu.cores, 0), 'core')}"]
    if isinstance(cpu.threads_per_core, Known):
        parts.append(f"{how_many(cpu.threads_per_core.value, 'thread')} each")
    if isinstance(cpu.sockets, Known):
        parts.append(f"{how_many(cpu.sockets.value, 'socket')}")
    if isinstance(cpu.numa_nodes, Known) and cpu.numa_nodes.value > 1:
        parts.append(f"{cpu.numa_nodes.value} NUMA nodes")
    yield _fact_line("cpu.cores", "  cores", cpu.cores, ", ".join(parts))
    if isinstance(cpu.polarization, Known):
        kinds = cpu.polarization.value
        vertical = f"vertical: {kinds.high} high, {kinds.medium} medium, {kinds.low} low"
        yield _fact_line("cpu.polarization", "  dispatching", cpu.polarization, vertical)


def _memory(facts: Facts) -> Iterator[FactLine]:
    memory = facts.memory
    yield _fact_line("memory.total", "Memory", memory.total, _size(memory.total))
    swap = "none" if known_or(memory.swap_total, Bytes(1)) == Bytes(0) else _size(memory.swap_total)
    yield _fact_line("memory.swap_total", "  swap", memory.swap_total, swap)
    pages = _size(memory.huge_page_size)
    if pages is not None:
        reserved = known_or(memory.huge_pages_total, 0)
        pages = f"{pages} each, {reserved or 'none'} reserved"
    yield _fact_line("memory.huge_page_size", "  huge pages", memory.huge_page_size, pages)
    if isinstance(memory.translation, Known):
        words = (_size(memory.page_size), f"{memory.translation.value} translation")
        described = ", ".join(word for word in words if word)
        yield _fact_line("memory.translation", "  pages", memory.translation, described)
    yield _fact_line("thp", "  transparent", memory.transparent_huge_pages)
    if isinstance(memory.zfs_cache, Known):
        cache = memory.zfs_cache.value
        described = f"{cache.size.human()}, at most {cache.most.human()}"
        yield _fact_line("memory.zfs_cache", "  ZFS cache", memory.zfs_cache, described)


def _around(facts: Facts) -> Iterator[FactLine]:
    limits, kernel, host = facts.limits, facts.kernel, facts.host
    under = facts.virtualization.hypervisor
    named = HYPERVISORS.get(under.value) if isinstance(under, Known) else None
    yield _fact_line("virtualization.hypervisor", "Hypervisor", under, named)
    partition = facts.virtualization.partition
    if isinstance(partition, Known):
        of = "of z/VM: " if isinstance(under, Known) and under.value == "zvm" else ""
        described = f"{of}{partition_in_words(partition.value)}"
        yield _fact_line("virtualization.partition", "  partition", partition, described)
    time = facts.virtualization.firmware_time
    if isinstance(time, Known) and (words := firmware_time_in_words(time.value)):
        yield _fact_line("virtualization.firmware_time", "  core time", time, words)
    yield _fact_line("virtualization.container", "Container", facts.virtualization.container)
    yield _fact_line("limits.memory", "  memory limit", limits.memory, _size(limits.memory))
    if isinstance(limits.memory_high, Known):
        yield _fact_line(
            "limits.memory_high", "  throttled at", limits.memory_high, _size(limits.memory_high)
        )
    yield _fact_line("limits.cpus", "  CPU limit", limits.cpus)
    yield _fact_line("host.distribution", "System", host.distribution)
    writable = {True: "settings can be changed", False: "settings are read-only here"}
    word = writable[kernel.writable.value] if isinstance(kernel.writable, Known) else "settings not checked"
    yield _fact_line("host.kernel", "  kernel", host.kernel, f"{known_or(host.kernel, '')} · {word}")


def _storage(facts: Facts) -> Iterator[FactLine]:
    for storage in facts.storage:
        label = " and ".join({"data": "Data", "wal": "WAL"}.get(role, role) for role in storage.roles)
        name = label or "Storage"
        line = _fact_line(f"storage {storage.mount}", name, storage.filesystem, storage_words(storage))
        yield line if line.known or not known_or(storage.disks, ()) else _of_disks(line, storage)
        yield from _ways(storage)


def _ways(storage: Storage) -> Iterator[FactLine]:
    """How disks are reached over channels or Fibre Channel, each way once."""
    ways = {ways_in_words(disk): disk for disk in known_or(storage.disks, ()) if ways_in_words(disk)}
    if ways:
        first = next(iter(ways.values()))
        facts = (first.channel_paths, first.adapter, first.queue_depth)
        fact = next(fact for fact in facts if isinstance(fact, Known))
        yield _fact_line(f"ways {storage.mount}", "  reached over", fact, "; ".join(ways))


def _of_disks(line: FactLine, storage: Storage) -> FactLine:
    """Where the disks are known and the file system is not: what the next page goes by is said here too."""
    return dataclasses.replace(line, value=storage_words(storage))


def storage_words(storage: Storage) -> str:
    """A file system in words: where, what, on which disks, how much is free."""
    disks = known_or(storage.disks, ())
    on = f" on {', '.join(_disk_words(disk) for disk in disks)}" if disks else ""
    free = f", {storage.free.value.human()} free" if isinstance(storage.free, Known) else ""
    return f"{known_or(storage.filesystem, 'file system not known')}{on}{free}, {storage.mount}"


def ways_in_words(disk: Disk) -> str:
    """Its channel paths, its adapter, or its virtual SCSI queue; empty where none is known."""
    if isinstance(disk.channel_paths, Known):
        return ", ".join(word for word in _over_channels(disk, disk.channel_paths.value) if word)
    if known_or(disk.transport, "") == "vscsi" and isinstance(disk.queue_depth, Known):
        return f"virtual SCSI, {how_many(disk.queue_depth.value, 'request')} at once for each disk"
    return _over_fibre_channel(disk, disk.adapter.value) if isinstance(disk.adapter, Known) else ""


def _over_channels(disk: Disk, paths: ChannelPaths) -> Iterator[str]:
    lost = len(paths.installed) - len(paths.usable)
    yield f"channel paths {' '.join(paths.usable)}"
    yield f"{lost} more out of use" if lost else ""
    if isinstance(disk.hpf, Known):
        yield "zHPF" if disk.hpf.value else "no zHPF"
    if isinstance(disk.block_size, Known):
        yield f"blocks of {disk.block_size.value} bytes"


def _over_fibre_channel(disk: Disk, adapter: str) -> str:
    """Only ports of IBM Z are told apart: elsewhere a port is seldom shared."""
    port = known_or(disk.port_type, "")
    if not port or known_or(disk.transport, "") != "zfcp":
        return adapter
    return f"{adapter} ({'NPIV' if port == NPIV else 'no NPIV'})"


def _disk_words(disk: Disk) -> str:
    words = (known_or(disk.transport, ""), _kind_of(disk))
    return f"{disk.name} ({', '.join(word for word in words if word) or 'unknown kind'})"


def _kind_of(disk: Disk) -> str:
    """What turns behind a storage network is not this machine's to see; empty where it is not known."""
    if isinstance(disk.dasd, Known):
        aliases = disk.dasd.value.aliases
        return f"{disk.dasd.value.discipline}, {how_many(aliases, 'alias') if aliases else 'no alias'}"
    if known_or(disk.transport, "") in NETWORKS:
        return "SAN"
    rotational: Fact[bool] = disk.rotational
    return (
        {True: "rotating", False: "not rotational"}[rotational.value] if isinstance(rotational, Known) else ""
    )


def _servers(facts: Facts) -> Iterator[FactLine]:
    if not facts.postgres:
        yield FactLine(key="postgres", label="PostgreSQL", value="no server was found", how="", known=False)
    for number, server in enumerate(facts.postgres):
        yield _fact_line(f"postgres {number}", "PostgreSQL", server.release, server_words(server))


def server_words(server: PostgresServer) -> str:
    """A server in words."""
    running = f"port {known_or(server.port, 'unknown')}" if server.running else "stopped"
    running += ", which could not be queried" if not_asked(server) else ""
    release = known_or(server.release, "version unknown")
    return f"{release}, {running}, {known_or(server.data_directory, 'data directory unknown')}"

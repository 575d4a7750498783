"""Block devices: from the one that is mounted down through partitions, LVM, dm-crypt, multipath and md."""

from __future__ import annotations

import posixpath
import re

from tunewiz.collect import file_values
from tunewiz.collect.storage.channel_paths import read_channel_paths, read_hpf
from tunewiz.collect.storage.dasd import DasdDevices
from tunewiz.collect.storage.fibre_channel import read_adapter, read_port_type
from tunewiz.collect.storage.layers import read_layers, read_of_device, read_paths
from tunewiz.collect.storage.stable_names import StableNames
from tunewiz.collect.storage.transport import read_transport
from tunewiz.collect.system import ReadError, System
from tunewiz.core.facts.machine import Disk, Layer
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

FOLDER = "/sys/block"
BTRFS = "/sys/fs/btrfs"

_PLAIN_SCHEDULER = re.compile(r"[a-z][a-z0-9-]*")


class BlockDevices:
    """The machine's block devices by number and by name, listed once."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._folders: dict[str, str] = {}
        self._numbers: dict[str, str] = {}
        self._mapped: dict[str, str] = {}
        self._stable = StableNames(system)
        self._dasd = DasdDevices(system)
        listing = file_values.names(system, FOLDER)
        self._listing = listing
        for name in listing.value if isinstance(listing, Known) else ():
            self._enter(name)

    def _enter(self, name: str) -> None:
        try:
            folder = self._system.realpath(f"{FOLDER}/{name}")
            entries = self._system.listdir(folder)
        except ReadError:
            return
        self._add(name, folder)
        for entry in entries:
            if entry.startswith(name) and self._system.exists(f"{folder}/{entry}/partition"):
                self._add(entry, f"{folder}/{entry}")
        if "dm" in entries and isinstance(
            mapped := file_values.word(self._system, f"{folder}/dm/name"), Known
        ):
            self._mapped[mapped.value] = name

    def _add(self, name: str, folder: str) -> None:
        self._folders[name] = folder
        number = file_values.word(self._system, f"{folder}/dev")
        if isinstance(number, Known):
            self._numbers[number.value] = name

    def device(self, number: str, source: str) -> Fact[str]:
        """The kernel's name of a mounted device, by its number or else by the source in the mount table."""
        if number in self._numbers:
            return Known(self._numbers[number], f"{FOLDER}/*/dev: {number}")
        if not source.startswith("/dev/"):
            return Unknown(f"no block device is mounted but {source!r}")
        for name in (self._named(source), self._named(self._followed(source))):
            if name:
                return Known(name, f"mount table: {source}")
        if isinstance(self._listing, Unknown):
            return self._listing
        return Unknown(f"{FOLDER} has no device for {source} ({number or 'no number'})")

    def _followed(self, source: str) -> str:
        try:
            return self._system.realpath(source)
        except ReadError:
            return source

    def _named(self, source: str) -> str:
        name = posixpath.basename(source)
        name = self._mapped.get(name, name) if source.startswith("/dev/mapper/") else name
        return name if name in self._folders else ""

    def disks(self, *names: str) -> tuple[Disk, ...]:
        """The disks under one or more devices, each once."""
        observation = set[str]()
        return tuple(self._disk(text) for name in names for text in self._leaves(name, observation))

    def layers(self, *names: str) -> tuple[Layer, ...]:
        """The devices between one or more devices and their disks, each once."""
        return read_layers(self._system, self._folders, *names)

    def companions(self, name: str) -> tuple[str, ...]:
        """A device with the others of the same btrfs file system."""
        volumes = file_values.names(self._system, BTRFS)
        for volume in volumes.value if isinstance(volumes, Known) else ():
            members = file_values.names(self._system, f"{BTRFS}/{volume}/devices")
            if isinstance(members, Known) and name in members.value:
                return members.value
        return (name,)

    def _leaves(self, name: str, observation: set[str]) -> list[str]:
        if name in observation or name not in self._folders:
            return []
        observation.add(name)
        folder = self._folders[name]
        if self._system.exists(f"{folder}/partition"):
            return self._leaves(posixpath.basename(posixpath.dirname(folder)), observation)
        below = file_values.names(self._system, f"{folder}/slaves")
        slaves = below.value if isinstance(below, Known) else ()
        leaves = [leaf for slave in slaves for leaf in self._leaves(slave, observation)]
        return leaves or ([] if slaves and all(slave in observation for slave in slaves) else [name])

    def _disk(self, name: str) -> Disk:
        folder = self._folders[name]
        queue = f"{folder}/queue"
        return Disk(
            name=name,
            rotational=_flag(self._system, f"{queue}/rotational"),
            scheduler=_scheduler(self._system, queue),
            read_ahead_kb=file_values.number(self._system, f"{queue}/read_ahead_kb"),
            transport=read_transport(self._system, name, folder),
            stable=self._stable.of(name),
            nr_requests=_count(self._system, queue, "nr_requests"),
            wbt_lat_usec=_count(self._system, queue, "wbt_lat_usec"),
            paths=read_paths(self._system, name, folder),
            path_policy=read_of_device(self._system, folder, "iopolicy"),
            state=read_of_device(self._system, folder, "state"),
            queue_depth=_count(self._system, f"{folder}/device", "queue_depth"),
            dasd=self._dasd.of(name, folder),
            block_size=file_values.number(self._system, f"{queue}/logical_block_size"),
            hpf=read_hpf(self._system, name, folder),
            channel_paths=read_channel_paths(self._system, name, folder),
            adapter=read_adapter(folder),
            port_type=read_port_type(self._system, folder),
        )


def _flag(system: System, path: str) -> Fact[bool]:
    text = file_values.text(system, path)
    return file_values.converted(text, {"0": False, "1": True}.get, "0 or 1")


def _count(system: System, queue: str, name: str) -> MaybeFact[int]:
    """A number that not every queue has; the kernel refuses to read one that it does not use."""
    path = f"{queue}/{name}"
    entries = file_values.names(system, queue)
    if isinstance(entries, Known) and name not in entries.value:
        return file_values.absent(system, path, f"no {path}")
    try:
        content = system.read_text(path).strip()
    except ReadError as error:
        refused = system.live and error.reason == "failed"
        return Absent(f"the kernel has none: {path}") if refused else Unknown(error.message)
    return file_values.converted(Known(content, path), _natural, "a number, 0 or more")


def _natural(content: str) -> int | None:
    number = file_values.as_integer(content)
    return number if number is not None and number >= 0 else None


def _scheduler(system: System, queue: str) -> MaybeFact[str]:
    """The word in brackets; devices without a choice write one word, or have no such file."""
    path = f"{queue}/scheduler"
    entries = file_values.names(system, queue)
    if isinstance(entries, Known) and "scheduler" not in entries.value:
        return file_values.absent(system, path, f"no {path}")
    return file_values.converted(file_values.text(system, path), _active_or_only, "a scheduler in brackets")


def _active_or_only(content: str) -> str | None:
    return file_values.as_active(content) or (content if _PLAIN_SCHEDULER.fullmatch(content) else None)

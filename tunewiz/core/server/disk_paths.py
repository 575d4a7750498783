"""Over how many paths the disks under a file system are reached, and over how many adapters."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.machine import Disk, DiskPath, Layer, Storage
from tunewiz.core.values.known import Absent, Known, known_or, needed
from tunewiz.core.values.record import dataclass

OVER_A_NETWORK = frozenset({"fc", "zfcp", "iscsi"})
"""Transports of disks that should have several paths."""
LOCAL_NVME = frozenset({"nvme", "nvme-volume"})
WORKS = frozenset({"running", "live", "active"})
LSDASD = "lsdasd -l BUS-ID: paths_installed, paths_in_use; lschp: the state of each channel path"
MULTIPATH = "multipath -ll"
NPIV = "NPIV VPORT"
"""What the kernel calls a port with a name of its own on a shared adapter."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reached:
    """A disk with its paths."""

    name: str
    paths: int
    work: int
    look: str
    """The command that shows them."""
    adapter: str = ""
    """The only one that all its working paths go through, where it has several; else empty."""

    def in_words(self) -> str:
        """How many of its paths work.

        >>> Reached(name="mpatha", paths=4, work=2, look=MULTIPATH).in_words()
        'mpatha: 2 of 4'
        """
        return f"{self.name}: {self.work} of {self.paths}"


def disks_reached(storage: Storage) -> Iterator[Reached]:
    """The disks that are reached over a network or over channels; raises MissingFact."""
    disks = needed(storage.disks, "which disks the data is on")
    layers = needed(storage.layers, "what lies between the file system and its disks")
    by_name = {disk.name: disk for disk in disks}
    behind = {name for layer in layers if layer.kind == "multipath" for name in layer.below}
    for layer in layers:
        if layer.kind == "multipath":
            yield _of_layer(layer, by_name)
    for disk in disks:
        transport = known_or(disk.transport, "")
        if isinstance(disk.paths, Known) and (transport or "nvme") not in LOCAL_NVME:
            yield _of_nvme(disk, disk.paths.value)
        elif disk.name not in behind and transport in OVER_A_NETWORK:
            yield Reached(name=disk.name, paths=1, work=1, look=MULTIPATH)
        elif transport == "dasd" and not isinstance(disk.channel_paths, Absent):
            yield _of_dasd(disk)


def _of_layer(layer: Layer, disks: dict[str, Disk]) -> Reached:
    """A path whose state is unknown counts as working."""
    working = [name for name in layer.below if name not in disks or _works(disks[name])]
    adapters = {known_or(disks[name].adapter, name) if name in disks else name for name in working}
    return Reached(
        name=layer.label,
        paths=len(layer.below),
        work=len(working),
        look=MULTIPATH,
        adapter=adapters.pop() if len(working) > len(adapters) == 1 else "",
    )


def _works(disk: Disk) -> bool:
    return known_or(disk.state, "running") in WORKS


def _of_nvme(disk: Disk, paths: tuple[DiskPath, ...]) -> Reached:
    work = sum(path.state in WORKS for path in paths)
    return Reached(name=disk.name, paths=len(paths), work=work, look="nvme list-subsys")


def _of_dasd(disk: Disk) -> Reached:
    paths = needed(disk.channel_paths, f"over which channel paths {disk.name} is reached (lsdasd -l)")
    return Reached(name=disk.name, paths=len(paths.installed), work=len(paths.usable), look=LSDASD)

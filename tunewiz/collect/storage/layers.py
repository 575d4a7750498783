"""Devices on other devices, from the one that is mounted down: logical volumes, paths, encryption, RAID."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import DiskPath, Layer, LayerKind
from tunewiz.core.values.known import Absent, Known, MaybeFact, known_or
from tunewiz.core.values.units import Bytes

_BY_UUID: tuple[tuple[str, LayerKind], ...] = (("LVM-", "lvm"), ("mpath-", "multipath"), ("CRYPT-", "crypt"))
"""How the programs begin the uuid of a mapped device (dmsetup(8), UUID)."""
_CONTROLLER = re.compile(r"nvme[0-9]{1,5}")


def read_layers(system: System, folders: Mapping[str, str], *names: str) -> tuple[Layer, ...]:
    """Every device that is on others, each once, the upper ones first.

    Args:
        system: The machine.
        folders: The folder of each device and partition under /sys, by the kernel's name.
        names: The devices to begin with.
    """
    layers = dict[str, Layer]()
    waiting = [*names]
    while waiting:
        name = waiting.pop(0)
        if name in layers or name not in folders:
            continue
        folder = folders[name]
        if system.exists(f"{folder}/partition"):
            waiting.append(folder.rsplit("/", 2)[1])
            continue
        below = known_or(file_values.names(system, f"{folder}/slaves"), ())
        if below:
            layers[name] = _layer(system, name, folder, below)
            waiting += below
    return tuple(layers.values())


def _layer(system: System, name: str, folder: str, below: tuple[str, ...]) -> Layer:
    return Layer(
        name=name,
        label=known_or(file_values.word(system, f"{folder}/dm/name"), name),
        kind=_kind(system, name, folder),
        below=below,
        chunk=_bytes(system, f"{folder}/queue/minimum_io_size"),
        stripe=_bytes(system, f"{folder}/queue/optimal_io_size"),
        read_ahead_kb=file_values.number(system, f"{folder}/queue/read_ahead_kb"),
    )


def _kind(system: System, name: str, folder: str) -> LayerKind:
    if name.startswith("md"):
        return "raid"
    uuid = known_or(file_values.word(system, f"{folder}/dm/uuid"), "")
    for beginning, kind in _BY_UUID:
        if uuid.startswith(beginning):
            return kind
    return "other"


def _bytes(system: System, path: str) -> Bytes:
    return Bytes(max(0, known_or(file_values.number(system, path), 0)))


def read_paths(system: System, name: str, folder: str) -> MaybeFact[tuple[DiskPath, ...]]:
    """The controllers of an NVMe disk that the kernel itself reaches by several (nvme_core.multipath)."""
    if not name.startswith("nvme"):
        return Absent(f"not an NVMe disk: {name}")
    listed = file_values.names(system, f"{folder}/device")
    if not isinstance(listed, Known):
        return listed
    paths = tuple(_of_controllers(system, folder, listed.value))
    return Known(paths, listed.how) if paths else Absent(f"no subsystem: {listed.how}")


def _of_controllers(system: System, folder: str, names: tuple[str, ...]) -> Iterator[DiskPath]:
    for name in filter(_CONTROLLER.fullmatch, names):
        state = file_values.kernel_name(system, f"{folder}/device/{name}/state")
        if isinstance(state, Known):
            yield DiskPath(name=name, state=state.value)


def read_of_device(system: System, folder: str, name: str) -> MaybeFact[str]:
    """A word that the device behind a disk has, such as its `state`; absent where its kind has none."""
    path = f"{folder}/device/{name}"
    for where, part in ((folder, "device"), (f"{folder}/device", name)):
        beside = file_values.names(system, where)
        if isinstance(beside, Known) and part not in beside.value:
            return file_values.absent(system, path, f"no {path}")
    return file_values.kernel_name(system, path)

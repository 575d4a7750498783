"""The file systems that PostgreSQL uses, down to their disks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal

from tunewiz.collect import file_values
from tunewiz.collect.storage.block_devices import BlockDevices
from tunewiz.collect.storage.mounts import Mount, covering, is_cut
from tunewiz.collect.system import FileSystemSpace, ReadError, System
from tunewiz.core.facts.machine import Disk, DiskRole, Layer, Storage
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown
from tunewiz.core.values.units import Bytes

Directories = Mapping[DiskRole, Iterable[str]]
"""Absolute paths by what PostgreSQL keeps there."""

_NO_DISKS = MappingProxyType(
    {
        "tmpfs": "memory",
        "ramfs": "memory",
        "rootfs": "memory",
        "overlay": "the layers of a container, whose disks only its host sees",
        "nfs": "a server in the network",
        "nfs4": "a server in the network",
        "cifs": "a server in the network",
        "ceph": "a server in the network",
        "9p": "the host of this guest",
        "virtiofs": "the host of this guest",
        "zfs": "a ZFS pool, whose disks `zpool status` lists",
    }
)
"""File systems that are not on a block device of this machine, and where they are."""

_IN_MEMORY = frozenset({"tmpfs", "ramfs", "rootfs"})


def read_storage(
    system: System, mounts: Fact[tuple[Mount, ...]], directories: Directories
) -> tuple[Storage, ...]:
    """One record for each file system under the directories, in the order of the directories."""
    if not isinstance(mounts, Known):
        return ()
    used = dict[str, tuple[Mount, list[DiskRole], str]]()
    for role, paths in directories.items():
        for path in paths:
            real = _real(system, path)
            mount = covering(mounts.value, real)
            if mount:
                _, roles, _ = used.setdefault(mount.point, (mount, [], real))
                roles += [] if role in roles else [role]
    if not used:
        return ()
    blocks = BlockDevices(system)
    how = f"mount table{file_values.CUT}" if is_cut(mounts) else "mount table"
    return tuple(
        _storage(system, blocks, mount, tuple(roles), path, how) for mount, roles, path in used.values()
    )


def _real(system: System, path: str) -> str:
    try:
        return system.realpath(path)
    except ReadError:
        return path


def _storage(
    system: System, blocks: BlockDevices, mount: Mount, roles: tuple[DiskRole, ...], path: str, how: str
) -> Storage:
    space, devices = _space(system, path), _devices(blocks, mount)
    return Storage(
        mount=mount.point,
        device=Known(mount.source, how),
        filesystem=Known(mount.filesystem, how),
        options=Known(",".join(mount.options), how),
        disks=_disks(blocks, devices),
        roles=roles,
        total=_bytes(space, "total"),
        free=_bytes(space, "free"),
        layers=_layers(blocks, devices),
        inodes=inodes_of(space, "all"),
        inodes_free=inodes_of(space, "free"),
    )


def _devices(blocks: BlockDevices, mount: Mount) -> Fact[tuple[str, ...]]:
    """The block devices of a file system, by the kernel's names; none where it is in memory."""
    if mount.filesystem in _IN_MEMORY:
        return Known((), f"{mount.filesystem} is in {_NO_DISKS[mount.filesystem]}")
    if mount.filesystem in _NO_DISKS:
        return Unknown(f"{mount.filesystem} is on {_NO_DISKS[mount.filesystem]}")
    name = blocks.device(mount.device, mount.source)
    if not isinstance(name, Known):
        return name
    devices = blocks.companions(name.value) if mount.filesystem == "btrfs" else (name.value,)
    return Known(devices, f"/sys/block/{name.value}")


def _disks(blocks: BlockDevices, devices: Fact[tuple[str, ...]]) -> Fact[tuple[Disk, ...]]:
    return Known(blocks.disks(*devices.value), devices.how) if isinstance(devices, Known) else devices


def _layers(blocks: BlockDevices, devices: Fact[tuple[str, ...]]) -> Fact[tuple[Layer, ...]]:
    return Known(blocks.layers(*devices.value), devices.how) if isinstance(devices, Known) else devices


def _space(system: System, path: str) -> Fact[FileSystemSpace]:
    try:
        return Known(system.space(path), f"statvfs {path}")
    except ReadError as error:
        return Unknown(error.message)


def inodes_of(space: Fact[FileSystemSpace], which: Literal["all", "free"]) -> MaybeFact[int]:
    """Those of a file system, or those that are free; absent where it makes them as it needs them."""
    if isinstance(space, Unknown):
        return space
    if space.value.inodes is None:
        return Unknown(f"{space.how}: inodes were not counted")
    count, free = space.value.inodes
    if not count:
        return Absent(f"{space.how}: it has no fixed number of inodes")
    return Known(count if which == "all" else free, space.how)


def _bytes(space: Fact[FileSystemSpace], what: str) -> Fact[Bytes]:
    match space:
        case Known(file_system_space, how):
            return Known(Bytes(file_system_space.total if what == "total" else file_system_space.free), how)
        case Unknown():
            return space

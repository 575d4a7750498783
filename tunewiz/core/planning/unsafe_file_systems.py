"""Warnings of file systems on which a server loses data or stops, told before all advice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tunewiz.core.facts.machine import Storage
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import known_or

_NETWORK = "its server may confirm writes that are not on disk, and its locks and renames differ"
_SHARED = "a folder that a hypervisor shares: it may confirm writes that are not on disk"
_LOOSE = "it knows neither owners nor a journal, and a crash may damage it with everything in it"
_FUSE = "a program stands between the server and the disk, and may not keep what was synced"
LOSING: Mapping[str, str] = MappingProxyType(
    {
        "tmpfs": "everything in it is gone after a restart of the machine",
        "ramfs": "everything in it is gone after a restart of the machine",
        "devtmpfs": "everything in it is gone after a restart of the machine",
        "aufs": "it is a container's own layer: the data is gone with the container",
        "overlay": "it is a container's own layer: the data is gone with the container",
        "cifs": _NETWORK,
        "smb3": _NETWORK,
        "smbfs": _NETWORK,
        "afs": _NETWORK,
        "coda": _NETWORK,
        "ncpfs": _NETWORK,
        "9p": _NETWORK,
        "virtiofs": _NETWORK,
        "vboxsf": _SHARED,
        "prl_fs": _SHARED,
        "vmhgfs": _SHARED,
        "drvfs": _SHARED,
        "msdos": _LOOSE,
        "vfat": _LOOSE,
        "exfat": _LOOSE,
        "ntfs": _LOOSE,
        "ntfs3": _LOOSE,
    }
)
"""File systems that no PostgreSQL documentation recommends for data, and what happens there."""
NO_BARRIER = frozenset({"nobarrier", "barrier=0"})
"""ext4(5), xfs(5) before 4.19, reiserfs: the disk's cache is not flushed."""


def unsafe_file_systems(situation: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of each warning."""
    for storage in situation.facts.storage:
        kind = known_or(storage.filesystem, "")
        if why := _FUSE if kind.startswith("fuse") else LOSING.get(kind, ""):
            text = f"{_held(storage)} on {kind}: {why}. Move it to a local file system before any tuning."
            yield "unsafe_file_system", text
        elif kind.startswith("nfs") and not _is_hard(storage):
            text = (
                f"{_held(storage)} on {kind}, mounted soft: after a timeout the server is told that a write "
                "failed, and data may be damaged. PostgreSQL's manual requires the mount option hard, and on "
                "the NFS server the export option sync (Creating a Database Cluster, NFS)."
            )
            yield "unsafe_file_system", text
        yield from _of_options(storage)


def _of_options(storage: Storage) -> Iterator[tuple[str, str]]:
    """Mount options that stop writes, or that lose them."""
    options = set(known_or(storage.options, "").split(","))
    if "ro" in options:
        text = (
            f"{_held(storage)} on a file system that is mounted read-only: the server cannot write. The "
            "kernel does that after an error of the disk, and dmesg names it: look into that, and take a "
            "copy first."
        )
        yield "unsafe_file_system", text
    elif unsafe := sorted(options & NO_BARRIER):
        text = (
            f"{_held(storage)} on a file system that is mounted with {', '.join(unsafe)}: after a power cut "
            "data that was synced may be missing or damaged. Mount it without, unless a battery backs "
            "the disks' cache."
        )
        yield "unsafe_file_system", text


def _held(storage: Storage) -> str:
    return f"{' and '.join(storage.roles)} in {storage.mount} lie"


def _is_hard(storage: Storage) -> bool:
    """Hard is the default of NFS mounts (nfs(5))."""
    return not {"soft", "softerr"} & set(known_or(storage.options, "").split(","))

"""Warnings of file systems on which a server loses data or stops, told before all advice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tunewiz.core.facts.machine import Storage
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import known_or

_NETWORK = "its server may confirm writes that are not on disk, and its locks and renames differ"
_FUSE = "a program stands between the server and the disk, and may not keep what was synced"
LOSING: Mapping[str, str] = MappingProxyType(
    {
        "tmpfs": "everything in it is gone after a restart of the machine",
        "ramfs": "everything in it is gone after a restart of the machine",
        "overlay": "it is a container's own layer: the data is gone with the container",
        "cifs": _NETWORK,
        "smb3": _NETWORK,
        "smbfs": _NETWORK,
        "vboxsf": _NETWORK,
        "9p": _NETWORK,
        "virtiofs": _NETWORK,
    }
)
"""File systems that no PostgreSQL documentation recommends for data, and what happens there."""


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


def _held(storage: Storage) -> str:
    return f"{' and '.join(storage.roles)} in {storage.mount} lie"


def _is_hard(storage: Storage) -> bool:
    """Hard is the default of NFS mounts (nfs(5))."""
    return not {"soft", "softerr"} & set(known_or(storage.options, "").split(","))

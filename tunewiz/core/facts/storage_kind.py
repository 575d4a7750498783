"""The kind of storage of disks, as far as their own reports can be trusted."""

from __future__ import annotations

from typing import assert_never

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import Disk, DiskRole, Storage, StorageKind
from tunewiz.core.facts.storage_latency import NETWORKS
from tunewiz.core.values.known import Fact, Known, MissingFact, Unknown, known_or, needed

__all__ = [
    "BY_ID",
    "KIND",
    "NETWORKS",
    "StorageKind",
    "kind_of",
    "storage_is_settled",
    "storage_of",
    "udev_can_keep",
]

KIND = "the kind of storage"


def storage_of(facts: Facts, role: DiskRole, directory: Fact[str]) -> Storage:
    """The file system with the data or the WAL of the server whose data directory that is.

    With one file system in that role it is this one. With several, paths decide; links are not known here.

    Raises:
        MissingFact: There is none, or it is not known which of several it is.
    """
    result = [storage for storage in facts.storage if role in storage.roles]
    if not result:
        raise MissingFact(f"storage for the {role}", "no data directory was found or named")
    return result[0] if len(result) == 1 else _of_several(facts, role, directory, result)


def _of_several(facts: Facts, role: DiskRole, directory: Fact[str], results: list[Storage]) -> Storage:
    here = [storage for storage in _holding(facts, directory) if storage in results]
    if here:
        return here[0]
    with_data = [storage for server in facts.postgres for storage in _holding(facts, server.data_directory)]
    apart = [storage for storage in results if storage not in with_data]
    if role == "wal" and len(apart) == 1:
        return apart[0]
    mounts = " and ".join(storage.mount for storage in results)
    raise MissingFact(f"storage for the {role}", f"{mounts} are in use, and which is this server's is open")


def _holding(facts: Facts, directory: Fact[str]) -> list[Storage]:
    """The deepest of the file systems above a directory, if there is one."""
    path = known_or(directory, "")
    above = (storage for storage in facts.storage if _is_above(storage.mount, path))
    return sorted(above, key=lambda storage: len(storage.mount))[-1:]


def _is_above(mount: str, path: str) -> bool:
    return path == mount or path.startswith(f"{mount.rstrip('/')}/")


def kind_of(facts: Facts, directory: Fact[str]) -> StorageKind:
    """The storage of the data, as a probe found it or the kernel reports it.

    A virtual disk often reports that it rotates because the hypervisor was not configured otherwise.

    Raises:
        MissingFact: Nobody measured it, and what the kernel reports cannot be trusted.
    """
    if probed := _probed(facts, directory):
        return probed
    disks = needed(storage_of(facts, "data", directory).disks, "which disks the data is on")
    if not disks:
        raise MissingFact(KIND, "no disk was found under the data directory")
    transports = [known_or(disk.transport, "") for disk in disks]
    if NETWORKS & set(transports):
        return "san"
    if set(transports) == {"nvme"}:
        return "nvme"
    rotating = [_rotates(disk, facts) for disk in disks]
    return "hdd" if any(rotating) else "ssd"


def _probed(facts: Facts, directory: Fact[str]) -> StorageKind | None:
    """What a probe of that data directory told of its storage."""
    for server in facts.postgres:
        if isinstance(server.probe, Known) and _same(server.data_directory, directory):
            return known_or(server.probe.value.storage, None)
    return None


def _same(one: Fact[str], other: Fact[str]) -> bool:
    return isinstance(one, Known) and isinstance(other, Known) and one.value == other.value


def _rotates(disk: Disk, facts: Facts) -> bool:
    """Whether a disk rotates; raises MissingFact where that is not certain."""
    if known_or(disk.transport, "").startswith("nvme"):
        return False
    match disk.rotational:
        case Unknown(why):
            raise MissingFact(KIND, why)
        case Known(value=rotates):
            if rotates and known_or(facts.virtualization.hypervisor, "") != "none":
                raise MissingFact(KIND, f"{disk.name} says it rotates; a virtual disk may not know")
            return rotates
        case _:
            assert_never(disk.rotational)


BY_ID = "/dev/disk/by-id/"


def udev_can_keep(facts: Facts, disks: tuple[Disk, ...]) -> bool:
    """Whether a udev rule can keep values: each disk has a persistent name, and tuned does not set them."""
    named = all(known_or(disk.stable, "").startswith(BY_ID) for disk in disks)
    in_container = isinstance(facts.virtualization.container, Known)
    return named and not in_container and not isinstance(facts.owners.tuned, Known)


def storage_is_settled(facts: Facts, directory: Fact[str]) -> bool:
    """Whether the facts alone determine the storage of the data in that directory."""
    try:
        kind_of(facts, directory)
    except MissingFact:
        return False
    return True

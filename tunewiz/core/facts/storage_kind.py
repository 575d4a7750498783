"""The kind of storage of disks, as far as their own reports can be trusted."""

from __future__ import annotations

from typing import Literal, assert_never

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import Disk, Storage
from tunewiz.core.values.known import Known, MissingFact, Unknown, known_or, needed

StorageKind = Literal["hdd", "ssd", "nvme", "san"]

NETWORKS = frozenset({"fc", "zfcp", "dasd", "iscsi"})
"""Transports to a storage server, whose own disks are not visible from here."""

KIND = "the kind of storage"


def storage_of(facts: Facts, role: str) -> Storage:
    """The file system with the data or the WAL; raises MissingFact."""
    for storage in facts.storage:
        if role in storage.roles:
            return storage
    raise MissingFact(f"storage for the {role}", "no data directory was found or named")


def kind_of(facts: Facts) -> StorageKind:
    """The storage of the data, as the kernel reports it; raises MissingFact if it cannot be trusted.

    A virtual disk often reports that it rotates because the hypervisor was not configured otherwise.
    """
    disks = needed(storage_of(facts, "data").disks, "which disks the data is on")
    if not disks:
        raise MissingFact(KIND, "no disk was found under the data directory")
    transports = [known_or(disk.transport, "") for disk in disks]
    if NETWORKS & set(transports):
        return "san"
    if set(transports) == {"nvme"}:
        return "nvme"
    rotating = [_rotates(disk, facts) for disk in disks]
    return "hdd" if any(rotating) else "ssd"


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


def storage_is_settled(facts: Facts) -> bool:
    """Whether the facts alone determine the storage of the data."""
    try:
        kind_of(facts)
    except MissingFact:
        return False
    return True

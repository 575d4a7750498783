"""What kind of storage disks are, as far as they can be trusted to know it themselves."""

from __future__ import annotations

from typing import Literal, assert_never

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import Disk, Storage
from tunewiz.core.values.known import Known, MissingFact, Unknown, known_or, needed

StorageKind = Literal["hdd", "ssd", "nvme", "san"]

NETWORKS = frozenset({"fc", "zfcp", "dasd", "iscsi"})
"""Transports to a storage server, whose own disks nobody sees from here."""

KIND = "the kind of storage"


def storage_of(facts: Facts, role: str) -> Storage:
    """The file system that holds the data or the WAL; raises MissingFact."""
    for storage in facts.storage:
        if role in storage.roles:
            return storage
    raise MissingFact(f"storage for the {role}", "no data directory was found or named")


def kind_of(facts: Facts) -> StorageKind:
    """What the data lies on, as the kernel says of its disks; raises MissingFact where it cannot be trusted.

    A virtual disk often says that it rotates because nobody told the hypervisor otherwise.
    """
    disks = needed(storage_of(facts, "data").disks, "the data's disks")
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
    """Whether a rule of ours can keep values: each disk has a lasting name, and tuned is not at it."""
    named = all(known_or(disk.stable, "").startswith(BY_ID) for disk in disks)
    in_container = isinstance(facts.virtualization.container, Known)
    return named and not in_container and not isinstance(facts.owners.tuned, Known)


def storage_is_settled(facts: Facts) -> bool:
    """Whether the facts alone say what the data lies on."""
    try:
        kind_of(facts)
    except MissingFact:
        return False
    return True
